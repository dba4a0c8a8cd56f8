import { Dexie, liveQuery, type ObservabilitySet } from 'dexie'
import type { Clock } from '../sync/ports.ts'

const RETRY_MS = 1_000
/** Rest of lists and counts over the whole local database, in milliseconds. */
export const LIST_REST_MS = 300
/**
 * Rest after a change that only typing made. Every save makes one, and of what is shown it changes little more than
 * until when 'Saving' may be shown; the rest must be well below that time (SAVING_MS in sync/status/save-line.ts).
 */
const TYPING_REST_MS = 2_000

/**
 * A live query of JSON data. A result that equals the one before is dropped, so that a save renders nothing; unchanged
 * parts stay the same objects. `known` counts as the first result. While the database fails, the last result stays on
 * screen, and the query is retried. With `restMs` there is that much time between two runs, and more while only
 * typing changes anything, so that the screen does not slow down a draining outbox; the last change is always read.
 */
export function throttledLiveQuery<T>(
  query: () => T | Promise<T>,
  clock: Clock,
  restMs = 0,
  known?: T,
) {
  return {
    // Otherwise the hook would subscribe a second time to find that out.
    hasValue: () => false,
    subscribe(notify: (result: T) => void) {
      let last = known
      let lastJson = JSON.stringify(known)
      function show(result: T): void {
        const json = JSON.stringify(result)
        if (json === lastJson) return
        lastJson = json
        last = keepingParts(last, result)
        notify(last)
      }
      return restMs === 0 ? follow(query, clock, show) : throttle(query, clock, restMs, show)
    },
  }
}

function follow<T>(query: () => T | Promise<T>, clock: Clock, show: (result: T) => void) {
  let stop = () => {}
  function start(): void {
    const error = () => {
      stop = clock.after(RETRY_MS, start)
    }
    const subscription = liveQuery(query).subscribe({ next: show, error })
    stop = () => subscription.unsubscribe()
  }
  start()
  return () => stop()
}

/** Runs after a change of any table, because the queries with a rest read nearly all of them. */
function throttle<T>(
  query: () => T | Promise<T>,
  clock: Clock,
  restMs: number,
  show: (result: T) => void,
) {
  let stopTimer = () => {}
  let running: object | null = null
  /** End of the last run that a change started. The first run is not followed by a rest. */
  let ranAt = Number.NEGATIVE_INFINITY
  /** How long to rest before the next run; infinite while nothing changed. */
  let rest = Number.POSITIVE_INFINITY

  async function run(isFirst = false): Promise<void> {
    stopTimer()
    rest = Number.POSITIVE_INFINITY
    const current = {}
    running = current
    const result = await attempt(query)
    if (running !== current) return
    running = null
    if (!isFirst || result === FAILED) ranAt = clock.now()
    if (result === FAILED) rest = RETRY_MS
    else show(result)
    schedule()
  }

  function schedule(): void {
    stopTimer()
    if (running !== null || rest === Number.POSITIVE_INFINITY) return
    const left = ranAt + rest - clock.now()
    if (left > 0) stopTimer = clock.after(left, () => void run())
    else void run()
  }

  function onChange(parts: ObservabilitySet): void {
    rest = Math.min(rest, isOfTyping(parts) ? TYPING_REST_MS : restMs)
    // Reported for a database handle that was lost: a query on it may never settle.
    if (running !== null && 'all' in parts) void run()
    else schedule()
  }

  Dexie.on.storagemutated.subscribe(onChange)
  void run(true)
  return () => {
    Dexie.on.storagemutated.unsubscribe(onChange)
    stopTimer()
    running = {}
  }
}

const FAILED = Symbol('failed')

/** Runs outside the transaction whose commit was the change. */
const attempt = <T>(query: () => T | Promise<T>): Promise<T | typeof FAILED> =>
  Promise.resolve()
    .then(() => Dexie.ignoreTransaction(query))
    .catch(() => FAILED)

/** Tables that a save writes during typing; what it means for the outbox is written to others as well. */
const OF_TYPING = /\/(drafts|texts)\//
const isOfTyping = (parts: ObservabilitySet): boolean =>
  Object.keys(parts).every((part) => OF_TYPING.test(part))

/** `after`, in which unchanged parts are the objects of `before`. */
function keepingParts<T>(before: T | undefined, after: T): T {
  if (!isRecord(before) || !isRecord(after)) return after
  const parts = Object.entries(after).map(([name, part]) => {
    const isSame = JSON.stringify(before[name]) === JSON.stringify(part)
    return [name, isSame ? before[name] : part]
  })
  return Object.fromEntries(parts) as T
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
