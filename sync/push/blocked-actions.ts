import { blockedText, noteKey } from '../status/unsent-work.ts'
import type { LocalDatabase } from '../store/database.ts'
import { deleteDraft, readDraft } from '../store/draft-rows.ts'
import { pendingUndelivered } from '../store/new-entries.ts'
import { entriesOf } from '../store/queue.ts'
import { keepRevision } from '../store/revisions.ts'
import { unblock } from './blocked-text.ts'
import { isGone } from './undelivered-texts.ts'

/** What a user does about blocked text, in the rows. */

/** Queues the blocked text as it is now. Returns false when no text of the article is blocked. */
export async function queueUndeliveredText(
  database: LocalDatabase,
  articleId: string,
  { key, now }: { key: string; now: number },
): Promise<boolean> {
  const { outbox, drafts, texts } = database
  return database.transaction('rw', outbox, drafts, texts, async () => {
    const entries = await entriesOf(database, articleId)
    const draft = await readDraft(database, articleId)
    const reason = entries.find(({ state }) => state === 'blocked')?.blockedReason
    if (!draft || !reason) return false
    const texts = entries.filter(({ kind }) => kind === 'undelivered')
    if (texts.some(({ sentHash }) => sentHash === draft.hash)) return true
    const unsent = texts.filter(({ state }) => state === 'pending')
    await database.outbox.bulkDelete(unsent.map(({ seq }) => seq))
    const body = JSON.stringify({ articleText: draft.doc, reason })
    await database.outbox.add(pendingUndelivered(articleId, { key, now, body, hash: draft.hash }))
    return true
  })
}

/** Queues refused text again; text whose block is lifted by an external event stays blocked. */
export async function rearm(
  database: LocalDatabase,
  articleId: string,
  { key, now }: { key: string; now: number },
): Promise<void> {
  await database.transaction('rw', database.outbox, async () => {
    await unblock(database, articleId, ['too-large', 'rejected'], { key, now })
  })
}

/** Returns false when the agency does not have just this text. */
export async function clearSent(database: LocalDatabase, articleId: string, now: number) {
  const { articles, drafts, texts, outbox, localRevs, meta } = database
  const tables = [articles, drafts, texts, outbox, localRevs, meta]
  return database.transaction('rw', tables, async () => {
    const entries = await entriesOf(database, articleId)
    const blocked = await blockedText(database, articleId, entries)
    const draft = await readDraft(database, articleId)
    if (!draft || !blocked || blocked.sentAt === null || !isGone(blocked)) return false
    await keepRevision(database, 'orphan', draft, now)
    await outbox.bulkDelete(entries.map(({ seq }) => seq))
    await meta.delete(noteKey(articleId))
    await deleteDraft(database, articleId)
    await articles.delete(articleId)
    return true
  })
}
