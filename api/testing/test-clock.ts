import type { DatabaseSources } from '../database/open-database.ts'

/** When the clock of a test starts. */
export const TEST_START = Date.UTC(2026, 2, 2, 9, 0, 0)

/** A clock that only the test moves. */
export function testClock() {
  let time = TEST_START
  const timers = new Set<{ at: number; run: () => void }>()
  return {
    now: () => time,
    monotonic: () => time - TEST_START,
    after(ms: number, run: () => void) {
      const timer = { at: time + ms, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    /** Moves the clock by so many milliseconds, backwards too. What is due then starts, once. */
    advance(ms: number) {
      time += ms
      for (const timer of [...timers]) if (timer.at <= time && timers.delete(timer)) timer.run()
    },
  }
}

/** Ids of the shape of UUID version 7 that sort in the order of creation. */
export function countingIds() {
  let count = 0
  return () => `0195a000-0000-7000-8000-${(++count).toString(16).padStart(12, '0')}`
}

/** Logs nothing and never waits. */
export const quietSources: DatabaseSources = {
  log: { info: () => {}, warn: () => {}, error: () => {} },
  pause: () => Promise.resolve(),
}
