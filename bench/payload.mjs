import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { fillAgency, signIn, WRITER } from './agency.mjs'
import { documentOf, paragraphs } from './prose.mjs'
import { newPage, OFFICE, PRODUCT, startBrowser, startServer } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * What Chromium fetches until each kind of page is displayed, and what it fetches after that for dialogs and panels, on
 * a first visit. Run `npm run build` first, then `node bench/payload.mjs`; it takes half a minute.
 */

const ROUTES = [
  ['guest: login', null, () => '/login', 'form'],
  ['client: home', WRITER, () => '/client/home', 'main a'],
  ['client: article', WRITER, (id) => `/client/article/${id}`, '.ProseMirror p'],
  ['admin: articles', OFFICE, () => '/admin/articles', 'main table'],
]

const server = await startServer(PRODUCT)
try {
  const [id] = await fillAgency(server.url, [
    { name: 'An article', articleText: documentOf(paragraphs(1, 500)) },
  ])
  const rows = []
  for (const [name, who, path, landmark] of ROUTES) {
    const { files, standsAt } = await visit(who, path(id), landmark)
    const code = files.filter(({ type }) => type !== 'font')
    const needed = code.filter(({ askedAt }) => askedAt <= standsAt)
    const later = code.filter(({ askedAt }) => askedAt > standsAt)
    const cells = [
      needed.filter(({ type }) => type === 'script'),
      needed.filter(({ type }) => type === 'stylesheet'),
      needed,
      files.filter(({ type }) => type === 'font'),
      later,
    ].map(kilobytes)
    rows.push(`| ${name} | ${cells.join(' | ')} | ${needed.length} |`)
  }
  writeSection('What a page fetches', [
    'KB (1,000 bytes) of scripts and styles as gzip -9 packs them, fetched until the page is displayed at a first visit, of fonts as',
    'they are, and of what dialogs and panels need, which is fetched after that; without the service worker, which',
    'fetches the rest of the product afterwards (`node bench/payload.mjs`).',
    '',
    '| Page | Scripts | Styles | Both | Fonts | Afterwards | Files |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ])
} finally {
  await server.stop()
}

/**
 * The files that a new browser fetches for the page: `type`, packed `size`, and when each was asked for, in
 * milliseconds of the page's clock, on which `standsAt` is when the landmark came.
 */
async function visit(who, path, landmark) {
  const browser = await startBrowser({ serviceWorkers: 'block' })
  try {
    const { page } = await newPage(browser.context)
    if (who) {
      await signIn(page, server.url, who)
      // Requests of the previous page do not count for this one.
      await page.goto('about:blank')
      await (await browser.context.newCDPSession(page)).send('Network.clearBrowserCache')
    }
    await page.addInitScript((selector) => {
      const look = () => {
        if (document.querySelector(selector)) globalThis.standsAt = performance.now()
        else requestAnimationFrame(look)
      }
      look()
    }, landmark)
    const reading = []
    page.on('response', (response) => {
      const type = response.request().resourceType()
      if (['script', 'stylesheet', 'font'].includes(type)) reading.push(fileOf(response, type))
    })
    await page.goto(`${server.url}${path}`)
    await page.locator(landmark).first().waitFor()
    await pause(2_000)
    const { standsAt, times } = await page.evaluate(() => ({
      standsAt: globalThis.standsAt,
      times: performance.getEntriesByType('resource').map((entry) => [entry.name, entry.startTime]),
    }))
    const askedAt = new Map(times)
    const files = await Promise.all(reading)
    return { standsAt, files: files.map((file) => ({ ...file, askedAt: askedAt.get(file.url) })) }
  } finally {
    await browser.stop()
  }
}

async function fileOf(response, type) {
  const body = await response.body()
  const { length } = type === 'font' ? body : gzipSync(body, { level: 9 })
  return { url: response.url(), type, size: length }
}

function kilobytes(files) {
  return (files.reduce((total, { size }) => total + size, 0) / 1_000).toFixed(0)
}
