import type { ArticleNote } from '../../domain/wire/notes.ts'
import type { Effects, HttpAnswer } from '../ports.ts'
import { isErrorBody, saidBy } from '../protocol/error-response.ts'
import {
  noAnswer,
  notNow,
  readVerdict,
  type ServerRefusal,
  type Verdict,
} from '../protocol/push-result.ts'
import { type BlockedText, noteKey, type UndeliveredNote } from '../status/blocked-drafts.ts'
import { isGoneReason } from '../store/blocked-text.ts'
import type { LocalDatabase, OutboxRow } from '../store/database.ts'
import { stillInflight } from '../store/queue.ts'
import { isNote, keepNote } from '../store/records.ts'
import { transact } from '../store/transaction.ts'
import { noteServerAnswered } from './retry-policy.ts'

/**
 * What is added to an article instead of changing it, and is received with an id: notes, and blocked text on its way to
 * the agency. The article refused that text, so it goes where only admins read it, and stays here. Both are queued like
 * any change, so they are also sent by a device that is offline now.
 */

/** The article no longer exists for this user; only the text here is left. */
export const isGone = ({ reason }: Pick<BlockedText, 'reason'>): boolean => isGoneReason(reason)

/** Reads the response to an undelivered text or a note. */
export function readReceipt(answer: HttpAnswer, articleId: string, now: number): Verdict {
  const { status, json } = answer
  if (status >= 200 && status < 300) {
    const { id } = (json ?? {}) as { id?: unknown }
    return typeof id === 'string'
      ? { kind: 'received', note: isNote(json) ? json : null }
      : noAnswer(`Answer ${status} without a receipt`)
  }
  // A node of an earlier release does not have this address. An unknown article has another message.
  if (status === 404 && saidBy(answer) === 'Not found') return notNow(saidBy(answer))
  if (status === 409 && isErrorBody(json)) {
    const refusal = { status, message: json.message, reason: json.reason ?? null }
    const reason = refusal.reason === 'article_completed' ? 'completed' : 'rejected'
    return { kind: 'refused', reason, confirm: false, refusal }
  }
  const verdict = readVerdict(answer, articleId, now)
  return verdict.kind === 'stale' ? noAnswer('Answer 412 to a text without a condition') : verdict
}

/**
 * A restored server may have lost the hand-in that a note names. Queues the note again without it, under the same key, which
 * that server has not seen. Returns false for any other refusal.
 */
export async function settleUnknownHandIn(
  database: LocalDatabase,
  sent: OutboxRow,
  { reason }: ServerRefusal,
  effects: Effects,
): Promise<boolean> {
  if (sent.kind !== 'note' || reason !== 'unknown_hand_in') return false
  return transact(database, 'rw', ['outbox'], async (tables) => {
    const entry = await stillInflight(tables, sent)
    if (entry?.kind !== 'note') return false
    const body = JSON.stringify({ ...JSON.parse(entry.body), handIn: null })
    await tables.outbox.put({ ...entry, body, dueAt: effects.now() })
    return true
  })
}

/**
 * The agency has it. An undelivered text stays here, with a mark of when it arrived; a note is stored with those of the
 * article.
 */
export async function settleReceived(
  database: LocalDatabase,
  sent: OutboxRow,
  note: ArticleNote | null,
  effects: Effects,
): Promise<void> {
  await transact(database, 'rw', ['outbox', 'meta', 'records'], async (tables) => {
    const { outbox, meta } = tables
    const entry = await stillInflight(tables, sent)
    if (!entry) return
    await outbox.delete(entry.seq)
    if (entry.kind === 'undelivered') {
      const mark: UndeliveredNote = { at: effects.now(), hash: entry.sentHash }
      await meta.put({ key: noteKey(entry.articleId), value: mark })
    } else if (note) await keepNote(tables, entry.articleId, note)
    await meta.bulkDelete(['signInNeeded', 'updateNeeded'])
    await noteServerAnswered(tables, effects.now())
  })
}
