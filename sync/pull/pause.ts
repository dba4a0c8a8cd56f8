import type { Clock } from '../ports.ts'

export type Pause = ReturnType<typeof createPause>

/** A wait that can be ended early. */
export function createPause(clock: Clock) {
  let end = () => {}
  return {
    /** Resolves after `ms`, or when it is ended; without `ms`, only when it is ended. */
    wait: (ms?: number) =>
      new Promise<void>((resolve) => {
        const cancel = ms === undefined ? () => {} : clock.after(ms, resolve)
        end = () => {
          cancel()
          resolve()
        }
      }),
    /** Ends the wait that runs, if any. */
    end: () => end(),
  }
}
