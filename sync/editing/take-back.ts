import type { Clock } from '../ports.ts'
import type { Ladder } from '../store/with-retry.ts'
import type { createLastWordsOf } from './rescue.ts'

const AGAIN_MS = 10_000

type TakingBack = {
  lastWords: ReturnType<typeof createLastWordsOf>
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
export function createTakeBack(
  clock: Clock,
  { lastWords, retrying, isDirty, isWanted }: TakingBack,
) {
  let isAwaited = false
  return async function takeBack(): Promise<void> {
    if (isDirty() || !lastWords.areKept()) return
    await retrying.run(lastWords.takeBack).catch(() => {
      if (isAwaited || !isWanted()) return
      isAwaited = true
      clock.after(AGAIN_MS, () => {
        isAwaited = false
        void takeBack()
      })
    })
  }
}
