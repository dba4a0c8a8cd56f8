import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../scripts/embedded-postgres.mjs'
import { idOf } from './api-data.mjs'
import { SECRETS } from './postgres.mjs'
import { end, median, newFolder, ready, removeFolder } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * What it costs the server to say who is here, as a share of one core: the processor time of its process with open pages
 * that report, less that with the same event streams and no reports. Run `npx tsc -b`, then
 * `node bench/presence.mjs`. It writes its section of docs/benchmarks.md when SECTION is set.
 */

const PAGES = 1_000
const SECONDS = Number(process.env.SECONDS ?? 60)
const ROUNDS = Number(process.env.ROUNDS ?? 3)
/** A page does not answer two signs of life within this time (sync/presence/reporter.ts). */
const ANSWER_MS = 10_000
const TYPING_MS = 5_000
/** Pages that open their stream at the same time: a server takes so many connections at once. */
const AT_ONCE = 50
/** How often a page reports that is alone. */
const ALONE_MS = 10 * 60_000

/** Which article each page has open; null: it only listens. `writes`: every how many pages one types. */
const SCENES = [
  { name: 'streams alone', article: () => null },
  { name: '1,000 articles, one page each', article: (at) => at },
  {
    name: '900 articles with one page and 50 with two, of which one types',
    article: (at) => (at < 900 ? at : 900 + Math.floor((at - 900) / 2)),
    writes: (at) => at >= 900 && at % 2 === 0,
  },
  {
    name: '500 articles with two pages each, no one types',
    article: (at) => Math.floor(at / 2),
  },
  {
    name: '200 pages in one article, five of them type',
    article: (at) => (at < 200 ? 0 : null),
    writes: (at) => at < 5,
  },
]

/** The connections of a proxy in front of the server, which all pages share for their requests. */
const agent = new Agent({ keepAlive: true, maxSockets: 32 })

const shares = new Map()
const postgres = process.env.ENGINE === 'postgres' ? await startPostgres() : null
try {
  for (let round = 1; round <= ROUNDS; round += 1)
    for (const scene of SCENES) {
      const share = await measure(scene)
      shares.set(scene.name, [...(shares.get(scene.name) ?? []), share])
      console.log(round, scene.name, `${(share * 100).toFixed(2)} %`)
    }
  const [alone, ...scenes] = SCENES.map(({ name }) => ({ name, share: median(shares.get(name)) }))
  for (const { name, share } of scenes) console.log(name, percent(share - alone.share))
  if (process.env.SECTION) write(alone, scenes)
} finally {
  await postgres?.remove()
}

/** The share of a core that the server uses in one scene. */
async function measure(scene) {
  const folder = newFolder()
  const { server, port, tokens } = await startServer(folder)
  const pages = []
  for (const [at, token] of tokens.entries()) {
    pages.push(openPage({ port, token, at, scene }))
    if (at % AT_ONCE === 0) await Promise.all(pages.map(({ isOpen }) => isOpen))
  }
  await Promise.all(pages.map(({ isOpen }) => isOpen))
  // The first reports, and what follows from them.
  await pause(5_000)
  const [before, startedAt] = [await usedBy(server), performance.now()]
  await pause(SECONDS * 1_000)
  const share = ((await usedBy(server)) - before) / 1_000 / (performance.now() - startedAt)
  for (const { close } of pages) close()
  await end(server)
  removeFolder(folder)
  return share
}

async function startServer(folder) {
  const server = fork(fileURLToPath(new URL('./presence-server.mjs', import.meta.url)), {
    env: {
      ...process.env,
      ...SECRETS,
      ...(postgres && { DATABASE_URL: await newDatabase() }),
      USERS: PAGES,
      ARTICLES: PAGES,
      PORT: '0',
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      // With them a busy machine refuses reports, and then streams.
      RATE_LIMITS: 'off',
      NODE_ENV: 'production',
    },
    execArgv: ['--disable-proto=delete'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const sent = once(server, 'message')
  const { port } = new URL(await ready(server))
  return { server, port, tokens: (await sent)[0].tokens }
}

async function newDatabase() {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: `${postgres.url}/postgres` })
  await client.connect()
  const name = `presence_${Date.now()}`
  await client.query(`create database ${name}`)
  await client.end()
  return `${postgres.url}/${name}`
}

/** As a page does it: it reports what it has open, and answers signs of life while others are there. */
function openPage({ port, token, at, scene }) {
  const headers = { authorization: `Bearer ${token}` }
  const article = scene.article(at)
  const isWriter = scene.writes?.(at) ?? false
  let isTogether = false
  let reportedAt = Number.NEGATIVE_INFINITY
  let typed = 0
  let isOver = false

  function report() {
    reportedAt = performance.now()
    const hash = String(typed).padStart(16, '0')
    const open = {
      id: idOf(3, article),
      writing: isTogether && isWriter,
      blocks: isWriter && isTogether ? [hash] : [],
    }
    const body = JSON.stringify({ articles: [open] })
    const put = request({
      port,
      agent,
      method: 'PUT',
      path: '/v1/presence',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
    })
    put.on('response', (answer) => {
      if (answer.statusCode !== 204) throw new Error(`A report was answered ${answer.statusCode}`)
      answer.resume()
    })
    // The server ends connections that are idle for some seconds.
    put.on('error', () => isOver || report())
    put.end(body)
  }

  function heard(text) {
    const wasTogether = isTogether
    if (text.includes('event: presence')) isTogether = !text.includes('"count":0}')
    if (text.includes('event: hello') || (isTogether && !wasTogether)) return report()
    if (isTogether && performance.now() - reportedAt > ANSWER_MS) report()
  }

  const typing = isWriter
    ? setInterval(() => {
        typed += 1
        report()
      }, TYPING_MS)
    : null
  // Not all at the same time: the bench is shorter than the ten minutes.
  const refreshing = article === null ? null : setTimeout(report, ((at + 0.5) / PAGES) * ALONE_MS)
  const stream = request({ port, path: '/v1/events', headers, agent: false })
  const isOpen = new Promise((opened, failed) => {
    stream.on('error', (error) => isOver || failed(error))
    stream.on('response', (answer) => {
      if (answer.statusCode !== 200) throw new Error(`A stream was answered ${answer.statusCode}`)
      answer.setEncoding('utf8').on('data', (text) => {
        if (article !== null) heard(text)
        opened()
      })
      answer.on('error', () => {})
    })
  })
  stream.end()
  return {
    isOpen,
    close() {
      isOver = true
      clearInterval(typing)
      clearTimeout(refreshing)
      stream.destroy()
    },
  }
}

async function usedBy(server) {
  const answer = once(server, 'message')
  server.send('used')
  return (await answer)[0].used
}

function percent(share) {
  return `${(share * 100).toFixed(2)} %`
}

function pause(ms) {
  return new Promise((passed) => setTimeout(passed, ms))
}

function write(alone, scenes) {
  writeSection(postgres ? 'Who is here, over PostgreSQL' : 'Who is here', [
    `What it costs the server to say who has an article open, with ${PAGES.toLocaleString('en')} pages that listen: processor time as a`,
    `share of one core, less the ${percent(alone.share)} that their event streams take alone (medians of ${ROUNDS} rounds of ${SECONDS} s in turn, without`,
    `throttles; other work on the machine: load ${loadavg()[0].toFixed(1)}; \`node bench/presence.mjs\`).`,
    '',
    '| | of a core |',
    '| --- | --- |',
    ...scenes.map(({ name, share }) => `| ${name} | ${percent(share - alone.share)} |`),
  ])
}
