import { createTestApp, TEST_START, type TestUser } from '../../api/testing/test-app.ts'
import type { ArticleText } from '../../domain/text/document.ts'
import type { Session } from '../../domain/wire/users.ts'
import { createSend } from '../auth/authenticated-send.ts'
import { createStream } from '../auth/authenticated-stream.ts'
import {
  type HttpAnswer,
  type HttpRequest,
  type Locks,
  NoAnswer,
  type Ports,
  type Transport,
} from '../ports.ts'
import '../pull/fetch-plan.ts'
import '../pull/fetch-record.ts'
import '../pull/copies.ts'
import { addressOf } from '../protocol/address.ts'
import { createWorld, type World } from './test-world.ts'

/** Lists of the browser's requests: 'GET /articles/…', 'STREAM'. */
export type Line = {
  asked: string[]
  /** Their statuses, in order. */
  statuses: number[]
  /** No request arrives, streams are cut. */
  down: boolean
  /** Requests arrive and are carried out, but their responses are lost. */
  loseAnswers: boolean
  /** As if the connection broke on every fetch of articles with their texts. */
  loseTexts: boolean
  /** Requests for articles with their texts are refused with this status, though the list is returned. */
  denyTexts: 401 | 403 | null
  /** Earlier texts cannot be read. */
  denyRevisions: boolean
  /** A proxy's rewrite of a request. */
  rewrite: (request: OnTheWay) => OnTheWay
  /** Headers that a proxy strips from responses. */
  taken: string[]
  /** Streams are silent from now on, without an end. */
  deaf: boolean
  /** Every stream is cut after its first event. */
  cutsAtOnce: boolean
  /** Every stream that is open now is cut. */
  cut(): void
  /** Streams that the server holds open. */
  streams(): number
}

/** `address`: below /v1. */
export type OnTheWay = { address: string; headers: Record<string, string> }

export type AgencyWorld = Awaited<ReturnType<typeof createAgencyWorld>>

/**
 * The real API in memory and one browser of a writer, on one clock that moves manually. What the core loads on demand is
 * loaded before: `settle` does not wait for files.
 */
export async function createAgencyWorld({ accessTokenMinutes = 30 } = {}) {
  const cuts = new Set<() => void>()
  const line: Line = {
    asked: [],
    statuses: [],
    down: false,
    loseAnswers: false,
    loseTexts: false,
    denyTexts: null,
    denyRevisions: false,
    rewrite: (request) => request,
    taken: [],
    deaf: false,
    cutsAtOnce: false,
    cut: () => {
      for (const cut of [...cuts]) cut()
    },
    streams: () => cuts.size,
  }
  const answers = new Set<Promise<unknown>>()
  function track<T>(answer: Promise<T>): Promise<T> {
    const settled = answer.catch(() => {})
    answers.add(settled)
    void settled.then(() => answers.delete(settled))
    return answer
  }
  let stored: Session | null = null
  let api: Awaited<ReturnType<typeof createApi>> | null = null

  async function createApi(clock: Ports['clock']) {
    const now = () => TEST_START + clock.now()
    return createTestApp({
      config: { accessTokenMinutes },
      deps: { clock: { now, monotonic: clock.now } },
      after: clock.after,
    })
  }
  const present = () => {
    if (api === null) throw new Error('The agency is not founded yet')
    return api
  }

  const world: World = await createWorld((clock) => {
    const authority = {
      clock,
      session: {
        read: () => stored,
        write: (session: Session | null) => {
          stored = session
        },
      },
      locks: { hold: (_: string, task: () => Promise<unknown>) => task() } as Locks,
      onSignedOut: () => {},
      transport: async ({ method, path, body, headers = {}, bearer }: Parameters<Transport>[0]) =>
        track(ask({ method, path, body, headers, bearer })),
    }
    const ports = {
      send: createSend(authority),
      stream: createStream(authority, async ({ path, bearer, heard, abandoned }) => {
        line.asked.push('STREAM')
        if (line.down) throw new NoAnswer()
        const headers = { authorization: `Bearer ${bearer}` }
        const answer = await track(
          Promise.resolve(present().app.request(`/v1${path}`, { headers })),
        )
        const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
        if (answer.status !== 200 || !reader) return { status: answer.status }
        return new Promise((resolve, reject) => {
          const cut = () => {
            cuts.delete(cut)
            void reader.cancel().catch(() => {})
            reject(new NoAnswer())
          }
          cuts.add(cut)
          void abandoned.then(cut)
          void (async () => {
            for (let part = await reader.read(); !part.done; part = await reader.read()) {
              if (!line.deaf && cuts.has(cut)) heard(part.value)
              if (line.cutsAtOnce) cut()
            }
            if (cuts.delete(cut)) resolve({ status: 200 })
          })()
        })
      }),
    }
    const underWay = () => (answers.size === 0 ? null : Promise.all(answers))
    return { ports, underWay }
  })
  api = await createApi(world.clock)

  type Asked = {
    method: HttpRequest['method']
    path: string
    body?: string | undefined
    headers: Record<string, string>
    bearer?: string | undefined
  }
  async function ask({ method, path, body, headers, bearer }: Asked): Promise<HttpAnswer> {
    line.asked.push(`${method} ${path}`)
    if (line.down) throw new NoAnswer()
    const asSent = {
      address: addressOf({ method, path, headers }),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...headers,
      },
    }
    const { address, headers: arrived } = line.rewrite(asSent)
    const servedAt = TEST_START + world.clock.now()
    const answer = await present().app.request(`/v1${address}`, {
      method,
      headers: arrived,
      ...(body === undefined ? {} : { body }),
    })
    const text = await answer.text()
    const isText = method === 'GET' && /^\/articles\/([^/]+$|client\/copies)/.test(path)
    if (line.denyRevisions && /revisions/.test(path)) return denied(403)
    if (line.denyTexts && isText) return denied(line.denyTexts)
    line.statuses.push(answer.status)
    if (line.loseAnswers || (line.loseTexts && isText)) throw new NoAnswer()
    return {
      status: answer.status,
      json: text === '' ? undefined : JSON.parse(text),
      header: (name) =>
        line.taken.includes(name) ? null : (answer.headers.get(name) ?? headerOf(name, servedAt)),
    }
  }

  const admin = await api.user({ name: 'Oona Vale', role: 'admin' })
  const writer = await api.user({ name: 'Imogen Hale' })
  const client = await api.client({ users: [writer] })
  const { id: article } = await api.article({ name: 'Oats', client, articleText: {} })
  const { id, name, email, role } = writer
  const user = { id, name, fullName: name, email, role, isEmailVerified: false }
  stored = { user, tokens: await api.signIn(writer) }

  return {
    ...world,
    api,
    line,
    admin,
    writer,
    client,
    article,
    /** The requests since the last call. */
    asked: () => line.asked.splice(0),
    settings: (change: object, articleId = article) =>
      present().as(admin).patch(`/v1/articles/admin/${articleId}`, change),
    write: (person: TestUser, articleText: ArticleText, articleId = article) =>
      present().as(person).patch(`/v1/articles/${articleId}`, { articleText }),
  }
}

/** What the HTTP server adds. */
const headerOf = (name: string, servedAt: number): string | null =>
  name === 'Date' ? new Date(servedAt).toUTCString() : null

const denied = (code: 401 | 403): HttpAnswer => ({
  status: code,
  json: { code, message: 'Not for you', requestId: 'denied' },
  header: () => null,
})
