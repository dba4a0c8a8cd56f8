import { stat } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { fillAgency, signIn } from './agency.mjs'
import { documentOf, paragraphs } from './prose.mjs'
import {
  call,
  newPage,
  OFFICE,
  PRODUCT,
  quantile,
  startBrowser,
  startServer,
  tokenOf,
} from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * 'Save all' of a client with as many articles as one archive has, each handed in once: from the button to the file, and
 * the longest time in which the page could not answer a key. The limit is what the calls for the same articles and receipts
 * take, one after another, with nothing made of them. Run `npm run build` first, then `node bench/archive.mjs`. It
 * writes its section of docs/benchmarks.md when SECTION is set.
 */

const ARTICLES = Number(process.env.ARTICLES ?? 500)
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const WORDS = 1_500
const FORMATS = ['Word', 'HTML', 'Markdown', 'Plain text']

const server = await startServer(PRODUCT)
const browser = await startBrowser({ acceptDownloads: true })
try {
  const ids = await fillAgency(
    server.url,
    Array.from({ length: ARTICLES }, (_, at) => ({
      name: `A garden article nr ${at}`,
      articleText: documentOf(paragraphs(at, WORDS)),
    })),
  )
  const token = await tokenOf(server.url)
  for (const id of ids)
    await call(server.url, 'PATCH', `/articles/${id}`, { completed: true }, token)
  const { page } = await newPage(browser.context)
  await signIn(page, server.url, OFFICE)
  await page.goto(`${server.url}/admin/articles`)
  await page.getByRole('combobox', { name: 'Filter by client' }).fill('Larkspur')
  await page.getByRole('option', { name: 'Larkspur Gardens' }).click()
  const figures = new Map(['calls alone', ...FORMATS].map((name) => [name, []]))
  for (let round = 0; round <= ROUNDS; round += 1) {
    const calls = await page.evaluate(readAll, { ids, token })
    if (round > 0) figures.get('calls alone').push({ ms: calls, blockedMs: 0, bytes: 0 })
    for (const format of FORMATS) {
      const one = await saveAll(page, format)
      console.log(round, format, JSON.stringify(one), `calls ${calls.toFixed(0)} ms`)
      if (round > 0) figures.get(format).push(one)
    }
  }
  if (process.env.SECTION) write(figures)
} finally {
  await Promise.all([server.stop(), browser.stop()])
}

async function saveAll(page, format) {
  await page.getByRole('button', { name: 'Save all' }).click()
  const dialog = page.getByRole('dialog', { name: /^Save all/ })
  await dialog.getByRole('radio', { name: format }).check()
  await page.evaluate(watchBlocking)
  const startedAt = performance.now()
  const [file] = await Promise.all([
    page.waitForEvent('download', { timeout: 300_000 }),
    dialog.getByRole('button', { name: 'Save' }).click(),
  ])
  const { size: bytes } = await stat(await file.path())
  const ms = performance.now() - startedAt
  const blockedMs = await page.evaluate(() => globalThis.blockedMs)
  await dialog.getByRole('button', { name: 'Done' }).click()
  return { ms, blockedMs, bytes }
}

function watchBlocking() {
  globalThis.blockedMs = 0
  globalThis.watching ??= new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      globalThis.blockedMs = Math.max(globalThis.blockedMs, duration)
  })
  globalThis.watching.observe({ type: 'longtask' })
}

async function readAll({ ids, token }) {
  const startedAt = performance.now()
  const headers = { authorization: `Bearer ${token}` }
  for (const id of ids) {
    for (const path of [`/v1/articles/${id}`, `/v1/articles/${id}/hand-ins?limit=50&page=1`])
      await (await fetch(path, { headers })).json()
  }
  return performance.now() - startedAt
}

function write(figures) {
  const of = (name, figure) =>
    quantile(
      figures.get(name).map((one) => one[figure]),
      0.5,
    )
  const calls = of('calls alone', 'ms')
  writeSection('An archive of all articles of a client', [
    `${ARTICLES} articles of ${WORDS} words, each handed in once, with receipts and index, in Chromium. The calls for the articles`,
    `and their receipts alone, one after another, take ${(calls / 1_000).toFixed(1)} s.`,
    '',
    '| | to the file | calls alone | longest wait of the page | file |',
    '| --- | --- | --- | --- | --- |',
    ...FORMATS.map(
      (name) =>
        `| ${name} | ${(of(name, 'ms') / 1_000).toFixed(1)} s | ${(of(name, 'ms') / calls).toFixed(1)}x | ${of(name, 'blockedMs').toFixed(0)} ms | ${(of(name, 'bytes') / 1e6).toFixed(1)} MB |`,
    ),
    '',
    `Load of the machine: ${loadavg()[0].toFixed(1)}.`,
  ])
}
