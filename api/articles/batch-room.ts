import { BATCH_BODY_BYTES } from '../../domain/limits.ts'
import { ApiError } from '../http/errors.ts'

/** Limits on what all changes of one batch together may make the server read and return. */
export type BatchRoom = {
  /**
   * Call it before reading the article, and again before its bytes are counted: changes that run at the same time use the
   * same limits. Throws 429 when they are used up.
   */
  enter(articleId: string): void
  /** Counts bytes read of an article. */
  noteRead(bytes: number): void
  /** Marks that a stale change returned the text of this article, which a batch does once. */
  noteStale(articleId: string): void
}

/** Without limits a few bytes could request the same large article many times. */
export function batchRoom(bytes = BATCH_BODY_BYTES): BatchRoom {
  const brought = new Set<string>()
  let left = bytes
  return {
    enter(articleId) {
      if (left <= 0 || brought.has(articleId)) throw answerIsFull()
    },
    noteRead(bytes) {
      left -= bytes
    },
    noteStale: (articleId) => void brought.add(articleId),
  }
}

const answerIsFull = () =>
  new ApiError(429, 'The answer holds no more texts. Please send this change again.', {
    headers: { 'Retry-After': '1' },
  })
