import type { Clock } from '../ports.ts'

/** A wait that can be ended early. */
export type Pause = {
  /** Resolves after `ms`, or when it is ended; without `ms`, only when it is ended. */
  wait(ms?: number): Promise<void>
  /** Ends the wait that runs, if any. */
  end(): void
}

export function createPause(clock: Clock): Pause {
  let end = () => {}
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const cancel = ms === undefined ? () => {} : clock.after(ms, resolve)
        end = () => {
          cancel()
          resolve()
        }
      }),
    end: () => end(),
  }
}
