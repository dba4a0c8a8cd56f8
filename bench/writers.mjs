import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startPostgres } from '../scripts/embedded-postgres.mjs'
import { documentOf, idOf } from './api-data.mjs'
import { SECRETS, withLatency } from './postgres.mjs'
import { end, median, ready } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * Saves a second over PostgreSQL: 64 writers on different articles and on one, with and without a latency of 2 ms to
 * the database, at one node and at two; and the same by an earlier build. Run `npx tsc -b` in both, then
 * `node bench/writers.mjs CHECKOUT_OF_THE_EARLIER_BUILD`. Nodes are asked in turn, over and over. It writes its section of
 * docs/benchmarks.md when SECTION is set.
 */

const ROUNDS = Number(process.env.ROUNDS ?? 3)
const MS = Number(process.env.MS ?? 4_000)
const DELAY_MS = Number(process.env.DELAY_MS ?? 2)
const WRITERS = 64
const ARTICLES = 256
/** Connections of a node: the default, enough for a latency of some milliseconds, and so few that they are the limit. */
const CONNECTIONS = { usual: 10, many: 40, few: 3 }
const here = fileURLToPath(new URL('..', import.meta.url))
const earlier = process.argv[2] && resolve(process.argv[2])

const folder = mkdtempSync(join(tmpdir(), 'contun-writers-'))
const children = []
const proxies = []
const postgres = await startPostgres(['max_connections=300'])
const figures = new Map()
let counter = 1_000_000_000
try {
  const builds = [...(earlier ? [['before', earlier]] : []), ['now', here]]
  const scenes = []
  for (const [name, checkout] of builds) scenes.push(...(await scenesOf(name, checkout)))
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const scene of scenes) await measure(scene, round)
  }
  for (const [key, values] of figures) {
    console.log(key.padEnd(40), median(values.map(({ perSecond }) => perSecond)).toFixed(0))
  }
  if (process.env.SECTION) write()
} finally {
  await Promise.all(children.map(end))
  for (const proxy of proxies) proxy.stop()
  await postgres.remove()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

/** A node without latency to the database, and others with it; all of one build over one database. */
async function scenesOf(build, checkout) {
  const url = await newDatabase(`writers_${build}`)
  const proxy = await withLatency(url, DELAY_MS)
  proxies.push(proxy)
  const { usual, many, few } = CONNECTIONS
  const direct = await startNode(checkout, { url, connections: usual, isFirst: true })
  const delayed = await startNode(checkout, { url: proxy.url, connections: many })
  const small = [
    await startNode(checkout, { url: proxy.url, connections: few }),
    await startNode(checkout, { url: proxy.url, connections: few }),
  ]
  const of = (name, nodes, articles) => ({ key: `${build}, ${name}`, nodes, articles })
  return [
    of('no latency, different articles', [direct], ARTICLES),
    of('no latency, one article', [direct], 1),
    of('latency, different articles', [delayed], ARTICLES),
    of('latency, one article', [delayed], 1),
    of('latency, one small node', small.slice(0, 1), ARTICLES),
    of('latency, two small nodes', small, ARTICLES),
  ].filter(({ key }) => key.includes(process.env.ONLY ?? ''))
}

async function newDatabase(name) {
  const client = new pg.Client({ connectionString: `${postgres.url}/postgres` })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return `${postgres.url}/${name}`
}

async function startNode(checkout, { url, connections, isFirst = false }) {
  const child = fork(fileURLToPath(new URL('./writers-server.mjs', import.meta.url)), {
    env: {
      ...process.env,
      ...SECRETS,
      CHECKOUT: checkout,
      ...(isFirst && { SEEDED: '1' }),
      WRITERS,
      ARTICLES,
      PORT: '0',
      DATA_DIR: mkdtempSync(join(folder, 'data-')),
      DATABASE_URL: url,
      DATABASE_CONNECTIONS: String(connections),
      LOG_LEVEL: 'silent',
      RATE_LIMITS: 'off',
      NODE_ENV: 'production',
      ADMIN_PASSWORD: 'figures-and-paper',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  children.push(child)
  const sent = once(child, 'message')
  const { port } = new URL(await ready(child))
  const load = fork(fileURLToPath(new URL('./load.mjs', import.meta.url)))
  children.push(load)
  return { port, tokens: (await sent)[0].tokens, load }
}

async function measure({ key, nodes, articles }, round) {
  const all = await Promise.all(
    nodes.map(async ({ port, tokens, load }, at) => {
      const connections = WRITERS / nodes.length
      const requests = requestsOf(tokens, articles).filter(
        (_, index) => index % nodes.length === at,
      )
      // Keys of another run would be refused.
      counter += 10_000_000
      load.send({ port, connections, ms: MS, requests, counter })
      return (await once(load, 'message'))[0]
    }),
  )
  const failed = all.reduce((sum, one) => sum + one.failed, 0)
  const answered = all.reduce((sum, one) => sum + one.perSecond, 0)
  const perSecond = answered - failed / (MS / 1_000)
  const p99 = Math.max(...all.map((one) => one.p99))
  console.log(round, key, perSecond.toFixed(0), `p99 ${p99.toFixed(0)} ms`, `failed ${failed}`)
  // The first round warms up.
  if (round > 0) figures.set(key, [...(figures.get(key) ?? []), { perSecond, p99, failed }])
}

/** Each of its own writer, under a key of its own. */
function requestsOf(tokens, articles) {
  return Array.from({ length: ARTICLES }, (_, at) => ({
    head: [
      `PATCH /v1/articles/${idOf(3, at % articles)} HTTP/1.1`,
      'host: localhost',
      `authorization: Bearer ${tokens[at % WRITERS]}`,
      'content-type: application/json',
      'idempotency-key: counter-0000000000',
    ].join('\r\n'),
    body: JSON.stringify({ articleText: documentOf(at) }),
  }))
}

function write() {
  const of = (key, figure = 'perSecond') =>
    figures.has(key) ? median(figures.get(key).map((one) => one[figure])) : Number.NaN
  const row = (name, scene) => {
    const [before, now] = [of(`before, ${scene}`), of(`now, ${scene}`)]
    return `| ${name} | ${before.toFixed(0)} | ${now.toFixed(0)} | ${(now / before).toFixed(1)}x | ${of(`now, ${scene}`, 'p99').toFixed(0)} |`
  }
  writeSection('Writers over PostgreSQL', [
    `${WRITERS} writers save articles of 10 KB without pauses; saves a second, before writers ran at the same time and`,
    `now, and the 99th percentile now in ms. With latency each message to the database arrives ${DELAY_MS} ms late. A node has`,
    `${CONNECTIONS.usual} connections, or ${CONNECTIONS.many} with latency unless the row says otherwise. Everything is on one machine: nodes, PostgreSQL and load share its cores.`,
    '',
    '| | before | now | | p99 |',
    '| --- | --- | --- | --- | --- |',
    row('no latency, different articles', 'no latency, different articles'),
    row('no latency, all on one article', 'no latency, one article'),
    row('latency, different articles', 'latency, different articles'),
    row('latency, all on one article', 'latency, one article'),
    row(
      `latency, different articles, one node of ${CONNECTIONS.few} connections`,
      'latency, one small node',
    ),
    row(
      `latency, different articles, two nodes of ${CONNECTIONS.few} connections`,
      'latency, two small nodes',
    ),
    '',
    `Load of the machine: ${loadavg()[0].toFixed(1)}.`,
  ])
}
