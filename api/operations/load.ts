import type { Clock, Log } from '../deps.ts'
import { isList } from '../throttle/request-limits.ts'

/** 0 all is well; 1 lists, logins and registrations wait; 2 everything but saving; 3 everything. */
export type Pressure = 0 | 1 | 2 | 3

/** What one look at the process found. */
export type Reading = {
  /** Mean time by which the event loop was late since the last look, in milliseconds. */
  loopDelayMs: number
  /** Share of the memory that the process may have, from 0 to 1. */
  memory: number
}

export const LOOK_MS = 500
export const LOOP_DELAY_MAX_MS = 250
export const MEMORY_MAX = 0.9
/** How long it must last before the next kind of call is turned away. */
const STEPS_MS = [2_000, 6_000, 15_000]

export type Load = { pressure(): Pressure; look(reading: Reading): void; last(): Reading }

/**
 * Whether the server has more to do than it can. The longer that lasts without a break, the more calls are
 * turned away; the first calm look ends it.
 */
export function watchLoad(clock: Pick<Clock, 'monotonic'>, log: Log): Load {
  let last: Reading = { loopDelayMs: 0, memory: 0 }
  let since: number | null = null
  let pressure: Pressure = 0

  function look(reading: Reading): void {
    last = reading
    const isHigh = reading.loopDelayMs > LOOP_DELAY_MAX_MS || reading.memory > MEMORY_MAX
    const now = clock.monotonic()
    since = isHigh ? (since ?? now - LOOK_MS) : null
    const lasted = since === null ? 0 : now - since
    const next = STEPS_MS.filter((step) => lasted >= step).length as Pressure
    if (next !== pressure) log.warn({ pressure: next, ...reading }, 'Pressure changed')
    pressure = next
  }

  return { look, pressure: () => pressure, last: () => last }
}

/** The call to admit or to delay. */
type Call = { method: string; path: string }

const FIRST_TO_WAIT = /^\/v1\/auth\/(login|register)$/
const SAVE = /^\/v1\/articles(\/[^/]+)?$/

/** From which pressure on this call is turned away. What was typed comes last, and the token that it needs. */
export function enduredPressure({ method, path }: Call): Pressure {
  if (path === '/v1/auth/refresh-tokens') return 3
  if (method === 'PATCH' && SAVE.test(path)) return 3
  return isList({ method, path }) || FIRST_TO_WAIT.test(path) ? 1 : 2
}
