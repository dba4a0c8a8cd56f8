import type { OpenArticle, Others } from '../domain/wire/presence.ts'
import type { Session } from '../domain/wire/users.ts'

/**
 * Everything that is not pure enters here. `web/main.tsx` passes the browser's implementation; the simulator passes
 * virtual ones, which makes a whole history of several devices repeatable from one seed.
 */
export type Ports = {
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  /** Returns a unique id, also used as idempotency key. */
  newId: () => string
  locks: Locks
  bus: Bus
  send: Send
  /** Sends one request that outlives the page. Its response is never read, and it may not be sent at all. */
  sendLast: (request: HttpRequest) => void
  /**
   * True while the browser reports that it is offline and nothing contradicts it; missing where the browser cannot
   * report it.
   */
  isCutOff?: () => boolean
  /** Missing where tabs cannot agree on one of them, or the network carries no streams. */
  stream?: Stream
}

/** The part of the ports that transactions over the local database use. */
export type Effects = { now: () => number; newId: () => string; random: () => number }

export const effectsOf = ({ clock, newId, random }: Ports): Effects => ({
  now: () => clock.now(),
  newId,
  random,
})

export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs `task` once after `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void
}

/** Mutual exclusion over all tabs of one browser profile (Web Locks). */
export type Locks = {
  /**
   * Runs `task` while holding `name`. `steal` takes the lock from a holder that no longer responds.
   * Rejects with LockNotGranted when the lock was not granted within `waitMs`.
   */
  hold<T>(
    name: string,
    task: () => Promise<T>,
    options?: { waitMs?: number; steal?: boolean },
  ): Promise<T>
}

/** Messages to the other tabs of this profile; a tab does not receive its own. */
export type Bus = {
  post(message: BusMessage): void
  /** Returns an unsubscribe function. */
  listen(receive: (message: BusMessage) => void): () => void
}

export type BusMessage =
  | { kind: 'flush-please'; articleId: string }
  | { kind: 'reached-server' }
  /** Change notifications before that time, in milliseconds since 1970, may have been missed. */
  | { kind: 'missed'; until: number }
  /** The draft of an article has a newer text; a tab that shows it follows. */
  | { kind: 'text-written'; articleId: string }
  | { kind: 'refused'; refusal: Refusal }
  /** This tab receives the event stream for all tabs of this user. */
  | { kind: 'news-mine'; userId: string; tabId: string }
  /** The event stream is alive. */
  | { kind: 'news-alive'; userId: string }
  /** Every tab that has articles open says which. */
  | { kind: 'open-please'; userId: string }
  /** This tab has exactly these articles open. */
  | { kind: 'open-here'; userId: string; tabId: string; articles: OpenArticle[] }
  /** The other users in all articles that tabs of this user have open. */
  | { kind: 'others-here'; userId: string; articles: Others[] }

/** A permanent refusal by the server; shown in the snackbar. */
export type Refusal = { articleId: string; status: number; message: string; reason: string | null }

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /v1, with its query: '/articles/client/myArticles'. */
  path: string
  /** JSON text. */
  body?: string
  /** The server also reads the body packed by gzip. */
  mayPack?: true
  headers?: Record<string, string>
  /** Rejects with NoAnswer after this time. Without it the request waits for ever. */
  timeoutMs?: number
  /** Gives the request up (NoAnswer) when it resolves. */
  abandoned?: Promise<void>
}

export type HttpAnswer = {
  status: number
  /** The parsed body; undefined when there was none or it was not JSON. */
  json: unknown
  /** Null when the header is missing. */
  header(name: string): string | null
}

/** One call with the session's bearer token and, on 401, one refresh. Rejects with NoAnswer without a response. */
export type Send = (request: HttpRequest) => Promise<HttpAnswer>

/** A response that is read as it arrives. */
export type StreamRequest = {
  /** Below /v1. */
  path: string
  /** Called with each piece of text of a successful response. */
  heard(text: string): void
  /** Gives the stream up (NoAnswer) when it resolves. */
  abandoned: Promise<void>
}

/** Resolves when the server ended the stream or refused it. Rejects with NoAnswer when it was cut or never began. */
export type Stream = (request: StreamRequest) => Promise<{ status: number }>

/** One bare stream of the API. */
export type StreamTransport = (
  request: StreamRequest & { bearer?: string },
) => Promise<{ status: number }>

/** One bare exchange with the API. Rejects with NoAnswer without a response. */
export type Transport = (request: HttpRequest & { bearer?: string }) => Promise<HttpAnswer>

/** The connection failed, was cut or timed out: the request may or may not have been carried out. */
export class NoAnswer extends Error {
  constructor(message = 'Network Error', options?: ErrorOptions) {
    super(message, options)
    this.name = 'NoAnswer'
  }
}

export class LockNotGranted extends Error {}

/** The stored record of who is signed in, shared by all tabs. Null when signed out. */
export type SessionStore = {
  read(): Session | null
  write(session: Session | null): void
}
