import type { Clock } from '../ports.ts'
import type { PushLoop } from '../push/push-loop.ts'
import type { LocalDatabase } from '../store/database.ts'
import type { Pull } from './pull.ts'
import type { Timers } from './timers.ts'

export type Pulling = ReturnType<typeof createPulling>

export type PullingOptions = {
  database: LocalDatabase
  userId: string
  /** Null when signed out. */
  signedInUser: () => string | null
  pull: Pull
  pushLoop: PushLoop
}

/** A tab that comes to the front does not pull again within this time. */
export const FRESH_MS = 10_000

/** The pulls of one tab, and whether a known change is still to be fetched. */
export function createPulling(clock: Clock, timers: Timers, options: PullingOptions) {
  const { database, userId, signedInUser, pull, pushLoop } = options
  let last = Number.NEGATIVE_INFINITY
  let behind = false
  let isPlanned = false

  async function now(pushing = Promise.resolve()): Promise<void> {
    if (timers.areStopped() || signedInUser() !== userId) return
    last = clock.now()
    await pushing
    await pushLoop.settled()
    behind = !(await pull.pull().catch(() => false))
  }

  function plan(ms: number): void {
    if (isPlanned) return
    isPlanned = true
    timers.later(ms, () => {
      isPlanned = false
      void now()
    })
  }

  return {
    /** Pulls once pending changes were pushed, so that they meet the text they were written on. */
    now,
    /** Pulls until the lists have this count of changes. */
    async upTo(seq: number) {
      await now()
      // The response to a running pull may be from before the change.
      if (!behind && (await changesKnown(database)) < seq) await now()
    },
    /** Pulls at most every 10 s. */
    async soon() {
      const wait = last + FRESH_MS - clock.now()
      if (wait <= 0 || wait > FRESH_MS) return now()
      plan(wait)
    },
    /** Pulls unless it did within the last 10 s and fetched all known changes. */
    unlessFresh(pushing: Promise<void>) {
      const age = clock.now() - last
      if (behind || age < 0 || age >= FRESH_MS) void now(pushing)
    },
    isOlderThan: (ms: number) => Math.abs(clock.now() - last) >= ms,
    /** A known change could not be fetched. */
    isBehind: () => behind,
    setBehind() {
      behind = true
    },
    /** A notified change could not be fetched: pulls in 10 s. */
    fetchFailed() {
      behind = true
      plan(FRESH_MS)
    },
  }
}

/** How many changes the stored lists know of; -1 before the first. */
export const changesKnown = async ({ meta }: LocalDatabase): Promise<number> =>
  Number((await meta.get('changeSeq'))?.value ?? -1)
