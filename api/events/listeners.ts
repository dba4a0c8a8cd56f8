import { liveSessionIds } from '../accounts/session-rows.ts'
import type { Clock, Database } from '../deps.ts'
import type { Viewer } from '../http/authenticate.ts'
import { ApiError } from '../http/errors.ts'
import { type EventStream, eventStream } from './event-stream.ts'
import { type HintFor, isFor } from './hints.ts'

export const HEARTBEAT_MS = 20_000
const PER_SESSION_MAX = 8
const PER_USER_MAX = 40
export const STREAMS_MAX = 5_000

type Listener = { viewer: Viewer; stream: EventStream; beatAt: number }

/** The open event streams of this node. */
export function createListeners({ db, clock }: { db: Database; clock: Clock }) {
  const listeners = new Set<Listener>()
  const bySession = new Map<string, Set<Listener>>()
  const nextBeat = () => clock.monotonic() + HEARTBEAT_MS

  function remove(listener: Listener): void {
    listeners.delete(listener)
    const { sessionId } = listener.viewer
    const own = bySession.get(sessionId)
    own?.delete(listener)
    if (own?.size === 0) bySession.delete(sessionId)
  }

  /** Ends the streams whose token or session has expired, and returns the other listeners. */
  async function stillSignedIn(some: Listener[]): Promise<Set<Listener>> {
    const now = clock.now()
    const ids = [...new Set(some.map(({ viewer }) => viewer.sessionId))]
    const live = await liveSessionIds(db, ids, new Date(now).toISOString())
    const allowed = new Set(
      some.filter(({ viewer }) => viewer.tokenExpiresAt > now && live.has(viewer.sessionId)),
    )
    for (const listener of some) if (!allowed.has(listener)) listener.stream.end()
    return allowed
  }

  return {
    size: () => listeners.size,
    /** Throws 429 or 503 where one more stream of this viewer is too many. */
    refuseTooMany: (viewer: Viewer) => refuseTooMany([...listeners], viewer),
    add(viewer: Viewer, hangUp: () => void) {
      const stream = eventStream({ hangUp, gone: () => remove(listener) })
      const listener: Listener = { viewer, stream, beatAt: nextBeat() }
      listeners.add(listener)
      const { sessionId } = viewer
      bySession.set(sessionId, (bySession.get(sessionId) ?? new Set()).add(listener))
      return stream
    },
    /** Sends each listener the hints that it may see. */
    async notify(hints: HintFor[]) {
      const own = new Map([...listeners].map((one) => [one, hints.filter(isFor(one.viewer))]))
      const receivers = [...listeners].filter((one) => own.get(one)?.length)
      for (const listener of await stillSignedIn(receivers)) {
        for (const { hint } of own.get(listener) ?? []) listener.stream.send({ data: hint })
        listener.beatAt = nextBeat()
      }
    },
    /** Sends a comment to each listener that got nothing for HEARTBEAT_MS. */
    async beat() {
      const now = clock.monotonic()
      const due = [...listeners].filter(({ beatAt }) => beatAt <= now)
      if (due.length === 0) return
      for (const listener of await stillSignedIn(due)) {
        listener.stream.send()
        listener.beatAt = now + HEARTBEAT_MS
      }
    },
    /** The open streams of this session, without those whose token has expired. */
    streamsOf(sessionId: string) {
      const now = clock.now()
      const own = [...(bySession.get(sessionId) ?? [])]
      return own.filter(({ viewer }) => viewer.tokenExpiresAt > now).map(({ stream }) => stream)
    },
    endAll() {
      for (const { stream } of [...listeners]) stream.end()
    },
  }
}

function refuseTooMany(listeners: Listener[], { id, sessionId }: Viewer): void {
  const ofUser = listeners.filter(({ viewer }) => viewer.id === id)
  const ofSession = ofUser.filter(({ viewer }) => viewer.sessionId === sessionId)
  if (ofSession.length >= PER_SESSION_MAX || ofUser.length >= PER_USER_MAX) throw tooMany(429)
  if (listeners.length >= STREAMS_MAX) throw tooMany(503)
}

const tooMany = (status: 429 | 503) =>
  new ApiError(status, 'Too many pages listen for news already.', {
    reason: 'too_many_streams',
    headers: { 'Retry-After': '60' },
  })
