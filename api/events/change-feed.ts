import { isAdmin } from '../../domain/permissions.ts'
import type { Hello, Hint } from '../../domain/wire-news.ts'
import { liveSessionIds } from '../accounts/session-rows.ts'
import type { Clock, Database, Log } from '../deps.ts'
import type { Viewer } from '../http/authenticate.ts'
import { ApiError } from '../http/errors.ts'
import type { Health } from '../operations/health.ts'
import { type Change, changesSince, membersOf, readState, type ServerState } from './change-rows.ts'
import { type EventStream, eventStream } from './event-stream.ts'

/**
 * Tells the pages that listen what changed, a moment after it did. What it tells comes from the database,
 * where every change left a row in its own transaction: so nothing is told that was not kept, and what
 * another process changed is told too.
 */
export type ChangeFeed = {
  /** A stream for this person, beginning with the present state. Throws 429 and 503 beyond the bounds. */
  open(viewer: Viewer, hangUp: () => void): Promise<ReadableStream<Uint8Array>>
  /** Tells what changed since the last look. Call it after a change; without a listener it does nothing. */
  look(): Promise<void>
  /** How many streams are open. */
  listening(): number
  /** Ends all streams: the server stops. */
  end(): void
}

export type FeedSources = {
  db: Database
  clock: Clock
  log: Log
  health: Pick<Health, 'noteFault'>
  after(ms: number, callback: () => void): () => void
}

export const HEARTBEAT_MS = 20_000
/** Changes by a command beside the server are seen after this time. */
const LOOK_MS = 1_000
const PER_SESSION_MAX = 8
const PER_USER_MAX = 40
export const STREAMS_MAX = 5_000
/** More would not fit what may wait for a reader: everybody is told to compare the lists instead. */
const HINTS_MAX = 100

type Listener = { viewer: Viewer; stream: EventStream; beatAt: number }

export function createChangeFeed({ db, clock, log, health, after }: FeedSources): ChangeFeed {
  const listeners = new Set<Listener>()
  let told: ServerState | null = null
  let looking: Promise<void> | null = null
  let again = false
  let ticking = false

  /** Where a look is under way it goes round once more. */
  function look(): Promise<void> {
    again = true
    looking ??= lookUntilQuiet().finally(() => {
      looking = null
    })
    return looking
  }

  async function lookUntilQuiet(): Promise<void> {
    while (again) {
      again = false
      await tellNews()
    }
  }

  async function tellNews(): Promise<void> {
    const state = await readState(db)
    const before = told
    told = state
    if (before === null) return
    // The counts of another history say nothing: everybody begins anew.
    if (before.epoch !== state.epoch) return endAll()
    if (before.seq === state.seq) return
    try {
      await tellSince(before.seq)
    } catch (fault) {
      // The next look tells it: hearing something twice does no harm.
      told = before
      throw fault
    }
  }

  async function tellSince(seq: number): Promise<void> {
    const hints = await hintsSince(db, seq)
    const meant = [...listeners].map((one) => ({ one, own: hints.filter(isFor(one.viewer)) }))
    const hearers = meant.filter(({ own }) => own.length > 0)
    const allowed = await stillSignedIn(hearers.map(({ one }) => one))
    for (const { one, own } of hearers) {
      if (!allowed.has(one)) continue
      for (const { hint } of own) one.stream.send({ data: hint })
      one.beatAt = clock.monotonic() + HEARTBEAT_MS
    }
  }

  /** Ends the streams of those whose token or session is over, and answers the others. */
  async function stillSignedIn(some: Listener[]): Promise<Set<Listener>> {
    const now = clock.now()
    const ids = [...new Set(some.map(({ viewer }) => viewer.sessionId))]
    const live = await liveSessionIds(db, ids, new Date(now).toISOString())
    const allowed = some.filter(
      ({ viewer }) => viewer.tokenExpiresAt > now && live.has(viewer.sessionId),
    )
    const left = new Set(allowed)
    for (const one of some) if (!left.has(one)) one.stream.end()
    return left
  }

  async function tick(): Promise<void> {
    await look()
    const now = clock.monotonic()
    const due = [...listeners].filter(({ beatAt }) => beatAt <= now)
    if (due.length === 0) return
    for (const one of await stillSignedIn(due)) {
      one.stream.send()
      one.beatAt = now + HEARTBEAT_MS
    }
  }

  function keepTicking(): void {
    if (ticking || listeners.size === 0) return
    ticking = true
    after(LOOK_MS, async () => {
      await tick().catch((err: unknown) => {
        health.noteFault(err)
        log.error({ err }, 'No page could be notified of what changed')
      })
      ticking = false
      keepTicking()
    })
  }

  function refuseTooMany({ id, sessionId }: Viewer): void {
    const open = [...listeners].map(({ viewer }) => viewer)
    const ofUser = open.filter((viewer) => viewer.id === id)
    const ofSession = ofUser.filter((viewer) => viewer.sessionId === sessionId)
    if (ofSession.length >= PER_SESSION_MAX || ofUser.length >= PER_USER_MAX) throw tooMany(429)
    if (open.length >= STREAMS_MAX) throw tooMany(503)
  }

  function endAll(): void {
    for (const { stream } of [...listeners]) stream.end()
  }

  return {
    look: async () => {
      if (listeners.size > 0) await look()
    },
    async open(viewer, hangUp) {
      refuseTooMany(viewer)
      const gone = () => listeners.delete(listener)
      const beatAt = clock.monotonic() + HEARTBEAT_MS
      const listener: Listener = { viewer, stream: eventStream({ hangUp, gone }), beatAt }
      await look()
      // Those that were asked for meanwhile have passed the first look at the bounds too.
      refuseTooMany(viewer)
      // In the same turn: it hears of every change that comes after the state it is told.
      listeners.add(listener)
      if (told) listener.stream.send({ name: 'hello', data: told satisfies Hello })
      keepTicking()
      return listener.stream.body
    },
    listening: () => listeners.size,
    end: endAll,
  }
}

/** Null readers: for everybody. Admins may see every article. */
type HintFor = { hint: Hint; readers: ReadonlySet<string> | null }

const isFor =
  (viewer: Viewer) =>
  ({ readers }: HintFor): boolean =>
    readers === null || readers.has(viewer.id) || isAdmin(viewer)

/** Only the last of several changes of one article, and of several of the lists, is worth telling. */
async function hintsSince(db: Database, seq: number): Promise<HintFor[]> {
  const changes = await changesSince(db, seq)
  const last = new Map(changes.map((change) => [change.article?.id, change]))
  if (changes[0]?.seq !== seq + 1)
    last.set(undefined, { seq: changes.at(-1)?.seq ?? seq, article: null })
  const latest = [...last.values()].sort((a, b) => a.seq - b.seq)
  const newest = latest.at(-1)
  if (newest && latest.length > HINTS_MAX) return [{ hint: { seq: newest.seq }, readers: null }]
  const members = await membersOf(db, clientsOf(latest))
  return latest.map(({ seq, article }) => {
    if (article === null) return { hint: { seq }, readers: null }
    const { id, version, textVersion, clientId } = article
    const readers = (clientId !== null && members.get(clientId)) || new Set<string>()
    return { hint: { seq, articleId: id, version, textVersion }, readers }
  })
}

const clientsOf = (changes: Change[]): string[] => [
  ...new Set(changes.flatMap(({ article }) => article?.clientId ?? [])),
]

const tooMany = (status: 429 | 503) =>
  new ApiError(status, 'Too many pages listen for news already.', {
    reason: 'too_many_streams',
    headers: { 'Retry-After': '60' },
  })
