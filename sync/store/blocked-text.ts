import type { BlockedReason } from '../protocol/push-result.ts'
import type { OutboxRow, TextEntry } from './database.ts'
import { pendingText } from './new-entries.ts'
import { entriesOf, isLiftedByOthers, isText, isUnsentControl, superseding } from './queue.ts'
import type { In } from './transaction.ts'

/** Text that the server refused permanently: the push loop skips it until the cause of the refusal is over. */

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
    entry.kind === 'text' ? entry.seq !== sent.seq : isUnsentControl(entry) && entry.completed,
  )
  await tables.outbox.bulkDelete(dropped.map(({ seq }) => seq))
  await tables.outbox.update(sent.seq, {
    state: 'blocked',
    blockedReason: reason,
    sentHash: null,
    dueAt: Number.POSITIVE_INFINITY,
    lastError: message,
    failedAt: null,
    unreachable: 0,
    ...superseding(unconfirmed),
  })
}

/** The article no longer exists for this user. */
export const isGoneReason = (reason: BlockedReason): boolean =>
  reason === 'deleted' || reason === 'revoked'

/** Queues blocked text again once the cause of the block is over. */
export async function unblock(
  tables: In<'outbox'>,
  articleId: string,
  reasons: readonly BlockedReason[],
  { key, now }: { key: string; now: number },
): Promise<boolean> {
  const entries = await entriesOf(tables, articleId)
  const blocked = entries
    .filter(isText)
    .find(({ blockedReason }) => blockedReason !== null && reasons.includes(blockedReason))
  if (!blocked) return false
  const { seq, unconfirmed } = blocked
  const next = pendingText(articleId, { key, dueAt: now, firstEditAt: now })
  await tables.outbox.put({ ...next, ...superseding(unconfirmed), seq })
  return true
}
