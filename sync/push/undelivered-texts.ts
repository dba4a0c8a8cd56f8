import type { Effects, HttpAnswer } from '../ports.ts'
import { saidBy } from '../protocol/error-response.ts'
import { noAnswer, notNow, readVerdict, type Verdict } from '../protocol/push-result.ts'
import { type BlockedText, noteKey, type UndeliveredNote } from '../status/unsent-work.ts'
import { isGoneReason } from '../store/blocked-text.ts'
import type { LocalDatabase, OutboxRow } from '../store/database.ts'
import { stillInflight } from '../store/queue.ts'
import { transact } from '../store/transaction.ts'
import { noteServerAnswered } from './retry-policy.ts'

/**
 * Blocked text on its way to the agency: the article refused it, so it goes where only admins read it. It is queued
 * like any change, so it is also sent by a device that is offline now, and the text stays here.
 */

/** The article no longer exists for this user; only the text here is left. */
export const isGone = ({ reason }: Pick<BlockedText, 'reason'>): boolean => isGoneReason(reason)

/** Reads the response to an undelivered text. */
export function readUndeliveredVerdict(
  answer: HttpAnswer,
  articleId: string,
  now: number,
): Verdict {
  const { status, json } = answer
  if (status >= 200 && status < 300) {
    const { id } = (json ?? {}) as { id?: unknown }
    return typeof id === 'string'
      ? { kind: 'received' }
      : noAnswer(`Answer ${status} without a receipt`)
  }
  // A node of an earlier release does not have this address. An unknown article has another message.
  if (status === 404 && saidBy(answer) === 'Not found') return notNow(saidBy(answer))
  const verdict = readVerdict(answer, articleId, now)
  return verdict.kind === 'stale' ? noAnswer('Answer 412 to a text without a condition') : verdict
}

/** The agency has it. The text stays here, with a note of when it arrived. */
export async function settleReceived(
  database: LocalDatabase,
  sent: OutboxRow,
  effects: Effects,
): Promise<void> {
  await transact(database, 'rw', ['outbox', 'meta'], async (tables) => {
    const { outbox, meta } = tables
    const entry = await stillInflight(tables, sent)
    if (!entry) return
    const note: UndeliveredNote = { at: effects.now(), hash: entry.sentHash ?? '' }
    await outbox.delete(entry.seq)
    await meta.put({ key: noteKey(entry.articleId), value: note })
    await meta.bulkDelete(['signInNeeded', 'updateNeeded'])
    await noteServerAnswered(tables, effects.now())
  })
}
