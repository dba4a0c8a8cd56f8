import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { documentOf, idOf } from './api-data.mjs'
import { SECRETS, slowWayTo, startPostgres } from './postgres.mjs'
import { end, quantile } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * Saves a second over PostgreSQL: 64 writers on different articles and on one, with and without a way of 2 ms to the
 * database, at one node and at two; and the same by an earlier build. Run `npx tsc -b` in both, then
 * `node bench/writers.mjs CHECKOUT_OF_THE_EARLIER_BUILD`. Nodes are asked in turn, over and over. It writes its section of
 * docs/benchmarks.md when SECTION is set.
 */

const ROUNDS = Number(process.env.ROUNDS ?? 3)
const MS = Number(process.env.MS ?? 4_000)
const DELAY_MS = Number(process.env.DELAY_MS ?? 2)
const WRITERS = 64
const ARTICLES = 256
/** Of a node: the default, what a way of some milliseconds needs, and so few that the node itself is the limit. */
const CONNECTIONS = { near: 10, far: 40, few: 3 }
const here = fileURLToPath(new URL('..', import.meta.url))
const earlier = process.argv[2] && resolve(process.argv[2])

const folder = mkdtempSync(join(tmpdir(), 'contun-writers-'))
const children = []
const slowWays = []
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
    console.log(
      key.padEnd(40),
      quantile(
        values.map(({ perSecond }) => perSecond),
        0.5,
      ).toFixed(0),
    )
  }
  if (process.env.SECTION) write()
} finally {
  await Promise.all(children.map(end))
  for (const way of slowWays) way.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

/** A node near the database, and others with the slow way to it; all of one build over one database. */
async function scenesOf(build, checkout) {
  const url = await newDatabase(`writers_${build}`)
  const slow = await slowWayTo(url, DELAY_MS)
  slowWays.push(slow)
  const { near: usual, far: many, few } = CONNECTIONS
  const near = await startNode(checkout, { url, connections: usual, isFirst: true })
  const far = await startNode(checkout, { url: slow.url, connections: many })
  const narrow = [
    await startNode(checkout, { url: slow.url, connections: few }),
    await startNode(checkout, { url: slow.url, connections: few }),
  ]
  const of = (name, nodes, articles) => ({ key: `${build}, ${name}`, nodes, articles })
  return [
    of('near, different articles', [near], ARTICLES),
    of('near, one article', [near], 1),
    of('far, different articles', [far], ARTICLES),
    of('far, one article', [far], 1),
    of('far, one narrow node', narrow.slice(0, 1), ARTICLES),
    of('far, two narrow nodes', narrow, ARTICLES),
  ].filter(({ key }) => key.includes(process.env.ONLY ?? ''))
}

async function newDatabase(name) {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return postgres.url.replace(/[^/]+$/, name)
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
  const ready = once(child, 'message')
  let printed = ''
  const port = await new Promise((found) => {
    child.stdout.on('data', (bytes) => {
      printed += bytes
      const at = /is ready at http:\/\/localhost:(\d+)/.exec(printed)
      if (at) found(Number(at[1]))
    })
  })
  const load = fork(fileURLToPath(new URL('./load.mjs', import.meta.url)))
  children.push(load)
  return { port, tokens: (await ready)[0].tokens, load }
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
    figures.has(key)
      ? quantile(
          figures.get(key).map((one) => one[figure]),
          0.5,
        )
      : Number.NaN
  const row = (name, scene) => {
    const [before, now] = [of(`before, ${scene}`), of(`now, ${scene}`)]
    return `| ${name} | ${before.toFixed(0)} | ${now.toFixed(0)} | ${(now / before).toFixed(1)}x | ${of(`now, ${scene}`, 'p99').toFixed(0)} |`
  }
  writeSection('Writers over PostgreSQL', [
    `${WRITERS} writers save articles of 10 KB as fast as they are answered; saves a second, before writers ran at the same time and`,
    `now, and the 99th percentile now in ms. Far: each message to the database is ${DELAY_MS} ms late. A near node has`,
    `${CONNECTIONS.near} connections, a far one ${CONNECTIONS.far}, a narrow one ${CONNECTIONS.few}. Everything is on one machine: nodes, PostgreSQL and load share its cores.`,
    '',
    '| | before | now | | p99 |',
    '| --- | --- | --- | --- | --- |',
    row('near, different articles', 'near, different articles'),
    row('near, all on one article', 'near, one article'),
    row('far, different articles', 'far, different articles'),
    row('far, all on one article', 'far, one article'),
    row('far, different articles, one narrow node', 'far, one narrow node'),
    row('far, different articles, two narrow nodes', 'far, two narrow nodes'),
    '',
    `Load of the machine: ${loadavg()[0].toFixed(1)}.`,
  ])
}
