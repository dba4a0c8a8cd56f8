import { blockedText, noteKey } from '../status/unsent-work.ts'
import { unblock } from '../store/blocked-text.ts'
import type { LocalDatabase } from '../store/database.ts'
import { deleteDraft, draftIn } from '../store/draft-rows.ts'
import { pendingUndelivered } from '../store/new-entries.ts'
import { entriesOf } from '../store/queue.ts'
import { keepRevision } from '../store/revisions.ts'
import { transact } from '../store/transaction.ts'
import { isGone } from './undelivered-texts.ts'

/** What a user does about blocked text, in the rows. */

/** Queues the blocked text as it is now. Returns false when no text of the article is blocked. */
export async function queueUndeliveredText(
  database: LocalDatabase,
  articleId: string,
  { key, now }: { key: string; now: number },
): Promise<boolean> {
  return transact(database, 'rw', ['outbox', 'drafts', 'texts'], async (tables) => {
    const { outbox } = tables
    const entries = await entriesOf(tables, articleId)
    const draft = await draftIn(tables, articleId)
    const reason = entries.find(({ state }) => state === 'blocked')?.blockedReason
    if (!draft || !reason) return false
    const texts = entries.filter(({ kind }) => kind === 'undelivered')
    if (texts.some(({ sentHash }) => sentHash === draft.hash)) return true
    const unsent = texts.filter(({ state }) => state === 'pending')
    await outbox.bulkDelete(unsent.map(({ seq }) => seq))
    const body = JSON.stringify({ articleText: draft.doc, reason })
    await outbox.add(pendingUndelivered(articleId, { key, now, body, hash: draft.hash }))
    return true
  })
}

/** Queues refused text again; text whose block is lifted by an external event stays blocked. */
export async function rearm(
  database: LocalDatabase,
  articleId: string,
  { key, now }: { key: string; now: number },
): Promise<void> {
  await transact(database, 'rw', ['outbox'], async (tables) => {
    await unblock(tables, articleId, ['too-large', 'rejected'], { key, now })
  })
}

/** Returns false when the agency does not have just this text. */
export async function clearSent(database: LocalDatabase, articleId: string, now: number) {
  const names = ['articles', 'drafts', 'texts', 'outbox', 'localRevs', 'meta'] as const
  return transact(database, 'rw', names, async (tables) => {
    const entries = await entriesOf(tables, articleId)
    const blocked = await blockedText(tables, articleId, entries)
    const draft = await draftIn(tables, articleId)
    if (!draft || !blocked || blocked.sentAt === null || !isGone(blocked)) return false
    await keepRevision(tables, 'orphan', draft, now)
    await tables.outbox.bulkDelete(entries.map(({ seq }) => seq))
    await tables.meta.delete(noteKey(articleId))
    await deleteDraft(tables, articleId)
    await tables.articles.delete(articleId)
    return true
  })
}
