import type { Clock } from '../ports.ts'
import type { Retry } from '../store/with-retry.ts'
import type { createExitSnapshot } from './exit-snapshot.ts'

const AGAIN_MS = 10_000

type Discarding = {
  snapshotStore: ReturnType<typeof createExitSnapshot>
  retrying: Retry
  /** While there are words that no row has, the exit snapshot stays. */
  isDirty: () => boolean
  /** False once the user signed out. */
  isWanted: () => boolean
}

/**
 * Discards the exit snapshot of a page that was not closed once its draft has the words, and retries when the database
 * fails: a snapshot left there would count as pending, although the draft has its words.
 */
export function createDiscard(
  clock: Clock,
  { snapshotStore, retrying, isDirty, isWanted }: Discarding,
) {
  let isAwaited = false
  return async function discard(): Promise<void> {
    if (isDirty() || !snapshotStore.areKept()) return
    await retrying.run(snapshotStore.discard).catch(() => {
      if (isAwaited || !isWanted()) return
      isAwaited = true
      clock.after(AGAIN_MS, () => {
        isAwaited = false
        void discard()
      })
    })
  }
}
