import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { startPostgres } from '../scripts/embedded-postgres.mjs'
import { ARTICLES, documentOf, idOf } from './api-data.mjs'
import { SECRETS } from './postgres.mjs'
import { writeSection } from './write-section.mjs'

/**
 * The whole API with sign-in, roles, checks, history and full durability against the least that a server can do, and
 * against a typical stack, and ours over each of its engines. Run `npm run build` and `npm install` in bench first,
 * then `node bench/api.mjs`; it takes about five minutes and writes its section of docs/benchmarks.md. Servers are
 * asked in turn, over and over. `npm run bench -- api COMMIT` asks ours of this tree and of that commit instead, over both
 * engines, and writes a section of its own: OTHER is then the folder of the commit, and OTHER_NAME its name.
 */

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const MS = Number(process.env.MS ?? 2_000)
const CONNECTIONS = 16
const LOGIN = { email: 'bench@contun.example', password: 'figures-and-paper' }

const { OTHER, OTHER_NAME, ONLY } = process.env
const OURS = new URL('./api-server.mjs', import.meta.url)
const LIMIT = new URL('./api-limit-server.mjs', import.meta.url)
const TYPICAL = new URL('./api-typical-server.mjs', import.meta.url)

/** Key, name, file, and the engine of ours. */
const ALL = OTHER
  ? [
      ['ours', 'SQLite', OURS],
      ['other', 'SQLite', pathToFileURL(join(OTHER, 'bench/api-server.mjs'))],
      ['postgres', 'PostgreSQL', OURS],
      ['other-postgres', 'PostgreSQL', pathToFileURL(join(OTHER, 'bench/api-server.mjs'))],
    ]
  : [
      ['ours', 'Contūn Articles', OURS],
      ['postgres', 'the same over PostgreSQL', OURS],
      ['limit', 'the bare limit', LIMIT],
      ['whole', 'the bare limit, keyword lists in its list', LIMIT],
      ['typical', 'Express, TypeORM, passport-jwt, joi', TYPICAL],
    ]
const SERVERS = ALL.filter(([key]) => ONLY === undefined || ONLY.split(',').includes(key))
const isOverPostgres = (key) => key.endsWith('postgres')
const CALLS = [
  ['list', 'list of 10'],
  ['get', 'one article'],
  ['patch', 'save of 10 KB'],
].filter(([key]) => (process.env.CALLS ?? 'list,get,patch').split(',').includes(key))

const folder = mkdtempSync(join(tmpdir(), 'contun-bench-'))
const load = fork(fileURLToPath(new URL('./load.mjs', import.meta.url)))
const servers = []
const postgres = SERVERS.some(([key]) => isOverPostgres(key)) ? await startPostgres() : null
try {
  for (const [key, name, file] of SERVERS) servers.push(await start(key, name, file))
  const figures = await measure()
  if (OTHER) compare(figures)
  else if (SERVERS.length === ALL.length) write(figures)
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
  const child = fork(fileURLToPath(file), {
    cwd: fileURLToPath(new URL('..', file)),
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: mkdtempSync(join(folder, 'data-')),
      LOG_LEVEL: 'silent',
      RATE_LIMITS: 'off',
      NODE_ENV: 'production',
      ...(key === 'whole' && { WHOLE_ROWS: '1' }),
      ...(isOverPostgres(key) && { ...SECRETS, DATABASE_URL: await newDatabase(key) }),
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

async function newDatabase(key) {
  const name = `of_${key.replace('-', '_')}`
  const client = new pg.Client(`${postgres.url}/postgres`)
  await client.connect()
  try {
    await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  return `${postgres.url}/${name}`
}

/** The agency reads the list, a client's writer reads and saves. */
async function signIn(url, email, key) {
  if (['limit', 'whole'].includes(key)) return 'nobody'
  const answer = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: LOGIN.password }),
  })
  if (!answer.ok)
    throw new Error(`The log-in was answered ${answer.status}: ${await answer.text()}`)
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

/** Writes a section with the requests per second and the CPU time per request of both trees, and their ratios. */
function compare(figures) {
  const of = (server, call, figure) => figures.get(`${server} ${call}`).map((one) => one[figure])
  const rows = SERVERS.filter(([key]) => !key.startsWith('other')).flatMap(([key, engine]) => {
    const other = key === 'ours' ? 'other' : `other-${key}`
    return CALLS.flatMap(([call, name]) => {
      if (!figures.has(`${other} ${call}`)) return []
      const cells = ['perSecond', 'cpuMicros'].flatMap((figure) => {
        const [now, then] = [of(key, call, figure), of(other, call, figure)]
        const ratio = middle(now.map((value, round) => value / then[round]))
        return [middle(then).toFixed(0), middle(now).toFixed(0), `${ratio.toFixed(2)}x`]
      })
      return [`| ${[`${engine}: ${name}`, ...cells].join(' | ')} |`]
    })
  })
  const other = OTHER_NAME ?? OTHER
  writeSection(`Requests a second, compared with ${other}`, [
    `Requests per second and microseconds of CPU per request, at ${other} and in this tree, medians of ${ROUNDS} rounds of`,
    `${MS / 1_000} s in alternating order; the ratios are medians of those of each round. Other work on the machine: load`,
    `${loadavg()[0].toFixed(1)}; \`npm run bench -- api ${other}\`.`,
    '',
    `| | ${other} | this | ratio | CPU, ${other} | CPU, this | ratio |`,
    '|---|---|---|---|---|---|---|',
    ...rows,
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
