import type { Ports } from '../ports.ts'
import { blockedReasonOf, blockedText, noteKey } from '../status/blocked-drafts.ts'
import { unblock } from '../store/blocked-text.ts'
import type { LocalDatabase } from '../store/database.ts'
import { deleteDraft, draftIn } from '../store/draft-rows.ts'
import { pendingUndelivered } from '../store/new-entries.ts'
import { entriesOf } from '../store/queue.ts'
import { keepRevision } from '../store/revisions.ts'
import { transact } from '../store/transaction.ts'
import { isGone } from './received.ts'

export type BlockedActions = ReturnType<typeof blockedActions>

type BlockedOptions = { database: LocalDatabase; flush: () => Promise<void>; trigger: () => void }

/** What a user can do about blocked text. */
export function blockedActions(
  { clock, newId }: Ports,
  { database, flush, trigger }: BlockedOptions,
) {
  const entry = () => ({ key: newId(), now: clock.now() })
  return {
    /** Sends it to the agency, now or once online. Returns false when no text of the article is blocked. */
    async sendToAgency(articleId: string) {
      await flush()
      const queued = await queueUndeliveredText(database, articleId, entry())
      trigger()
      return queued
    },
    /** Sends refused text again, as the draft has it now. */
    async retryBlocked(articleId: string) {
      await flush()
      await rearm(database, articleId, entry())
      trigger()
    },
    /**
     * Removes an article that is gone from the unsent work, once the agency has its text. The text stays on this device
     * as an earlier text for a while. Returns false when the agency does not have just this text.
     */
    async clearSent(articleId: string) {
      await flush()
      return clearSent(database, articleId, clock.now())
    },
  }
}

/** Queues the blocked text as it is now. Returns false when no text of the article is blocked. */
async function queueUndeliveredText(
  database: LocalDatabase,
  articleId: string,
  { key, now }: { key: string; now: number },
): Promise<boolean> {
  return transact(database, 'rw', ['outbox', 'drafts', 'texts'], async (tables) => {
    const { outbox } = tables
    const entries = await entriesOf(tables, articleId)
    const draft = await draftIn(tables, articleId)
    const reason = blockedReasonOf(entries)
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
async function rearm(
  database: LocalDatabase,
  articleId: string,
  { key, now }: { key: string; now: number },
): Promise<void> {
  await transact(database, 'rw', ['outbox'], async (tables) => {
    await unblock(tables, articleId, ['too-large', 'rejected'], { key, now })
  })
}

/** Returns false when the agency does not have just this text. */
async function clearSent(database: LocalDatabase, articleId: string, now: number) {
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
