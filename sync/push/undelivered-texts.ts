import type { Effects, HttpAnswer, Ports } from '../ports.ts'
import { saidBy } from '../protocol/error-response.ts'
import { noAnswer, notNow, readVerdict, type Verdict } from '../protocol/push-result.ts'
import {
  type BlockedText,
  blockedText,
  noteKey,
  type UndeliveredNote,
} from '../status/unsent-work.ts'
import type { LocalDatabase, OutboxRow } from '../store/database.ts'
import { deleteDraft, readDraft } from '../store/draft-rows.ts'
import { pendingUndelivered } from '../store/new-entries.ts'
import { entriesOf, stillInflight } from '../store/queue.ts'
import { keepRevision } from '../store/revisions.ts'
import { isGoneReason, unblock } from './blocked-text.ts'
import { noteServerAnswered } from './retry-policy.ts'

/**
 * Blocked text on its way to the agency: the article refused it, so it goes where only admins read it. It is queued
 * like any change, so it is also sent by a device that is offline now, and the text stays here.
 */

/** What a user can do about blocked text. */
export type BlockedActions = {
  /** Sends it to the agency, now or once online. Returns false when no text of the article is blocked. */
  sendToAgency(articleId: string): Promise<boolean>
  /** Sends refused text again, as the draft has it now. */
  retryBlocked(articleId: string): Promise<void>
  /**
   * Removes an article that is gone from the unsent work, once the agency has its text. The text stays on this device
   * as an earlier text for a while. Returns false when the agency does not have just this text.
   */
  clearSent(articleId: string): Promise<boolean>
}

type BlockedOptions = { database: LocalDatabase; flush: () => Promise<void>; trigger: () => void }

export function blockedActions(
  { clock, newId }: Ports,
  { database, flush, trigger }: BlockedOptions,
): BlockedActions {
  return {
    async sendToAgency(articleId) {
      await flush()
      const queued = await queueUndeliveredText(database, articleId, {
        key: newId(),
        now: clock.now(),
      })
      trigger()
      return queued
    },
    async retryBlocked(articleId) {
      await flush()
      await rearm(database, articleId, { key: newId(), now: clock.now() })
      trigger()
    },
    async clearSent(articleId) {
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
async function rearm(
  database: LocalDatabase,
  articleId: string,
  { key, now }: { key: string; now: number },
): Promise<void> {
  await database.transaction('rw', database.outbox, async () => {
    await unblock(database, articleId, ['too-large', 'rejected'], { key, now })
  })
}

async function clearSent(database: LocalDatabase, articleId: string, now: number) {
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
  const { outbox, meta } = database
  await database.transaction('rw', outbox, meta, async () => {
    const entry = await stillInflight(database, sent)
    if (!entry) return
    const note: UndeliveredNote = { at: effects.now(), hash: entry.sentHash ?? '' }
    await outbox.delete(entry.seq)
    await meta.put({ key: noteKey(entry.articleId), value: note })
    await meta.bulkDelete(['signInNeeded', 'updateNeeded'])
    await noteServerAnswered(database, effects.now())
  })
}
