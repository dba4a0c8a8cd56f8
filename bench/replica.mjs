import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPostgres, startReplica } from '../scripts/embedded-postgres.mjs'
import { documentOf, idOf } from './api-data.mjs'
import { SECRETS } from './postgres.mjs'
import { end, median, ready } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * Processor time of the primary PostgreSQL for each read, with and without a replica, and how many reads run on the
 * replica while writers save. Run `npx tsc -b`, then `node bench/replica.mjs`. Linux only. It writes its section of
 * docs/benchmarks.md when SECTION is set.
 */

const ROUNDS = Number(process.env.ROUNDS ?? 3)
const MS = Number(process.env.MS ?? 3_000)
const ARTICLES = Number(process.env.ARTICLES ?? 20_000)
const READERS = 8
const METRICS_TOKEN = 'figures-for-the-bench'
/** In /proc. */
const TICKS_A_SECOND = 100

const folder = mkdtempSync(join(tmpdir(), 'contun-replica-'))
const children = []
const primary = await startPostgres()
let replica
const figures = new Map()
let counter = 2_000_000_000
try {
  replica = await startReplica(primary)
  const alone = await startNode({ SEEDED: '1' })
  const both = await startNode({ DATABASE_READ_URL: `${replica.url}/postgres` })
  const load = start('./load.mjs', {})
  const writers = start('./load.mjs', {})
  const reads = [
    ['one article', `/v1/articles/${idOf(3, 7)}`],
    ['a list of ten, by name', '/v1/articles?sortBy=name:asc'],
    ['a search of two letters', '/v1/articles?name=nr'],
    ['progress, by risk', '/v1/progress'],
    ['the home of an admin', '/v1/home'],
  ]
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, path] of reads) {
      await measure(`${name}, alone`, round, { node: alone, load, path, writers })
      await measure(`${name}, both`, round, { node: both, load, path, writers })
    }
  }
  if (process.env.SECTION) write(reads)
} finally {
  await Promise.all(children.map(end))
  await replica?.remove()
  await primary.remove()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

function start(file, env) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  children.push(child)
  return child
}

async function startNode(env) {
  const child = start('./replica-server.mjs', {
    ...SECRETS,
    ARTICLES,
    PORT: '0',
    DATA_DIR: mkdtempSync(join(folder, 'data-')),
    DATABASE_URL: `${primary.url}/postgres`,
    METRICS_TOKEN,
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
    NODE_ENV: 'production',
    ADMIN_PASSWORD: 'figures-and-paper',
    ...env,
  })
  const sent = once(child, 'message')
  const { port } = new URL(await ready(child))
  return { port, ...(await sent)[0] }
}

/** Processor time of the primary for each read without writers, and the share of reads on the replica with writers. */
async function measure(key, round, { node, load, path, writers }) {
  const head = `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${node.token}`
  const requests = [{ head }]
  const reads = { port: node.port, connections: READERS, ms: MS, requests }
  const ticks = ticksOfPrimary()
  const { perSecond } = await askFor(load, reads)
  const msEach = ((ticksOfPrimary() - ticks) * 1_000) / TICKS_A_SECOND / (perSecond * (MS / 1_000))
  counter += 10_000_000
  const before = await readCounts(node)
  const saving = askFor(writers, { ...reads, connections: 2, requests: savesOf(node), counter })
  const written = await askFor(load, reads)
  const saves = await saving
  const after = await readCounts(node)
  const [replica, missed] = after.map((count, at) => count - before[at])
  const share = replica / (replica + missed || 1)
  const failed = written.failed + saves.failed
  const one = { msEach, perSecond, share, written: written.perSecond, p99: written.p99 }
  console.log(round, key.padEnd(40), JSON.stringify({ ...one, saves: saves.perSecond, failed }))
  // The first round warms up.
  if (round > 0) figures.set(key, [...(figures.get(key) ?? []), one])
}

async function askFor(load, message) {
  load.send(message)
  return (await once(load, 'message'))[0]
}

/** Each in an article of its own, under a key of its own. */
function savesOf({ token }) {
  return Array.from({ length: 16 }, (_, at) => ({
    head: [
      `PATCH /v1/articles/${idOf(3, 100 + at)} HTTP/1.1`,
      'host: localhost',
      `authorization: Bearer ${token}`,
      'content-type: application/json',
      'idempotency-key: counter-0000000000',
    ].join('\r\n'),
    body: JSON.stringify({ articleText: documentOf(at) }),
  }))
}

/** Reads on the replica, and reads that used the primary instead. */
async function readCounts({ port }) {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers })
  const text = await response.text()
  return ['replica_reads', 'replica_missed'].map((name) =>
    Number(new RegExp(`^contun_${name} (\\d+)`, 'm').exec(text)?.[1] ?? 0),
  )
}

/** Processor time of all processes of the primary, ended ones too, in ticks. */
function ticksOfPrimary() {
  const { pid } = primary.server.process
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  const [own, ...others] = [pid, ...children].map(statOf)
  return own.own + own.ended + others.reduce((sum, { own }) => sum + own, 0)
}

function statOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number)
  // utime, stime, cutime, cstime
  return { own: fields[11] + fields[12], ended: fields[13] + fields[14] }
}

function write(reads) {
  const of = (key, figure) => median(figures.get(key).map((one) => one[figure]))
  writeSection('Reads from a replica', [
    `Processor time of the primary PostgreSQL for each read of ${READERS} readers, in ms, from a node without a replica and from one with a`,
    'replica; and while two writers save without pauses: the share of reads on the replica, reads a second, and the 99th percentile in ms.',
    `${ARTICLES} articles; both PostgreSQL, both nodes and the load share the cores of one machine.`,
    '',
    '| | without replica | with | | share | reads a second, without | with | p99, without | with |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...reads.map(([name]) => {
      const [alone, both] = [`${name}, alone`, `${name}, both`]
      const [without, having] = [of(alone, 'msEach'), of(both, 'msEach')]
      return `| ${[
        name,
        without.toFixed(2),
        having.toFixed(2),
        `${(having / without).toFixed(2)}x`,
        `${(of(both, 'share') * 100).toFixed(0)} %`,
        ...[alone, both].map((key) => of(key, 'written').toFixed(0)),
        ...[alone, both].map((key) => of(key, 'p99').toFixed(0)),
      ].join(' | ')} |`
    }),
    '',
    `Load of the machine: ${loadavg()[0].toFixed(1)}.`,
  ])
}
