import type { Clock } from '../ports.ts'
import type { LocalDatabase } from '../store/database.ts'

/** How long typing collects before it is written, in milliseconds. */
export const FLUSH_MS = 100
/** With the write itself, of the longest texts, no later than 250 ms after the change (Q43). */
const FLUSH_LARGE_MS = 190
/** About 64 KB of document. */
const LARGE_WORDS = 8_000

export const pauseBeforeWrite = (words: number): number =>
  words > LARGE_WORDS ? FLUSH_LARGE_MS : FLUSH_MS

/** Whoever composes with an input method is asked again so often. */
export const COMPOSING_MS = 100

/** An opened text stands in its page by then; its first save finds all of it hashed but what was typed. */
export const HASHED_AFTER_MS = 500

/** A write that takes longer is spoken of. */
const SLOW_WRITE_MS = 150

/** Says that the article is being written once that takes long; the function that comes back says that it is through. */
export function sayWhenSlow(clock: Clock, { unwritten }: LocalDatabase, articleId: string) {
  const write = {}
  const cancel = clock.after(SLOW_WRITE_MS, () =>
    unwritten.set(write, articleId, { kind: 'writing' }),
  )
  return (): void => {
    cancel()
    unwritten.set(write, articleId, null)
  }
}
