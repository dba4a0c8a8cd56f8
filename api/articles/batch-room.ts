import { BATCH_BODY_BYTES } from '../../domain/limits.ts'
import { ApiError } from '../http/errors.ts'

export type BatchRoom = ReturnType<typeof batchRoom>

/**
 * Limits on what all changes of one batch together may make the server read and return. Without limits a few bytes could
 * request the same large article many times.
 */
export function batchRoom(bytes = BATCH_BODY_BYTES) {
  const brought = new Set<string>()
  let left = bytes
  return {
    /**
     * Call it before reading the article, and again before its bytes are counted: changes that run at the same time use the
     * same limits. Throws 429 when they are used up.
     */
    enter(articleId: string) {
      if (left <= 0 || brought.has(articleId)) throw answerIsFull()
    },
    /** Counts bytes read of an article. */
    noteRead(bytes: number) {
      left -= bytes
    },
    /** Marks that a stale change returned the text of this article, which a batch does once. */
    noteStale: (articleId: string) => void brought.add(articleId),
  }
}

const answerIsFull = () =>
  new ApiError(429, 'The answer holds no more texts. Please send this change again.', {
    headers: { 'Retry-After': '1' },
  })
