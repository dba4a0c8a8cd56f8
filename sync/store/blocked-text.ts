import type { BlockedReason } from '../protocol/push-result.ts'
import type { OutboxRow, TextEntry } from './database.ts'
import { pendingText } from './new-entries.ts'
import { entriesOf, isLiftedByOthers, isText, isUnsentCompletion, superseding } from './queue.ts'
import type { In } from './transaction.ts'

/**
 * Text, or a note, that the server refused permanently: the push loop skips it until the cause of the refusal is over.
 */

/**
 * Blocks the text; it stays in the draft. A completion queued after it is removed too: it would lock the article
 * without the blocked text. Unconfirmed sends stay with the entry. So does the refused text itself where an external
 * event lifts the block: a second copy of it may be on its way, from a tab that was frozen while sending.
 */
export async function blockText(
  tables: In<'outbox'>,
  sent: OutboxRow,
  reason: BlockedReason,
  message: string,
): Promise<void> {
  const entries = await entriesOf(tables, sent.articleId)
  const mayArrive = ({ seq, maybeSent, failedAt }: TextEntry) =>
    seq === sent.seq ? isLiftedByOthers(reason) : maybeSent || failedAt !== null
  const unconfirmed = entries
    .filter(isText)
    .flatMap((entry) => [...(entry.unconfirmed ?? []), ...(mayArrive(entry) ? [entry.key] : [])])
  const dropped = entries.filter((entry) =>
    entry.kind === 'text' ? entry.seq !== sent.seq : isUnsentCompletion(entry) && entry.completed,
  )
  await tables.outbox.bulkDelete(dropped.map(({ seq }) => seq))
  await tables.outbox.update(sent.seq, {
    ...blocked(reason, message),
    sentHash: null,
    ...superseding(unconfirmed),
  })
}

/** Its words stay in the queue until the cause is over, or until their writer removes them. */
export async function blockNote(
  tables: In<'outbox'>,
  { seq }: OutboxRow,
  reason: BlockedReason,
  message: string,
): Promise<void> {
  await tables.outbox.update(seq, blocked(reason, message))
}

const blocked = (reason: BlockedReason, message: string) => ({
  state: 'blocked' as const,
  blockedReason: reason,
  dueAt: Number.POSITIVE_INFINITY,
  lastError: message,
  failedAt: null,
  unreachable: 0 as const,
})

/** The article no longer exists for this user. */
export const isGoneReason = (reason: BlockedReason): boolean =>
  reason === 'deleted' || reason === 'revoked'

/** Queues blocked text and notes again once the cause of the block is over. Returns whether there was text. */
export async function unblock(
  tables: In<'outbox'>,
  articleId: string,
  reasons: readonly BlockedReason[],
  { key, now }: { key: string; now: number },
): Promise<boolean> {
  const isOver = ({ blockedReason }: OutboxRow) =>
    blockedReason !== null && reasons.includes(blockedReason)
  const entries = (await entriesOf(tables, articleId)).filter(isOver)
  for (const { seq } of entries.filter(({ kind }) => kind === 'note')) {
    await tables.outbox.update(seq, { state: 'pending', blockedReason: null, dueAt: now })
  }
  const [text] = entries.filter(isText)
  if (!text) return false
  const { seq, unconfirmed } = text
  const next = pendingText(articleId, { key, dueAt: now, firstEditAt: now })
  await tables.outbox.put({ ...next, ...superseding(unconfirmed), seq })
  return true
}
