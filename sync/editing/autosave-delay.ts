import type { Clock } from '../ports.ts'
import type { LocalDatabase } from '../store/database.ts'

/**
 * Milliseconds from a change to its write. Fewer writes for each key than at 100 ms, and 100 ms remain for
 * the write itself, since a change must be on the disk within 250 ms (Q43).
 */
export const FLUSH_MS = 150

/** How often a pending save checks again while an input method is composing. */
export const COMPOSING_MS = 100

/** By then an opened text is rendered; its first save finds every block hashed but the edited ones. */
export const HASHED_AFTER_MS = 500

/** A write that takes longer is shown: the change is not on the disk within 250 ms. */
const SLOW_WRITE_MS = 100

/** Marks the article as being written once the write takes long; returns a function that ends it. */
export function sayWhenSlow(clock: Clock, { unsaved }: LocalDatabase, articleId: string) {
  const write = {}
  const cancel = clock.after(SLOW_WRITE_MS, () =>
    unsaved.set(write, articleId, { kind: 'writing' }),
  )
  return (): void => {
    cancel()
    unsaved.set(write, articleId, null)
  }
}
