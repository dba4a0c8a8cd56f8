import type { Clock, Log } from '../deps.ts'
import { ApiError, serverBusy } from '../http/errors.ts'
import { memoryCounts } from './count-store.ts'
import { ANSWERS_OF_ALL, ANSWERS_OF_SESSION, SESSION_BYTES, SHORT_ANSWER } from './limits.ts'

/** The bytes of one call. */
export type CallTraffic = {
  received(bytes: number): void
  /**
   * Reserves room for a response of up to so many bytes, before anything is read for it. Throws as `answering` does.
   */
  expecting(bytes: number): void
  /** Takes room for a response until it is sent. For a read (`isRead`) throws 429 or 503 where there is none. */
  answering(bytes: number, isRead: boolean): void
}

export type Traffic = ReturnType<typeof createTraffic>

/**
 * Bytes of sessions at this node: what they move in a minute, and what waits in responses to be read. A few calls can
 * ask for much, and a response that is not read stays in memory.
 */
export function createTraffic(
  { clock, log }: { clock: Pick<Clock, 'monotonic'>; log: Log },
  { isLimited }: { isLimited: boolean },
) {
  const moved = memoryCounts(clock.monotonic)
  const unread = createUnread(log)

  async function refuseBeyondLimit(sessionId: string): Promise<void> {
    const { count, msLeft } = await moved.add(sessionId, 0, SESSION_BYTES.windowMs)
    if (count <= SESSION_BYTES.most) return
    log.warn({ limit: SESSION_BYTES.name, key: sessionId }, 'Throttled')
    const seconds = Math.max(1, Math.ceil(msLeft / 1_000))
    throw tooMuch(seconds, `Please try again in ${seconds} seconds.`)
  }

  return {
    /** Bytes of responses that wait to be read. */
    waiting: unread.total,
    /**
     * For a call of this session. `whenSent` calls back when its response is sent or lost. Throws 429 beyond the limit.
     */
    async begin(sessionId: string, whenSent: (done: () => void) => void): Promise<CallTraffic> {
      if (isLimited) await refuseBeyondLimit(sessionId)
      const count = (bytes: number) => {
        if (isLimited) void moved.add(sessionId, bytes, SESSION_BYTES.windowMs)
      }
      const room = unread.roomFor(sessionId)
      whenSent(room.free)
      return {
        received: count,
        expecting(bytes) {
          room.refuseWhereFull(bytes)
          room.take(bytes)
        },
        answering(bytes, isRead) {
          if (isRead) room.refuseWhereFull(bytes)
          count(bytes)
          room.take(bytes)
        },
      }
    },
  }
}

/** What one call holds of the memory for responses. */
type Room = {
  /** Throws 429 or 503 where the others leave no room for so many bytes. */
  refuseWhereFull(bytes: number): void
  /** Replaces what the call has taken before. Does nothing after `free`. */
  take(bytes: number): void
  free(): void
}

/** Bytes of responses that are not read yet, by session. */
function createUnread(log: Log): { total(): number; roomFor(sessionId: string): Room } {
  const bySession = new Map<string, number>()
  let total = 0

  function add(sessionId: string, bytes: number): void {
    total += bytes
    const left = (bySession.get(sessionId) ?? 0) + bytes
    if (left === 0) bySession.delete(sessionId)
    else bySession.set(sessionId, left)
  }

  function roomFor(sessionId: string): Room {
    let taken = 0
    let isFree = false
    const take = (bytes: number) => {
      if (isFree) return
      add(sessionId, bytes - taken)
      taken = bytes
    }
    return {
      take,
      free: () => {
        take(0)
        isFree = true
      },
      refuseWhereFull(bytes) {
        const own = (bySession.get(sessionId) ?? 0) - taken
        const all = total - taken
        // The first response may have any length: it could never be sent otherwise.
        if (own > 0 && own + bytes > ANSWERS_OF_SESSION) {
          log.warn({ limit: 'answers', key: sessionId, waiting: own }, 'Throttled')
          throw tooMuch(1, 'Please read the answers that are on their way first.')
        }
        if (bytes > SHORT_ANSWER && all > 0 && all + bytes > ANSWERS_OF_ALL) throw serverBusy()
      },
    }
  }

  return { total: () => total, roomFor }
}

const tooMuch = (seconds: number, advice: string) =>
  new ApiError(429, `Too much at once. ${advice}`, { headers: { 'Retry-After': String(seconds) } })
