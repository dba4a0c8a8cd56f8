import { Dexie } from 'dexie'
import type { Tables } from '../store/transaction.ts'

/**
 * Counts and lists over drafts and queue. They run at every save of any tab, so the queue is read by its keys: its rows
 * have whole texts in them.
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

/**
 * The article of each queued entry, by its seq, which is unique within a database. Reading the keys that have both
 * takes as long as reading as many rows.
 */
const articlesOfEntries = new WeakMap<object, Map<number, string>>()

/** The articles with something in the queue. */
export async function queuedArticles(tables: Tables<'outbox'>): Promise<Set<string>> {
  const { outbox } = tables
  const seqs = await outbox.toCollection().primaryKeys()
  // A database that was deleted and created again counts from the beginning.
  const handle = tables.backendDB()
  const known = articlesOfEntries.get(handle) ?? new Map<number, string>()
  if (seqs.some((seq) => !known.has(seq))) {
    const keys: unknown = await outbox.orderBy('[articleId+seq]').keys()
    known.clear()
    for (const [articleId, seq] of keys as [string, number][]) known.set(seq, articleId)
    articlesOfEntries.set(handle, known)
  }
  return new Set(seqs.flatMap((seq) => known.get(seq) ?? []))
}

/** The number of articles with a change in flight that has not failed before: each has at most one. */
export async function countSending({ outbox }: Tables<'outbox'>): Promise<number> {
  const [inflight, failed] = await Promise.all([
    outbox.where('state').equals('inflight').primaryKeys(),
    outbox.where('failedAt').above(Dexie.minKey).primaryKeys(),
  ])
  const others = new Set(failed)
  return inflight.filter((seq) => !others.has(seq)).length
}

/** Whether a change failed to be sent and will be sent again. For a live query. */
export async function isTryingAgain({ outbox }: Tables<'outbox'>): Promise<boolean> {
  const [failed, blocked] = await Promise.all([
    outbox.where('failedAt').above(Dexie.minKey).primaryKeys(),
    outbox.where('state').equals('blocked').primaryKeys(),
  ])
  const refused = new Set(blocked)
  return failed.some((seq) => !refused.has(seq))
}
