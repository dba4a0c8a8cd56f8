import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fillAgency, signIn } from './agency.mjs'
import { documentOf, paragraphs } from './prose.mjs'
import {
  bundle,
  furnitureOf,
  newFolder,
  newPage,
  PRODUCT,
  quantile,
  ratio,
  removeFolder,
  startBrowser,
  startServer,
} from './rig.mjs'
import { startUnwatched } from './unwatched.mjs'
import { writeSection } from './write-section.mjs'

/**
 * Opening an article without a connection, in the installed product, compared with Tiptap with the same text in its
 * file: on a copy of the page, and alone. Run `npm run build` first, then `node bench/open.mjs`; it takes two minutes.
 */

const ROUNDS = Number(process.env.ROUNDS ?? 15)
const WORDS = 5_000
const STANDS_MS = 1_500

/** Records when the text becomes editable; the page is asked for that time after it has settled. */
const LOOK = `(() => {
  const look = () => {
    if (document.querySelector('.ProseMirror[contenteditable="true"] > p')) globalThis.editableAt = performance.now()
    else requestAnimationFrame(look)
  }
  look()
})()`

const text = documentOf(paragraphs(1, WORDS))
const profile = newFolder()
try {
  const { product, home, furniture } = await install()
  const plain = await startPlainPages({ copy: furniture, alone: '<div id="editor"></div>' })
  const browser = startUnwatched(profile)
  try {
    // The common case: the list of articles is open in another tab.
    await browser.open(home)
    await pause(STANDS_MS)
    const pages = { product, copy: `${plain.url}/copy`, alone: `${plain.url}/alone` }
    report(await measure(browser, pages))
  } finally {
    plain.server.close()
    await browser.stop()
  }
} finally {
  removeFolder(profile)
}

/** Signs in, opens the article once and waits for the service worker; there is no server from then on. */
async function install() {
  const [server, browser] = await Promise.all([startServer(PRODUCT), startBrowser({ profile })])
  try {
    const [id] = await fillAgency(server.url, [{ name: 'An article', articleText: text }])
    const { page } = await newPage(browser.context)
    await signIn(page, server.url)
    const product = `${server.url}/client/article/${id}`
    const { page: article } = await newPage(browser.context)
    await article.goto(product)
    await article.locator('.ProseMirror p').first().waitFor()
    await installed(page)
    return { product, home: `${server.url}/client/home`, furniture: await furnitureOf(article) }
  } finally {
    await Promise.all([server.stop(), browser.stop()])
  }
}

/** Waits until the service worker has cached the whole product. */
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

/** Pages with the text and Tiptap in their file; styles and fonts are separate files. */
async function startPlainPages(bodies) {
  const script = (await bundle('./pages/editor.js')).replaceAll('</script', '<\\/script')
  const json = JSON.stringify(text).replaceAll('<', '\\u003c')
  const server = createServer(({ url }, answer) => {
    const body = bodies[url.slice(1)]
    if (body === undefined) return sendAsset(url, answer)
    answer
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><meta charset="utf-8">${body}
<script>${script}
bench.mount(document.querySelector('#editor'), ${json})</script>`)
  })
  await new Promise((listening) => server.listen(0, listening))
  return { server, url: `http://127.0.0.1:${server.address().port}` }
}

function sendAsset(url, answer) {
  const file = createReadStream(new URL(`../dist/public${url}`, import.meta.url))
  file.on('error', () => answer.writeHead(404).end())
  const type = url.endsWith('.css') ? 'text/css' : 'application/octet-stream'
  file.once('open', () =>
    answer.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=9999' }),
  )
  file.pipe(answer)
}

async function measure(browser, pages) {
  const times = Object.fromEntries(Object.keys(pages).map((name) => [name, []]))
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, url] of Object.entries(pages)) {
      const tab = await browser.open(url, LOOK)
      await pause(STANDS_MS)
      const ms = await tab.evaluate('globalThis.editableAt')
      await tab.close()
      // The first round warms up.
      if (round > 0) times[name].push(ms)
    }
  }
  return times
}

function report(times) {
  const names = {
    product: 'Contūn Articles, offline',
    copy: 'Tiptap on a copy of the page',
    alone: 'Tiptap alone',
  }
  const row = (name) => {
    const [middle, late] = [0.5, 0.95].map(
      (share) => `${quantile(times[name], share).toFixed(0)} ms`,
    )
    const [ofCopy, ofAlone] = ['copy', 'alone'].map((other) =>
      ratio(times[name], times[other]).toFixed(2),
    )
    return `| ${names[name]} | ${middle} | ${late} | ${ofCopy}x | ${ofAlone}x |`
  }
  writeSection('Opening an article', [
    `From the navigation to an editable text of ${WORDS.toLocaleString('en')} words in a new tab without a profiler, with an open list of`,
    'articles: the installed product while its server cannot be reached, Tiptap with the text in its file on a copy of the page',
    `with its styles and fonts, and alone (${ROUNDS} rounds in turn; \`node bench/open.mjs\`).`,
    '',
    '| Page | Median | 95th percentile | Of the copy | Of Tiptap alone |',
    '|---|---|---|---|---|',
    ...Object.keys(names).map(row),
  ])
}
