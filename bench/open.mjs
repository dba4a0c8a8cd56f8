import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fillAgency, signIn } from './agency.mjs'
import { documentOf, paragraphs } from './prose.mjs'
import { bundle, newPage, PRODUCT, quantile, ratio, startBrowser, startServer } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * Opening an article without a connection, in the installed product, beside a page with the same text and Tiptap in one
 * file. Run `npm run build` first, then `node bench/open.mjs`; it takes about a minute.
 */

const ROUNDS = Number(process.env.ROUNDS ?? 10)
const WORDS = 5_000

const document = documentOf(paragraphs(1, WORDS))
const [server, browser, plain] = await Promise.all([
  startServer(PRODUCT),
  startBrowser(),
  startPlainPage(),
])
try {
  const { context } = browser
  await context.addInitScript(() => {
    const look = () => {
      if (globalThis.document.querySelector('.ProseMirror[contenteditable="true"] > p')) {
        console.log(`editable ${performance.now()}`)
      } else requestAnimationFrame(look)
    }
    look()
  })
  const [id] = await fillAgency(server.url, [{ name: 'An article', articleText: document }])
  const product = `${server.url}/client/article/${id}`
  const { page: home } = await newPage(context)
  await signIn(home, server.url)
  await open(context, product)
  await installed(home)
  const times = { product: [], plain: [] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    await context.setOffline(true)
    const opened = await open(context, product)
    await context.setOffline(false)
    const limit = await open(context, plain.url)
    // The first round warms up.
    if (round === 0) continue
    times.product.push(opened)
    times.plain.push(limit)
  }
  const cells = (values) =>
    [0.5, 0.95].map((share) => `${quantile(values, share).toFixed(0)} ms`).join(' | ')
  writeSection('Opening an article', [
    `From the navigation to an editable text of ${WORDS.toLocaleString('en')} words in a new tab: the installed product without a`,
    `connection, and Tiptap alone in one file with the text in it (${ROUNDS} rounds in turn; \`node bench/open.mjs\`).`,
    '',
    '| Page | Median | 95th percentile | Of Tiptap alone |',
    '|---|---|---|---|',
    `| Contūn Articles, offline | ${cells(times.product)} | ${ratio(times.product, times.plain).toFixed(2)}x |`,
    `| Tiptap alone | ${cells(times.plain)} | 1.00x |`,
  ])
} finally {
  plain.server.close()
  await Promise.all([server.stop(), browser.stop()])
}

/** Milliseconds until the text can be edited. The page tells it: whoever asks a page brings scripts with the question. */
async function open(context, url) {
  const { page } = await newPage(context)
  const told = page.waitForEvent('console', (message) => message.text().startsWith('editable '))
  await page.goto(url)
  const ms = Number((await told).text().split(' ')[1])
  await page.close()
  return ms
}

/** Waits until the service worker holds the whole product. */
async function installed(page) {
  const size = () =>
    page.evaluate(async () => {
      await navigator.serviceWorker.ready
      const all = await Promise.all(
        (await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).length),
      )
      return all.reduce((total, one) => total + one, 0)
    })
  while ((await size()) < 10) await pause(200)
}

async function startPlainPage() {
  const script = await bundle('./pages/editor.js')
  const text = JSON.stringify(document).replaceAll('<', '\\u003c')
  const html = `<!doctype html><meta charset="utf-8"><title>Plain</title><div id="editor"></div>
<script>${script.replaceAll('</script', '<\\/script')}
bench.mount(document.querySelector('#editor'), ${text})</script>`
  const plainServer = createServer((_, answer) =>
    answer.writeHead(200, { 'content-type': 'text/html' }).end(html),
  )
  await new Promise((listening) => plainServer.listen(0, listening))
  return { server: plainServer, url: `http://localhost:${plainServer.address().port}/` }
}
