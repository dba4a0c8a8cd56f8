import type { Clock, Log } from '../deps.ts'
import { isList } from '../throttle/request-limits.ts'

/** 0: all calls are served; 1: lists, logins, registrations and reports of open articles are refused; 2: everything but saving; 3: everything. */
export type Pressure = 0 | 1 | 2 | 3

/** One measurement of the process. */
export type Reading = {
  /** Mean delay of the event loop since the last measurement, in milliseconds. */
  loopDelayMs: number
  /** Used share of the memory limit of the process, from 0 to 1. */
  memory: number
}

export const LOOK_MS = 500
export const LOOP_DELAY_MAX_MS = 250
export const MEMORY_MAX = 0.9
/** Duration of overload before each further step. */
const STEPS_MS = [2_000, 6_000, 15_000]

export type Load = { pressure(): Pressure; look(reading: Reading): void; last(): Reading }

/**
 * Detects overload. The longer it lasts without a break, the more calls are refused; the first normal measurement ends
 * it.
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

const FIRST_TO_WAIT = /^\/v1\/(auth\/(login|register)|presence)$/
const SAVE = /^\/v1\/articles(\/[^/]+)?$/

/** Pressure from which this call is refused. Saves come last, with the token refresh that they need. */
export function enduredPressure({ method, path }: Call): Pressure {
  if (path === '/v1/auth/refresh-tokens') return 3
  if (method === 'PATCH' && SAVE.test(path)) return 3
  return isList({ method, path }) || FIRST_TO_WAIT.test(path) ? 1 : 2
}
