import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../scripts/embedded-postgres.mjs'
import { ARTICLES, documentOf, idOf } from './api-data.mjs'
import { SECRETS } from './postgres.mjs'
import { writeSection } from './write-section.mjs'

/**
 * The whole API with sign-in, roles, checks, history and full durability against the least that a server can do, and
 * against a typical stack, and ours over each of its engines. Run `npm run build` and `npm install` in bench first,
 * then `node bench/api.mjs`; it takes about five minutes and writes its section of docs/benchmarks.md. Servers are
 * asked in turn, over and over.
 */

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const MS = Number(process.env.MS ?? 2_000)
const CONNECTIONS = 16
const LOGIN = { email: 'bench@contun.example', password: 'figures-and-paper' }

const SERVERS = [
  ['ours', 'Contūn Articles', './api-server.mjs'],
  ['postgres', 'the same over PostgreSQL', './api-server.mjs'],
  ['limit', 'the bare limit', './api-limit-server.mjs'],
  ['whole', 'the bare limit, keyword lists in its list', './api-limit-server.mjs'],
  ['typical', 'Express, TypeORM, passport-jwt, joi', './api-typical-server.mjs'],
].filter(([key]) =>
  (process.env.ONLY ?? 'ours,postgres,limit,whole,typical').split(',').includes(key),
)
const CALLS = [
  ['list', 'list of 10'],
  ['get', 'one article'],
  ['patch', 'save of 10 KB'],
].filter(([key]) => (process.env.CALLS ?? 'list,get,patch').split(',').includes(key))

const folder = mkdtempSync(join(tmpdir(), 'contun-bench-'))
const load = fork(fileURLToPath(new URL('./load.mjs', import.meta.url)))
const servers = []
const postgres = SERVERS.some(([key]) => key === 'postgres') ? await startPostgres() : null
try {
  for (const [key, name, file] of SERVERS) servers.push(await start(key, name, file))
  const figures = await measure()
  if (SERVERS.length === 5) write(figures)
} finally {
  load.kill()
  for (const { process: child } of servers) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  await postgres?.remove()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

/** Responses per second and latencies of each server and call, one round each. */
async function measure() {
  const figures = new Map()
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [call] of CALLS) {
      for (const server of servers) {
        const figure = await run(server, call)
        if (figure.failed > 0) throw new Error(`${figure.failed} of ${call} failed: ${server.name}`)
        const key = `${server.key} ${call}`
        console.log(round, key, ...Object.values(figure).map((value) => value.toFixed(1)))
        // The first round warms up.
        if (round > 0) figures.set(key, [...(figures.get(key) ?? []), figure])
      }
    }
  }
  return figures
}

async function run({ process: child, port, token }, call) {
  const before = await cpu(child)
  load.send({ port, connections: CONNECTIONS, ms: MS, requests: requestsOf(call, token[call]) })
  const [figure] = await once(load, 'message')
  const after = await cpu(child)
  const spent = after.user + after.system - before.user - before.system
  return { ...figure, cpuMicros: spent / (figure.perSecond * (MS / 1_000)) }
}

async function cpu(child) {
  child.send('cpu')
  return (await once(child, 'message'))[0]
}

function requestsOf(call, token) {
  const common = `host: localhost\r\nauthorization: Bearer ${token}`
  return Array.from({ length: 200 }, (_, index) => {
    const seed = (index * 37) % ARTICLES
    const path = call === 'list' ? `?page=${1 + (index % 5)}&limit=10` : `/${idOf(3, seed)}`
    if (call !== 'patch') return { head: `GET /v1/articles${path} HTTP/1.1\r\n${common}` }
    const body = JSON.stringify({ articleText: documentOf(seed) })
    return {
      head: `PATCH /v1/articles${path} HTTP/1.1\r\n${common}\r\ncontent-type: application/json`,
      body,
    }
  })
}

async function start(key, name, file) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: mkdtempSync(join(folder, 'data-')),
      LOG_LEVEL: 'silent',
      RATE_LIMITS: 'off',
      NODE_ENV: 'production',
      ...(key === 'whole' && { WHOLE_ROWS: '1' }),
      ...(key === 'postgres' && { ...SECRETS, DATABASE_URL: `${postgres.url}/postgres` }),
      ADMIN_EMAIL: LOGIN.email,
      ADMIN_PASSWORD: LOGIN.password,
    },
    execArgv: key === process.env.PROFILE ? ['--cpu-prof', '--cpu-prof-dir=/tmp/contun-prof'] : [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const url = await ready(child)
  const admin = await signIn(url, LOGIN.email, key)
  const writer = await signIn(url, 'imogen@contun.example', key)
  const token = { list: admin, get: writer, patch: writer }
  return { key, name, process: child, port: Number(new URL(url).port), token }
}

/** The agency reads the list, a client's writer reads and saves. */
async function signIn(url, email, key) {
  if (['limit', 'whole'].includes(key)) return 'nobody'
  const answer = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: LOGIN.password }),
  })
  return (await answer.json()).tokens.access.token
}

function write(figures) {
  const of = (server, call, figure) => figures.get(`${server} ${call}`).map((one) => one[figure])
  const cell = (server, call) =>
    `${middle(of(server, call, 'perSecond')).toFixed(0)} (${middle(of(server, call, 'p99')).toFixed(1)})`
  const ratio = (call, server, other, figure) => {
    const [values, others] = [server, other].map((one) => of(one, call, figure))
    return middle(values.map((value, round) => value / others[round]))
  }
  const row = (name, times) =>
    `| ${name} | ${CALLS.map(([call]) => `${times(call)}x`).join(' | ')} |`
  writeSection('Requests a second', [
    `Articles of 10 KB, ${ARTICLES} of them, ${CONNECTIONS} connections; answers a second and, in brackets, the 99th percentile in ms. Ours with`,
    'sign-in, roles, checks of the whole document, revisions and every save on the disk before it is answered (throttles',
    'and log are off, as with the others). The bare limit is Hono over better-sqlite3 without any of that, its saves grouped as',
    'ours are and on the disk too; the rows of its list have no keyword lists, unless stated. PostgreSQL 18 runs on the',
    'same machine, as it comes, with one node before it.',
    `Medians of ${ROUNDS} rounds of ${MS / 1_000} s in turn; other work on the machine: load ${loadavg()[0].toFixed(1)}; \`node bench/api.mjs\`.`,
    '',
    `| | ${CALLS.map(([, name]) => name).join(' | ')} |`,
    `|---|${CALLS.map(() => '---|').join('')}`,
    ...SERVERS.map(
      ([key, name]) => `| ${name} | ${CALLS.map(([call]) => cell(key, call)).join(' | ')} |`,
    ),
    row('over PostgreSQL against over SQLite', (call) =>
      ratio(call, 'postgres', 'ours', 'perSecond').toFixed(2),
    ),
    row('ours against the limit', (call) => ratio(call, 'ours', 'limit', 'perSecond').toFixed(2)),
    row('ours against the limit, keyword lists in both', (call) =>
      ratio(call, 'ours', 'whole', 'perSecond').toFixed(2),
    ),
    row('ours against the typical stack', (call) =>
      ratio(call, 'ours', 'typical', 'perSecond').toFixed(1),
    ),
    row('its 99th percentile against ours', (call) =>
      ratio(call, 'typical', 'ours', 'p99').toFixed(1),
    ),
  ])
}

function middle(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}

function ready(child) {
  return new Promise((settle, fail) => {
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text
      const found = /ready at (http:\/\/\S+)/.exec(printed)
      if (found) settle(found[1])
    })
    child.once('exit', () => fail(new Error(printed)))
  })
}
