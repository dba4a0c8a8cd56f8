import { fillAgency, signIn } from './agency.mjs'
import { atTheMiddle, KEY_MS, typeKeys } from './key-work.mjs'
import { createRandom, documentOf, paragraphs, wordOf } from './prose.mjs'
import {
  bundle,
  furnitureOf,
  median,
  newPage,
  PRODUCT,
  quantile,
  ratio,
  startBrowser,
  startServer,
} from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * Typing in the middle of an article with 300 entities: the whole article page of the built product, the same with
 * lines under its entities, Tiptap alone, and Tiptap on a lifeless copy of the product's page. Run `npm run build` first,
 * then `node bench/typing.mjs`; it takes about five minutes.
 */

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const KEYS = Number(process.env.KEYS ?? 50)
const SIZES = [1_000, 10_000, 50_000]
const ENTITIES = 300
const PAGES = ['product', 'lines', 'bare', 'furniture']

const [server, browser] = await Promise.all([
  startServer(PRODUCT),
  startBrowser({ serviceWorkers: 'block' }),
])
const [editorScript, keyTimes] = await Promise.all([
  bundle('./pages/editor.js'),
  bundle('./pages/key-times.js'),
])
try {
  const documents = SIZES.map((words) => documentOf(paragraphs(words, words)))
  const ids = await fillAgency(
    server.url,
    documents.map((articleText, at) => ({
      name: `An article of ${SIZES[at]} words`,
      articleText,
      keywordList: entities(),
    })),
  )
  const { page: home } = await newPage(browser.context)
  await signIn(home, server.url)
  const benches = []
  for (const [at, words] of SIZES.entries()) {
    const product = await productPage(ids[at])
    const furniture = await furnitureOf(product.page)
    benches.push({
      words,
      pages: {
        product,
        lines: { ...product, hasLines: true },
        bare: await editorPage('<div id="editor"></div>', documents[at]),
        furniture: await editorPage(furniture, documents[at]),
      },
      figures: Object.fromEntries(
        PAGES.map((name) => [name, { work: [], script: [], paint: [], paints: [] }]),
      ),
    })
  }
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { pages, figures } of benches) {
      for (const name of PAGES) {
        const { work, script, paints } = await typeInto(pages[name])
        // The first round warms up.
        if (round === 0) continue
        figures[name].work.push(work)
        figures[name].script.push(script)
        figures[name].paint.push(median(paints))
        figures[name].paints.push(...paints)
      }
    }
  }
  report(benches)
} finally {
  await Promise.all([server.stop(), browser.stop()])
}

async function productPage(id) {
  const bench = await newPage(browser.context)
  await bench.page.goto(`${server.url}/client/article/${id}`)
  await bench.page.locator('.ProseMirror p').first().waitFor()
  await bench.page.evaluate(keyTimes)
  return atTheMiddle(bench)
}

async function editorPage(html, document) {
  const bench = await newPage(browser.context)
  const address = `${server.url}/bench-page`
  const body = `<!doctype html><meta charset="utf-8">${html}`
  await bench.page.route(address, (route) => route.fulfill({ contentType: 'text/html', body }))
  await bench.page.goto(address)
  await bench.page.unroute(address)
  await bench.page.evaluate(editorScript)
  await bench.page.evaluate(
    (content) => bench.mount(globalThis.document.querySelector('#editor'), content),
    document,
  )
  await bench.page.evaluate(keyTimes)
  return atTheMiddle(bench)
}

/** The switch belongs to the browser, so it is off again for the other pages. */
async function typeInto({ hasLines, ...bench }) {
  if (!hasLines) return typeKeys(bench, KEYS)
  const { page } = bench
  await page.bringToFront()
  const lines = page.getByRole('switch', { name: 'Show entities in the text' })
  await lines.check({ force: true })
  await page.locator('.entity-line').first().waitFor({ state: 'attached' })
  const figures = await typeKeys(bench, KEYS)
  await lines.uncheck({ force: true })
  return figures
}

/** Half of them use only words that are common in the texts, every fourth is one such word. */
function entities() {
  const random = createRandom(ENTITIES)
  return Array.from({ length: ENTITIES }, (_, at) => {
    const rare = at % 2 === 0 ? 0 : 3_000
    const numbers = [at % 150, Math.floor(200 * random())].slice(0, at % 4 === 0 ? 1 : 2)
    const words = numbers.map((number) => wordOf(rare + number))
    const category = ['Must Use', 'Need to Use', 'Use When You Can'][at % 3]
    return { keyword: words.join(' '), source: 'E', score: 3, category }
  })
}

function report(benches) {
  const names = {
    product: 'article page of the product',
    lines: 'the same with entities shown',
    bare: 'Tiptap alone',
    furniture: 'Tiptap on a copy of the page',
  }
  const row = ({ words, figures }, name) => {
    const { work, script, paint, paints } = figures[name]
    const against = (figure, other) => ratio(figures[name][figure], figures[other][figure])
    return (
      `| ${words.toLocaleString('en')} | ${names[name]} | ${median(work).toFixed(1)} ms | ${median(script).toFixed(1)} ms ` +
      `| ${median(paint).toFixed(1)} / ${quantile(paints, 0.95).toFixed(1)} ms ` +
      `| ${against('work', 'bare').toFixed(2)}x | ${against('work', 'furniture').toFixed(2)}x |`
    )
  }
  const withLines = benches.map(({ words, figures: { lines, product } }) => {
    const share = ratio(lines.work, product.work).toFixed(2)
    return `${share}x (${words.toLocaleString('en')} words)`
  })
  writeSection('Typing', [
    `Work of the page’s main thread for a key in the middle of an article with ${ENTITIES} entities, script in it, and from the key`,
    `to its paint, median / 95th percentile (${ROUNDS} rounds of ${KEYS} keys ${KEY_MS} ms apart, pages in turn; \`node bench/typing.mjs\`).`,
    'The product’s work has its scorecard, toolbar, save line and saves in it. With its entities shown in the text a key costs',
    `${withLines.join(', ')} of what it costs without.`,
    '',
    '| Words | Page | Work | Script | To paint | Work, of Tiptap alone | of the copy |',
    '|---|---|---|---|---|---|---|',
    ...benches.flatMap((bench) => PAGES.map((name) => row(bench, name))),
  ])
}
