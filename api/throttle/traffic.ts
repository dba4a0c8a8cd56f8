import type { Clock, Log } from '../deps.ts'
import { ApiError, serverBusy } from '../http/errors.ts'
import { memoryCounts } from './count-store.ts'
import { ANSWERS_OF_ALL, ANSWERS_OF_SESSION, SESSION_BYTES, SHORT_ANSWER } from './limits.ts'

/** The bytes of one call. */
export type CallTraffic = {
  received(bytes: number): void
  /** Room for an answer that may become so long, before anything is read for it. Throws as `answering` does. */
  expecting(bytes: number): void
  /** Room for an answer until it is sent. Throws 429 or 503 where there is none and nothing was changed: `isRead`. */
  answering(bytes: number, isRead: boolean): void
}

/**
 * Bytes of sessions, at this node: what they move in a minute, and what waits to be read in answers. Few calls can ask for
 * much, and an answer that its reader leaves unread stays in the memory.
 */
export type Traffic = {
  /** For a call of this session. `whenSent` calls back when its answer has left or is lost. Throws 429 beyond the limit. */
  begin(sessionId: string, whenSent: (done: () => void) => void): Promise<CallTraffic>
  /** Bytes of answers that wait to be read. */
  waiting(): number
}

export function createTraffic(
  { clock, log }: { clock: Pick<Clock, 'monotonic'>; log: Log },
  { isLimited }: { isLimited: boolean },
): Traffic {
  const moved = memoryCounts(clock.monotonic)
  const waiting = new Map<string, number>()
  let all = 0

  function hold(sessionId: string, bytes: number): void {
    all += bytes
    const left = (waiting.get(sessionId) ?? 0) + bytes
    if (left === 0) waiting.delete(sessionId)
    else waiting.set(sessionId, left)
  }

  function count(sessionId: string, bytes: number): void {
    if (isLimited) void moved.add(sessionId, bytes, SESSION_BYTES.windowMs)
  }

  /** `held`: by the call itself. */
  function refuseWhereFull(sessionId: string, bytes: number, held: number): void {
    const own = (waiting.get(sessionId) ?? 0) - held
    const ofAll = all - held
    // The first answer may be of any length: it could never be sent otherwise.
    if (own > 0 && own + bytes > ANSWERS_OF_SESSION) {
      log.warn({ limit: 'answers', key: sessionId, waiting: own }, 'Throttled')
      throw tooMuch(1, 'Please read the answers that are on their way first.')
    }
    if (bytes > SHORT_ANSWER && ofAll > 0 && ofAll + bytes > ANSWERS_OF_ALL) throw serverBusy()
  }

  return {
    waiting: () => all,
    async begin(sessionId, whenSent) {
      if (isLimited) {
        const { count, msLeft } = await moved.add(sessionId, 0, SESSION_BYTES.windowMs)
        if (count > SESSION_BYTES.most) {
          log.warn({ limit: SESSION_BYTES.name, key: sessionId }, 'Throttled')
          const seconds = Math.max(1, Math.ceil(msLeft / 1_000))
          throw tooMuch(seconds, `Please try again in ${seconds} seconds.`)
        }
      }
      let held = 0
      let isSent = false
      const holdNow = (bytes: number) => {
        if (isSent) return
        hold(sessionId, bytes - held)
        held = bytes
      }
      whenSent(() => {
        holdNow(0)
        isSent = true
      })
      return {
        received: (bytes) => count(sessionId, bytes),
        expecting(bytes) {
          refuseWhereFull(sessionId, bytes, held)
          holdNow(bytes)
        },
        answering(bytes, isRead) {
          if (isRead) refuseWhereFull(sessionId, bytes, held)
          count(sessionId, bytes)
          holdNow(bytes)
        },
      }
    },
  }
}

const tooMuch = (seconds: number, advice: string) =>
  new ApiError(429, `Too much at once. ${advice}`, { headers: { 'Retry-After': String(seconds) } })
