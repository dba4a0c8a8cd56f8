import { setTimeout as pause } from 'node:timers/promises'
import { fillAgency, signIn } from './agency.mjs'
import { documentOfBytes } from './prose.mjs'
import { bundle, median, newPage, PRODUCT, ratio, startBrowser, startServer } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * 200 articles edited without a connection, from the connection's return to an empty queue: the built product, PouchDB
 * and RxDB in one Chromium. Run `npm run build` and `npm install` in bench/ first, then `node bench/drain.mjs`; it
 * takes about five minutes. The browser itself slows its network, the same for all.
 */

const ARTICLES = 200
const BYTES = 10_000
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const LINES = [
  ['no latency', { latency: 0, uploadThroughput: -1 }],
  ['+50 ms', { latency: 50, uploadThroughput: -1 }],
  ['+50 ms, 4 Mbit/s up', { latency: 50, uploadThroughput: 500_000 }],
]
const OFFLINE = { offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0 }
const online = (conditions) => ({ offline: false, downloadThroughput: -1, ...conditions })

const [server, peers, browser] = await Promise.all([
  startServer(PRODUCT),
  startServer(new URL('./peers-server.mjs', import.meta.url)),
  startBrowser({ serviceWorkers: 'block' }),
])
try {
  const articles = Array.from({ length: ARTICLES }, (_, index) => ({
    id: `article-${index}`,
    document: documentOfBytes(index, BYTES),
  }))
  const drains = [
    ['Contūn Articles', await product(articles)],
    ['PouchDB', await peer('PouchDB', './pages/drain-pouchdb.js', articles)],
    ['RxDB', await peer('RxDB', './pages/drain-rxdb.js', articles)],
  ]
  const times = new Map(drains.map(([name]) => [name, new Map(LINES.map(([line]) => [line, []]))]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [line, conditions] of LINES) {
      for (const [name, drain] of drains) {
        const ms = await drain(`Round ${round} with ${line}.`, conditions)
        times.get(name).get(line).push(ms)
        console.log(`${line}: ${name} ${ms} ms`)
      }
    }
  }
  report(times)
} finally {
  await Promise.all([server.stop(), peers.stop(), browser.stop()])
}

/** The built page at its home; a second page of the same origin saves the edits and looks into the queue. */
async function product(articles) {
  const { url } = server
  await fillAgency(
    url,
    articles.map(({ id: name, document: articleText }) => ({ name, articleText })),
  )
  const { page, cdp } = await newPage(browser.context)
  await signIn(page, url)
  const { page: edits } = await newPage(browser.context)
  await edits.goto(`${url}/icon-192.png`)
  await edits.evaluate(await bundle('./pages/drain-edits.ts'))
  const wanted = articles.length
  while ((await edits.evaluate(() => bench.textsHere())) < wanted) await pause(200)
  await page.evaluate(() =>
    addEventListener('online', () => {
      globalThis.onlineAt = Date.now()
    }),
  )
  return async (words, conditions) => {
    await cdp.send('Network.emulateNetworkConditions', OFFLINE)
    await edits.evaluate((added) => bench.edit(added), words)
    await pause(1_500)
    await cdp.send('Network.emulateNetworkConditions', online(conditions))
    const end = await edits.evaluate(() => bench.emptied())
    return end - (await page.evaluate(() => onlineAt))
  }
}

async function peer(name, entry, articles) {
  const { page, cdp } = await newPage(browser.context)
  await page.goto(peers.url)
  await page.evaluate(await bundle(entry))
  await page.evaluate((all) => bench.fill(all), articles)
  console.log(`${name} is filled`)
  return async (words, conditions) => {
    await cdp.send('Network.emulateNetworkConditions', OFFLINE)
    await page.evaluate((added) => bench.edit(added), words)
    await cdp.send('Network.emulateNetworkConditions', online(conditions))
    return page.evaluate(async () => {
      const startedAt = Date.now()
      await bench.drain()
      return Date.now() - startedAt
    })
  }
}

function report(times) {
  const [own, ...others] = [...times.keys()]
  const cell = (name, line) => {
    const ms = times.get(name).get(line)
    const against = ratio(ms, times.get(own).get(line))
    return `${Math.round(median(ms))} ms${name === own ? '' : ` (${against.toFixed(1)}x)`}`
  }
  writeSection('Sending what was written without a connection', [
    `${ARTICLES} articles of ${BYTES / 1000} KB edited offline, from the connection’s return to an empty queue, in Chromium:`,
    'the built product on its server, PouchDB on express-pouchdb (in memory), RxDB on Dexie with HTTP handlers on SQLite.',
    `The last two as times of the first (medians of ${ROUNDS} rounds in turn; \`node bench/drain.mjs\`).`,
    '',
    `| Line | ${[own, ...others].join(' | ')} |`,
    '|---|---|---|---|',
    ...LINES.map(
      ([line]) => `| ${line} | ${[own, ...others].map((name) => cell(name, line)).join(' | ')} |`,
    ),
  ])
}
