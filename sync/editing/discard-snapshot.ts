import type { Clock } from '../ports.ts'
import type { Ladder } from '../store/with-retry.ts'
import type { createExitSnapshot } from './exit-snapshot.ts'

const AGAIN_MS = 10_000

type Discarding = {
  snapshotStore: ReturnType<typeof createExitSnapshot>
  retrying: Ladder
  /** While there are words that no row has, the last words stay. */
  isDirty: () => boolean
  /** False once the person left. */
  isWanted: () => boolean
}

/**
 * Takes the last words of a page that goes on back once its draft has them, and tries again where the database does not
 * take it: left where they are, words that stand in the draft would count as waiting.
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
