import { setTimeout as rest } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Session } from '../../domain/wire/users.ts'
import { startPostgres } from '../../scripts/embedded-postgres.mjs'
import { depth } from '../../scripts/test-depth.ts'
import { ADMIN, callsOf, type Node, type Nodes, nodesOverPostgres } from './black-box/nodes.ts'
import { startProxy } from './black-box/proxy.ts'
import { text } from './black-box/started-server.ts'

/** At full depth there are three nodes, 200 requests a second, and PostgreSQL is away for half a minute. */
const IS_LONG = depth === 'long'
const NODES = IS_LONG ? 3 : 2
const RATE = IS_LONG ? 200 : 20
/** Sends no further request while this many are pending: a slow machine gets fewer requests, and none fails. */
const UNDER_WAY_MAX = 64
const OUTAGE_MS = IS_LONG ? 30_000 : 3_000
const ARTICLES = 20
const TIME_LIMIT_MS = 300_000
/** Less than a client waits for a response before it retries. */
const NO_ANSWER_MS = 20_000

type Call = { method: 'GET' | 'PATCH'; status: number; key: string; retryAfter: string | null }

/**
 * Signs in once, and sends the given number of requests per second: a save after three reads, each under its own key.
 */
async function office(port: number) {
  const { url, post } = callsOf(port)
  const signIn = () => post('/auth/login', ADMIN)
  // A busy machine refuses sign-ins.
  let answer = await signIn()
  while (answer.status === 503) answer = await signIn()
  const { tokens } = (await answer.json()) as Session
  const authorization = `Bearer ${tokens.access.token}`
  const articles: string[] = []
  while (articles.length < ARTICLES) {
    const given = { name: 'Rolling', clientId: null, wordMinimum: 0, articleText: {} }
    const made = await post('/articles', given, authorization)
    articles.push(((await made.json()) as { id: string }).id)
  }
  let count = 0

  async function once(at = url): Promise<Call> {
    count += 1
    const key = `key-${String(count).padStart(8, '0')}`
    const path = `${at}/articles/${articles[count % ARTICLES]}`
    const method = count % 4 === 0 ? 'PATCH' : 'GET'
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': key }
    const body = { body: JSON.stringify({ articleText: text(`Words under ${key}.`) }) }
    const init = { method, headers, ...(method === 'PATCH' && body) }
    const signal = AbortSignal.timeout(NO_ANSWER_MS)
    const answer = await fetch(path, { ...init, signal }).catch(() => null)
    await answer?.arrayBuffer().catch(() => {})
    const retryAfter = answer?.headers.get('retry-after') ?? null
    return { method, status: answer?.status ?? 0, key, retryAfter }
  }

  /** Sends requests until it is stopped; then returns the results of all of them. */
  function load(at: () => string = () => url) {
    const asked: Promise<Call>[] = []
    const startedAt = performance.now()
    let underWay = 0
    const asking = setInterval(() => {
      if (underWay >= UNDER_WAY_MAX) return
      underWay += 1
      asked.push(
        once(at()).finally(() => {
          underWay -= 1
        }),
      )
    }, 1_000 / RATE)
    return {
      asked: () => asked.length,
      stop: () => {
        clearInterval(asking)
        const perSecond = (asked.length * 1_000) / (performance.now() - startedAt)
        tell(`${perSecond.toFixed(0)} requests a second`)
        return Promise.all(asked)
      },
    }
  }
  return { authorization, articles, load, once }
}

const count = (calls: readonly Call[]) =>
  Object.fromEntries(
    [...new Set(calls.map(({ status }) => status))].map((status) => [
      status,
      calls.filter((call) => call.status === status).length,
    ]),
  )

/** Saves that were confirmed and are missing. */
async function lost(url: string, calls: readonly Call[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ idem_key: string }>(
    'select idem_key from article_revisions where idem_key is not null',
  )
  await client.end()
  const kept = new Set(rows.map((row) => row.idem_key))
  const answered = calls.filter(({ method, status }) => method === 'PATCH' && status === 200)
  expect(answered.length).toBeGreaterThan(0)
  return answered.map(({ key }) => key).filter((key) => !kept.has(key))
}

const tell = (line: string) => process.stdout.write(`${line}\n`)

