import { setTimeout as pause } from 'node:timers/promises'
import { fillAgency, signIn } from './agency.mjs'
import { atTheMiddle, KEY_MS, typeKeys } from './key-work.mjs'
import { documentOf, paragraphs } from './prose.mjs'
import {
  bundle,
  call,
  median,
  newPage,
  PRODUCT,
  quantile,
  ratio,
  startBrowser,
  startServer,
  tokenOf,
} from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * What notes in the margin cost the page of their article: opening it, and a key with the pause after it. Run
 * `npm run build` first, then `node bench/notes.mjs`; it takes about eight minutes.
 */

const OPENINGS = Number(process.env.OPENINGS ?? 30)
const ROUNDS = Number(process.env.ROUNDS ?? 12)
const KEYS = Number(process.env.KEYS ?? 50)
const WORDS = 50_000
const NOTES = 200
/** In which a page does what it does after it was opened. */
const OPENED_MS = 2_000
/** Until it has searched for the words of notes after a key. */
const SETTLED_MS = 1_000

/** `gone`: notes whose words are not in the text. */
const PAGES = {
  none: { notes: 0, gone: 0 },
  notes: { notes: NOTES, gone: 0 },
  gone: { notes: NOTES, gone: 2 },
}

/** Records when the text becomes editable, and the longest task after that. */
const LOOK = `(() => {
  globalThis.longestTask = 0
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      if (startTime > (globalThis.editableAt ?? Infinity))
        globalThis.longestTask = Math.max(globalThis.longestTask, duration)
  }).observe({ type: 'longtask', buffered: true })
  const look = () => {
    if (document.querySelector('.ProseMirror[contenteditable="true"] > p')) globalThis.editableAt = performance.now()
    else requestAnimationFrame(look)
  }
  look()
})()`

const [server, browser] = await Promise.all([
  startServer(PRODUCT),
  startBrowser({ serviceWorkers: 'block' }),
])
const keyTimes = await bundle('./pages/key-times.js')
try {
  const blocks = paragraphs(1, WORDS)
  const ids = await fillAgency(
    server.url,
    Object.keys(PAGES).map((name) => ({ name, articleText: documentOf(blocks) })),
  )
  const office = await tokenOf(server.url)
  for (const [at, kind] of Object.values(PAGES).entries()) {
    for (const note of notesOf(blocks, kind))
      await call(server.url, 'POST', `/articles/${ids[at]}/notes`, note, office)
  }
  const { page: home } = await newPage(browser.context)
  await signIn(home, server.url)
  const addresses = Object.fromEntries(
    Object.keys(PAGES).map((name, at) => [name, `${server.url}/client/article/${ids[at]}`]),
  )
  report(await measureOpening(addresses), await measureKeys(addresses))
} finally {
  await Promise.all([server.stop(), browser.stop()])
}

/** Notes about three words each, spread over the text. */
function notesOf(blocks, { notes, gone }) {
  return Array.from({ length: notes }, (_, at) => {
    const block = Math.floor((at * blocks.length) / notes)
    const words = blocks[block].split(' ')
    const [before, quote, after] = [words.slice(0, 20), words.slice(20, 23), words.slice(23)]
    const anchor = {
      before: `${before.join(' ')} `.slice(-32),
      quote: at < gone ? 'words that nothing has left of it' : quote.join(' '),
      after: ` ${after.join(' ')}`.slice(0, 32),
      block,
      textVersion: 1,
    }
    return { kind: 'note', body: 'Can we say how many?', anchor }
  })
}

async function measureOpening(addresses) {
  const times = Object.fromEntries(Object.keys(PAGES).map((name) => [name, []]))
  const longest = Object.fromEntries(Object.keys(PAGES).map((name) => [name, []]))
  for (let round = 0; round <= OPENINGS; round += 1) {
    for (const [name, address] of inTurn(addresses, round)) {
      const { page } = await newPage(browser.context)
      await page.addInitScript(LOOK)
      await page.goto(address)
      await Promise.all([bandsOf(page, name), pause(OPENED_MS)])
      const [ms, task] = await page.evaluate(() => [globalThis.editableAt, globalThis.longestTask])
      await page.close()
      // The first round warms up.
      if (round === 0) continue
      times[name].push(ms)
      longest[name].push(task)
    }
  }
  return { times, longest }
}

/** Each of the three pages follows each other one as often: closing a page slows down the page that is opened next. */
function inTurn(pages, round) {
  const [first, ...others] = Object.entries(pages)
  return [first, ...(round % 2 === 0 ? others : others.reverse())]
}

/** Waits until a band is drawn: of the first note, which is at the beginning of the text, unless its words are gone. */
async function bandsOf(page, name) {
  const { notes, gone } = PAGES[name]
  if (notes > 0 && gone === 0) await page.locator('.noted').first().waitFor({ state: 'attached' })
}

async function measureKeys(addresses) {
  const benches = {}
  for (const [name, address] of Object.entries(addresses)) {
    const bench = await newPage(browser.context)
    await bench.page.goto(address)
    await bench.page.locator('.ProseMirror p').first().waitFor()
    await bench.page.evaluate(keyTimes)
    await Promise.all([bandsOf(bench.page, name), pause(OPENED_MS)])
    benches[name] = await atTheMiddle(bench)
  }
  const figures = Object.fromEntries(
    Object.keys(PAGES).map((name) => [name, { work: [], paint: [] }]),
  )
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, bench] of inTurn(benches, round)) {
      const { work, paints } = await typeKeys(bench, KEYS, SETTLED_MS)
      if (round === 0) continue
      figures[name].work.push(work)
      figures[name].paint.push(median(paints))
    }
  }
  return figures
}

function report({ times, longest }, keys) {
  const names = {
    none: 'no note',
    notes: `${NOTES} notes`,
    gone: `${NOTES} notes, the words of ${PAGES.gone.gone} gone`,
  }
  const row = (name) => {
    const of = (figures, other) => ratio(figures, other).toFixed(2)
    const { work, paint } = keys[name]
    return (
      `| ${names[name]} | ${quantile(times[name], 0.5).toFixed(0)} ms | ${of(times[name], times.none)}x ` +
      `| ${median(longest[name]).toFixed(0)} ms | ${median(work).toFixed(1)} ms | ${of(work, keys.none.work)}x ` +
      `| ${median(paint).toFixed(1)} ms | ${of(paint, keys.none.paint)}x |`
    )
  }
  writeSection('Notes in the margin', [
    `An article of ${WORDS.toLocaleString('en')} words with and without notes (\`node bench/notes.mjs\`): from the navigation to an editable text and`,
    `the longest task in the ${OPENED_MS / 1_000} s after it (${OPENINGS} rounds in turn); in ${ROUNDS} rounds in turn, work of the main thread for a key in its middle (${KEYS} keys`,
    `${KEY_MS} ms apart and the ${SETTLED_MS / 1_000} s after the last, in which notes are searched again), and from the key to its paint.`,
    '',
    '| Notes | Opened | of none | Longest task | Work for a key | of none | To paint | of none |',
    '|---|---|---|---|---|---|---|---|',
    ...Object.keys(names).map(row),
  ])
}
