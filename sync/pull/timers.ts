import type { Clock } from '../ports.ts'

/** Timers that end together. */
export type Timers = {
  /** Runs `task` after `ms`, unless they are stopped before. */
  later(ms: number, task: () => void): void
  areStopped(): boolean
  stop(): void
}

export function createTimers(clock: Clock): Timers {
  const cancels = new Set<() => void>()
  let stopped = false
  return {
    later(ms, task) {
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
