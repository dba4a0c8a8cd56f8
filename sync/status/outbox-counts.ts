import type { OutboxRow } from '../store/database.ts'
import { isInflight } from '../store/queue.ts'
import type { Tables } from '../store/transaction.ts'

/**
 * Counts and lists over drafts and queue. They run at every save of any tab, so they read no text of an article; of the
 * queue, only an undelivered text on its way has one.
 */

/** `editedAt` in milliseconds since 1970. */
export type DirtyText = { editedAt: number; words: number }

/** Texts with changes that were not sent or not accepted, by article. */
export async function dirtyTexts({ drafts }: Tables<'drafts'>): Promise<Map<string, DirtyText>> {
  const rows = await drafts.where('dirty').equals(1).toArray()
  return new Map(rows.map(({ articleId, editedAt, words }) => [articleId, { editedAt, words }]))
}

const TYPED_MS = 1_000

/** Whether a text was edited here a moment ago, in any tab. `now` in milliseconds since 1970. */
export async function isTypedIn(tables: Tables<'drafts'>, now: number): Promise<boolean> {
  const texts = [...(await dirtyTexts(tables)).values()]
  return texts.some(({ editedAt }) => Math.abs(now - editedAt) < TYPED_MS)
}

/** The number of articles with a change in flight that has not failed before: each has at most one. */
export const countSending = (queue: readonly OutboxRow[]): number =>
  queue.filter((entry) => isInflight(entry) && entry.failedAt === null).length

/** Whether a change failed to be sent and will be sent again. */
export const isRetrying = (queue: readonly OutboxRow[]): boolean =>
  queue.some(({ failedAt, state }) => failedAt !== null && state !== 'blocked')

/** The same, for a live query. */
export const isTryingAgain = async ({ outbox }: Tables<'outbox'>): Promise<boolean> =>
  isRetrying(await outbox.toArray())
