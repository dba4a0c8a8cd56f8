import type { Clock } from '../ports.ts'

export type Timers = ReturnType<typeof createTimers>

/** Timers that end together. */
export function createTimers(clock: Clock) {
  const cancels = new Set<() => void>()
  let stopped = false
  return {
    /** Runs `task` after `ms`, unless they are stopped before. */
    later(ms: number, task: () => void) {
      if (stopped) return
      const cancel = clock.after(ms, () => {
        cancels.delete(cancel)
        task()
      })
      cancels.add(cancel)
    },
    areStopped: () => stopped,
    stop() {
      stopped = true
      for (const cancel of cancels) cancel()
      cancels.clear()
    },
  }
}
