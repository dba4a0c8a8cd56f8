import type { Clock } from '../ports.ts'

const OVERDUE_MS = 1_000

/** One timer that fires at the earliest of the times asked for (milliseconds since 1970). */
export function createWakeTimer(clock: Clock, fire: () => void) {
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
