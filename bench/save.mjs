import { documentOf, documentOfBytes, paragraphs } from './prose.mjs'
import { bundle, median, newPage, quantile, ratio, startBrowser, startServer } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * One local save, on disk: raw IndexedDB, the product's save, RxDB and PouchDB in one Chromium. Run `npm install` in
 * bench/ first, then `node bench/save.mjs`; it takes about a minute.
 */

const ROUNDS = Number(process.env.ROUNDS ?? 15)
const SAVES = 20
const SIZES = [10_000, 50_000, 300_000]
const LONG_WORDS = 50_000
const WAYS = [
  ['indexedDb', 'IndexedDB, article and queue row'],
  ['product', 'Contūn Articles'],
  ['rxdb', 'RxDB upsert'],
  ['pouchDb', 'PouchDB get and put'],
]

const [peers, browser] = await Promise.all([
  startServer(new URL('./peers-server.mjs', import.meta.url)),
  startBrowser(),
])
try {
  const { page, cdp } = await newPage(browser.context)
  await cdp.send('Performance.enable')
  await page.goto(peers.url)
  await page.evaluate(await bundle('./pages/save.js'))
  await page.evaluate((document) => bench.open(document), documentOfBytes(1, 1_000))
  const times = new Map(WAYS.map(([way]) => [way, SIZES.map(() => ({ all: [], rounds: [] }))]))
  const blocked = new Map(WAYS.map(([way]) => [way, []]))
  const long = await inPage(documentOf(paragraphs(7, LONG_WORDS)))
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [at, bytes] of SIZES.entries()) {
      const document = await inPage(documentOfBytes(round, bytes))
      for (const [way] of WAYS) {
        const saves = await save(way, document, SAVES)
        // The first round warms up.
        if (round === 0) continue
        times.get(way)[at].all.push(...saves)
        times.get(way)[at].rounds.push(median(saves))
      }
    }
    for (const [way] of WAYS) {
      const before = await busy()
      await save(way, long, SAVES)
      if (round > 0) blocked.get(way).push((1_000 * ((await busy()) - before)) / SAVES)
    }
  }
  report(times, blocked)

  /** Handed over before measuring: receiving a long text takes the page longer than a save. */
  function inPage(document) {
    return page.evaluateHandle((text) => text, document)
  }

  /** Saves a little edited each time, one after another. */
  function save(way, document, saves) {
    return page.evaluate(
      async ([name, text, count]) => {
        const spent = []
        for (let at = 0; at < count; at += 1) {
          const added = { type: 'text', text: `Edited ${Math.random()}.` }
          const content = [...text.content, { type: 'paragraph', content: [added] }]
          spent.push(await bench[name]({ ...text, content }))
        }
        return spent
      },
      [way, document, saves],
    )
  }

  /** Seconds that the main thread has worked. */
  async function busy() {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration').value
  }
} finally {
  await Promise.all([peers.stop(), browser.stop()])
}

function report(times, blocked) {
  const [[limit]] = WAYS
  const cell = (way, at) => {
    const { all, rounds } = times.get(way)[at]
    const [middle, late] = [0.5, 0.95].map((share) => quantile(all, share).toFixed(1))
    return `${middle} / ${late} ms (${ratio(rounds, times.get(limit)[at].rounds).toFixed(1)}x)`
  }
  writeSection('Saving on the laptop', [
    `One save on disk, median / 95th percentile and times of the first row (${ROUNDS} rounds of ${SAVES} saves in turn;`,
    '`node bench/save.mjs`). The product’s is as durable as the first row and compares, hashes and counts words as well; of',
    'a long text it writes the pieces that were typed in, where the others write it whole. RxDB and PouchDB do not wait for the',
    `disk. The last column is the work of the page’s main thread at ${LONG_WORDS.toLocaleString('en')} words.`,
    '',
    `| Save | ${SIZES.map((bytes) => `${bytes / 1_000} KB`).join(' | ')} | Main thread |`,
    '|---|---|---|---|---|',
    ...WAYS.map(
      ([way, name]) =>
        `| ${name} | ${SIZES.map((_, at) => cell(way, at)).join(' | ')} | ${median(blocked.get(way)).toFixed(1)} ms |`,
    ),
  ])
}
