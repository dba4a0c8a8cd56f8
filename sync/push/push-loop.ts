import { type Clock, LockNotGranted, type Ports } from '../ports.ts'
import { transact } from '../store/transaction.ts'
import { untilLost } from '../store/with-retry.ts'
import type { ResultContext } from './apply-result.ts'
import { createDrain } from './drain.ts'
import { createFlag } from './flag.ts'
import { retryAll } from './retry-policy.ts'

export type PushLoop = ReturnType<typeof createPushLoop>

export type PushLoopOptions = Omit<ResultContext, 'send' | 'effects'> & {
  userId: string
  /** Null when signed out. Nothing is sent for any other user. */
  signedInUser: () => string | null
}

const SCAN_MS = 30_000
const FAILED_PAUSE_MS = 10_000
const STARVED_MS = 35_000
const WAKE_PAUSE_MS = 1_000
const OVERDUE_MS = 1_000

/**
 * The push loop of one tab. All tabs have one; the lock lets one drain at a time, for the length of that
 * drain only. The lock saves requests, it does not guard correctness: keys and conditions do, so a tab
 * that waited too long (the holder may be frozen) steals the lock, and both may send.
 *
 *              trigger                 granted
 *     idle ──────────────▶ waiting ──────────────▶ draining ──▶ take ──▶ up to 4 requests ┐
 *      ▲  ▲                   │ 35 s: steal           ▲          │       send ──▶ settle  │
 *      │  │                   └───────────────────────┘          │ nothing due     ◀──────┘
 *      │  └── timer at the next due time ◀───────────────────────┘
 *      └───── every 30 s, at start, at every flush: nothing depends on one timer having fired
 *
 * A request has the change of one article or of several. An article is in one request at most, so its changes arrive
 * in order; articles do not wait for each other. A trigger during a drain looks at once whether there is room for more.
 */
export function createPushLoop(ports: Ports, options: PushLoopOptions) {
  const { clock } = ports
  const { database, userId } = options
  const wanted = createFlag()
  const timer = createWakeTimer(clock, trigger)
  let running: Promise<void> | null = null
  let stopped = false
  let lastWake = Number.NEGATIVE_INFINITY
  const drain = createDrain(ports, {
    ...options,
    wanted,
    wakeAt: timer.at,
    mayContinue: () => !stopped && options.signedInUser() === userId,
  })

  function trigger(): void {
    if (stopped) return
    if (running) {
      wanted.raise()
      return
    }
    running = run().finally(() => {
      running = null
      if (wanted.lower()) trigger()
    })
  }

  async function run(): Promise<void> {
    timer.at(clock.now() + SCAN_MS)
    try {
      const task = () => untilLost(clock, database, drain)
      await holdingLock(ports, `contun-push:${userId}`, task)
    } catch {
      // The database failed or did not respond, or the lock was stolen.
      timer.at(clock.now() + FAILED_PAUSE_MS)
    }
  }

  return {
    /** Check for due entries now. */
    trigger,
    /** Check at `time` (milliseconds since 1970) at the latest. */
    wakeAt: timer.at,
    /** Forgets backoffs and tries now, at most once a second. Resolves when the attempt has begun. */
    async wake() {
      const now = clock.now()
      if (Math.abs(now - lastWake) < WAKE_PAUSE_MS) return timer.at(now + WAKE_PAUSE_MS)
      lastWake = now
      await transact(database, 'rw', ['outbox'], (tables) => retryAll(tables, now)).catch(() => {})
      trigger()
    },
    /** Resolves when all running and requested drains have ended; failed entries may be left. */
    async settled() {
      while (running) await running
    },
    stop() {
      stopped = true
      timer.stop()
    },
  }
}

async function holdingLock({ locks }: Ports, name: string, task: () => Promise<void>) {
  try {
    await locks.hold(name, task, { waitMs: STARVED_MS })
  } catch (error) {
    if (!(error instanceof LockNotGranted)) throw error
    await locks.hold(name, task, { steal: true })
  }
}

/** One timer that fires at the earliest of the times asked for (milliseconds since 1970). */
function createWakeTimer(clock: Clock, fire: () => void) {
  let cancel: (() => void) | null = null
  let due = Number.POSITIVE_INFINITY
  function stop(): void {
    cancel?.()
    cancel = null
    due = Number.POSITIVE_INFINITY
  }
  return {
    stop,
    at(time: number): void {
      // An overdue timer was suspended while the device slept and would still wait for its remaining time.
      if (time >= due && clock.now() - due < OVERDUE_MS) return
      stop()
      due = time
      cancel = clock.after(Math.max(0, time - clock.now()), () => {
        stop()
        fire()
      })
    },
  }
}
