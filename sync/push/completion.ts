import type { Ports, Refusal } from '../ports.ts'
import type { BlockedReason } from '../protocol/push-result.ts'
import { blockedReasonOf } from '../status/blocked-drafts.ts'
import type { LocalDatabase, OutboxRow } from '../store/database.ts'
import { isInMemory } from '../store/memory-notes.ts'
import { pendingCompletion } from '../store/new-entries.ts'
import { dueSoonest, entriesOf, isUnsentCompletion } from '../store/queue.ts'
import { type In, transact } from '../store/transaction.ts'
import type { Retry } from '../store/with-retry.ts'
import { nextDue } from './schedule.ts'

export type CompletionActions = ReturnType<typeof completionActions>

type CompletionOptions = {
  database: LocalDatabase
  retrying: Retry
  flush: () => Promise<void>
  refused: (refusal: Refusal) => void
  pull: { fetchArticle: (articleId: string) => Promise<unknown> }
  pushLoop: { wakeAt: (time: number) => void }
}

/** Time for the other tabs to write what was typed there, before a completion is sent. */
const OTHER_TABS_MS = 300

export function completionActions(ports: Ports, options: CompletionOptions) {
  const { database, retrying, pull, pushLoop } = options
  return {
    /** Saves what is typed in this tab, and queues the completion (or reopening) after the pending text. */
    async setCompleted(articleId: string, completed: boolean) {
      ports.bus.post({ kind: 'flush-please', articleId })
      await options.flush()
      const entry = { key: ports.newId(), dueAt: ports.clock.now() + OTHER_TABS_MS }
      const refusal = await retrying.run(() =>
        queueCompletion(database, articleId, completed, entry),
      )
      if (refusal) options.refused(refusal)
      pushLoop.wakeAt(await nextDue(database))
    },
    /**
     * Withdraws a completion that is unsent or whose last attempt failed. While a request is in flight, the article is
     * fetched afterwards. Returns false when it was applied already.
     */
    async withdrawCompletion(articleId: string) {
      const { isWithdrawn, mayBeTaken } = await retrying.run(() =>
        withdrawCompletion(database, articleId),
      )
      if (!mayBeTaken) return isWithdrawn
      await pull.fetchArticle(articleId).catch(() => {})
      return (await database.articles.get(articleId))?.completed !== 1
    },
  }
}

/** Blocked text that the writer must resolve first: completing would lock the article without it. */
const UNSETTLED: readonly (BlockedReason | null)[] = ['too-large', 'rejected']

/**
 * Queues a completion (or reopening) after the text. An unsent one is replaced, so marking and reopening offline leaves
 * nothing to send. The flag of the article itself is left to the server; the views overlay the queue. Returns the
 * reason why it is not possible, or null.
 */
async function queueCompletion(
  database: LocalDatabase,
  articleId: string,
  completed: boolean,
  { key, dueAt }: { key: string; dueAt: number },
): Promise<Refusal | null> {
  return transact(database, 'rw', ['articles', 'outbox', 'meta'], async (tables) => {
    const { articles, outbox } = tables
    const entries = await entriesOf(tables, articleId)
    if (completed && UNSETTLED.includes(blockedReasonOf(entries))) {
      return unsettled(articleId, 'The latest text was not accepted by the server yet.')
    }
    if (completed && (await isInMemory(tables, articleId))) {
      return unsettled(articleId, 'The latest text could not be kept on this computer yet.')
    }
    await outbox.bulkDelete(entries.filter(isUnsentCompletion).map(({ seq }) => seq))
    const sent = entries.findLast((entry) => entry.kind === 'control' && !isUnsentCompletion(entry))
    const article = await articles.get(articleId)
    if ((sent?.completed ?? article?.completed === 1) === completed) return null
    await hurryText(tables, entries, dueAt)
    await outbox.add(pendingCompletion(articleId, { key, dueAt, completed }))
    return null
  })
}

const unsettled = (articleId: string, message: string): Refusal => ({
  articleId,
  status: 409,
  message,
  reason: 'text_held',
})

/** Text with a completion behind it has no autosave delay. */
async function hurryText({ outbox }: In<'outbox'>, entries: OutboxRow[], now: number) {
  for (const entry of entries) {
    const { seq, state, dueAt, debounced } = entry
    if (state === 'pending' && (dueAt > now || debounced === 1))
      await outbox.update(seq, dueSoonest(entry, now))
  }
}

/**
 * Withdraws an unsent completion or reopening, and a completion whose last attempt failed. `mayBeTaken`: a request with it
 * is in flight, so only the server knows whether it was applied.
 */
export async function withdrawCompletion(
  database: LocalDatabase,
  articleId: string,
): Promise<{ isWithdrawn: boolean; mayBeTaken: boolean }> {
  return transact(database, 'rw', ['outbox'], async (tables) => {
    const withdrawn = (await entriesOf(tables, articleId)).filter(canBeWithdrawn)
    await tables.outbox.bulkDelete(withdrawn.map(({ seq }) => seq))
    return {
      isWithdrawn: withdrawn.length > 0,
      mayBeTaken: withdrawn.some(({ state }) => state === 'inflight'),
    }
  })
}

const canBeWithdrawn = (entry: OutboxRow): boolean =>
  isUnsentCompletion(entry) ||
  (entry.kind === 'control' && entry.completed === true && entry.failedAt !== null)