describe(`${NODES} nodes behind a proxy`, () => {
  let nodes: Nodes
  let started: Node[]
  beforeEach(async () => {
    nodes = await nodesOverPostgres()
    started = await Promise.all(
      Array.from({ length: NODES }, () => nodes.start({ RATE_LIMITS: 'off', LOG_LEVEL: 'silent' })),
    )
  })
  afterEach(() => nodes.end())

  it(
    `are restarted one after the other under ${RATE} requests a second, and no request fails`,
    async () => {
      const proxy = await startProxy(started.map(({ port }) => port))
      onTestFinished(proxy.close)
      const { load } = await office(proxy.port)
      const under = load()
      for (const node of started) {
        expect(await node.stop()).toBe(0)
        const next = await nodes.start({ RATE_LIMITS: 'off', LOG_LEVEL: 'silent' })
        proxy.replace(node.port, next.port)
      }
      const calls = await under.stop()
      tell(`rolling restart of ${NODES} nodes: ${JSON.stringify(count(calls))}`)
      expect(Object.keys(count(calls))).toEqual(['200'])
      expect(await lost(nodes.databaseUrl, calls)).toEqual([])
    },
    TIME_LIMIT_MS,
  )

  it(
    'a change at one reaches a stream at another within a second',
    async () => {
      const [first, second] = started as [Node, Node]
      const { authorization, articles } = await office(first.port)
      const stream = await fetch(`${second.url}/events`, { headers: { authorization } })
      const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
      let heard = ''
      const hears = async (part: string) => {
        while (!heard.includes(part)) heard += (await reader?.read())?.value ?? ''
      }
      await hears('hello')
      const waits: number[] = []
      for (const id of articles) {
        const headers = { authorization, 'content-type': 'application/json' }
        const body = JSON.stringify({ name: 'Another' })
        const change = { method: 'PATCH', headers, body }
        expect((await fetch(`${first.url}/articles/admin/${id}`, change)).status).toBe(200)
        const answeredAt = performance.now()
        await hears(`"articleId":"${id}","version":2`)
        waits.push(performance.now() - answeredAt)
      }
      await reader?.cancel()
      waits.sort((a, b) => a - b)
      const [median, longest] = [waits[ARTICLES / 2] ?? Infinity, waits.at(-1) ?? Infinity]
      tell(
        `a change reached the other node in ${median.toFixed(1)} ms, at most ${longest.toFixed(1)}`,
      )
      expect(median).toBeLessThan(1_000)
    },
    TIME_LIMIT_MS,
  )
})

describe('PostgreSQL is unreachable', () => {
  it(
    `for ${OUTAGE_MS / 1_000} s: calls get Retry-After, nodes resume automatically, nothing acknowledged is lost`,
    async () => {
      const server = await startPostgres()
      onTestFinished(server.remove)
      const nodes = await nodesOverPostgres(`${server.url}/postgres`)
      onTestFinished(nodes.end)
      const env = { RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }
      const both = [await nodes.start(env), await nodes.start(env)] as const
      const { load, once } = await office(both[0].port)
      let asked = 0
      const under = load(() => {
        asked += 1
        return both[asked % 2 === 0 ? 0 : 1].url
      })
      await expect.poll(under.asked, { timeout: 60_000 }).toBeGreaterThan(RATE)
      await server.stop()
      const away = await Promise.all(both.map(({ url }) => once(url)))
      for (const call of away) expect([call.status, call.retryAfter]).toEqual([503, '2'])
      await rest(OUTAGE_MS)
      await server.start()
      const backAt = performance.now()
      for (const { url } of both) {
        const saves = async () => (await once(url)).status
        await expect.poll(saves, { timeout: 60_000, interval: 100 }).toBe(200)
      }
      const after = performance.now() - backAt
      const calls = await under.stop()
      tell(
        `away for ${OUTAGE_MS} ms: ${JSON.stringify(count(calls))}, back after ${after.toFixed(0)} ms`,
      )
      const statuses = Object.keys(count(calls))
      expect(statuses.filter((status) => status !== '200' && status !== '503')).toEqual([])
      for (const { status, retryAfter } of calls) {
        if (status === 503) expect(retryAfter).toBe('2')
      }
      expect(await lost(nodes.databaseUrl, calls)).toEqual([])
    },
    TIME_LIMIT_MS,
  )
})
