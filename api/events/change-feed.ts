import type { Hello } from '../../domain/wire/news.ts'
import type { Clock, Database, Log } from '../deps.ts'
import type { Viewer } from '../http/authenticate.ts'
import type { Health } from '../operations/health.ts'
import { readState, type ServerState } from './change-rows.ts'
import { coalesced } from './coalesced.ts'
import { hintsSince } from './hints.ts'
import { createListeners } from './listeners.ts'

export type ChangeFeed = ReturnType<typeof createChangeFeed>

export type FeedSources = {
  db: Database
  clock: Clock
  log: Log
  health: Pick<Health, 'noteFault'>
  after(ms: number, callback: () => void): () => void
}

/** Changes by a command that runs at the same time are seen after this time. */
const LOOK_MS = 1_000

/**
 * Notifies clients of changes. It reads them from the database, where every change leaves a row in its own transaction:
 * so only committed changes are sent, and those of other processes too.
 */
export function createChangeFeed({ db, clock, log, health, after }: FeedSources) {
  const listeners = createListeners({ db, clock })
  let sent: ServerState | null = null
  let isTicking = false

  const look = coalesced(async () => {
    const state = await readState(db)
    const previous = sent
    sent = state
    if (previous === null) return
    // Sequence numbers of two epochs cannot be compared: every client connects again.
    if (previous.epoch !== state.epoch) return listeners.endAll()
    if (previous.seq === state.seq) return
    try {
      await listeners.notify(await hintsSince(db, previous.seq))
    } catch (fault) {
      // The next look sends them; a hint that arrives twice does no harm.
      sent = previous
      throw fault
    }
  })

  async function tick(): Promise<void> {
    await look()
    await listeners.beat()
  }

  function keepTicking(): void {
    if (isTicking || listeners.size() === 0) return
    isTicking = true
    after(LOOK_MS, async () => {
      await tick().catch((err: unknown) => {
        health.noteFault(err)
        log.error({ err }, 'No page could be notified of what changed')
      })
      isTicking = false
      keepTicking()
    })
  }

  return {
    /** Sends what changed since the last look. Call it after a change; without a listener it does nothing. */
    look: async () => {
      if (listeners.size() > 0) await look()
    },
    /** A stream for this viewer that begins with the current state. Throws 429 and 503 beyond the limits. */
    async open(viewer: Viewer, hangUp: () => void) {
      listeners.refuseTooMany(viewer)
      await look()
      // Other streams may have been opened during the look.
      listeners.refuseTooMany(viewer)
      // Nothing is awaited between the two: the stream gets every change after the state that it begins with.
      const stream = listeners.add(viewer, hangUp)
      if (sent) stream.send({ name: 'hello', data: sent satisfies Hello })
      keepTicking()
      return stream.body
    },
    /** For what is no change. */
    streamsOf: listeners.streamsOf,
    /** Number of open streams. */
    listening: listeners.size,
    /** Ends all streams: the server stops. */
    end: listeners.endAll,
  }
}
