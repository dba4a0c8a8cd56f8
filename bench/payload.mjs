import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { fillAgency, signIn, WRITER } from './agency.mjs'
import { documentOf, paragraphs } from './prose.mjs'
import { newPage, OFFICE, PRODUCT, startBrowser, startServer } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * What Chromium fetches until each kind of page stands, on a first visit. Run `npm run build` first, then
 * `node bench/payload.mjs`; it takes half a minute.
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
    const fetched = await visit(who, path(id), landmark)
    const cells = ['script', 'stylesheet'].map((type) => kilobytes(fetched.get(type) ?? []))
    const code = [...(fetched.get('script') ?? []), ...(fetched.get('stylesheet') ?? [])]
    const rest = kilobytes(fetched.get('font') ?? [])
    rows.push(`| ${name} | ${cells.join(' | ')} | ${kilobytes(code)} | ${rest} | ${code.length} |`)
  }
  writeSection('What a page fetches', [
    'KB of scripts and styles as gzip -9 packs them, and of fonts as they are, until the page stands at a first visit;',
    'without the service worker, which fetches the rest afterwards (`node bench/payload.mjs`).',
    '',
    '| Page | Scripts | Styles | Both | Fonts | Files |',
    '|---|---|---|---|---|---|',
    ...rows,
  ])
} finally {
  await server.stop()
}

/** The bodies that a new browser fetches for the page, by the kind of file. */
async function visit(who, path, landmark) {
  const browser = await startBrowser({ serviceWorkers: 'block' })
  try {
    const { page } = await newPage(browser.context)
    if (who) {
      await signIn(page, server.url, who)
      // What the page before still fetches is not this one's.
      await page.goto('about:blank')
      await (await browser.context.newCDPSession(page)).send('Network.clearBrowserCache')
    }
    const bodies = new Map()
    const reading = []
    page.on('response', (response) => {
      const type = response.request().resourceType()
      if (!['script', 'stylesheet', 'font'].includes(type)) return
      reading.push(
        response.body().then((body) => {
          const packed = type === 'font' ? body : gzipSync(body, { level: 9 })
          bodies.set(type, [...(bodies.get(type) ?? []), packed.length])
        }),
      )
    })
    await page.goto(`${server.url}${path}`)
    await page.locator(landmark).first().waitFor()
    await pause(1_000)
    await Promise.all(reading)
    return bodies
  } finally {
    await browser.stop()
  }
}

function kilobytes(sizes) {
  return (sizes.reduce((total, size) => total + size, 0) / 1_024).toFixed(0)
}
