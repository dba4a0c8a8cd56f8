import { Dexie } from 'dexie'
import type { LocalDatabase } from './database.ts'

/**
 * What lists and counts say of drafts and queue, from the keys of their indexes: the rows have whole texts in
 * them, and these are asked for at every save of any tab.
 */

/** `editedAt` in milliseconds since 1970. */
export type DirtyText = { editedAt: number; words: number }

/** Texts with something that the server was not told or did not accept, by article. */
export async function dirtyTexts({ drafts }: LocalDatabase): Promise<Map<string, DirtyText>> {
  const keys: unknown = await drafts
    .where('[dirty+articleId+editedAt+words]')
    .between([1, Dexie.minKey], [1, Dexie.maxKey])
    .keys()
  return new Map(
    (keys as [1, string, number, number][]).map(([, articleId, editedAt, words]) => [
      articleId,
      { editedAt, words },
    ]),
  )
}

const TYPED_MS = 1_000

/** Somebody changed a text here a moment ago, in whatever tab. `now` in milliseconds since 1970. */
export async function isTypedIn(database: LocalDatabase, now: number): Promise<boolean> {
  const texts = [...(await dirtyTexts(database)).values()]
  return texts.some(({ editedAt }) => Math.abs(now - editedAt) < TYPED_MS)
}

/** The article of every entry in the queue, by the entry's number. */
export async function queuedArticles({ outbox }: LocalDatabase): Promise<Map<number, string>> {
  const keys: unknown = await outbox.orderBy('[articleId+seq]').keys()
  return new Map((keys as [string, number][]).map(([articleId, seq]) => [seq, articleId]))
}

/** How many articles have a change that is on its way and did not fail before: one of each is, at most. */
export async function countSending({ outbox }: LocalDatabase): Promise<number> {
  const [inflight, failed] = await Promise.all([
    outbox.where('state').equals('inflight').primaryKeys(),
    outbox.where('failedAt').above(Dexie.minKey).primaryKeys(),
  ])
  const others = new Set(failed)
  return inflight.filter((seq) => !others.has(seq)).length
}

/** Whether a change failed to be sent and will be sent again. For a live query. */
export async function isTryingAgain({ outbox }: LocalDatabase): Promise<boolean> {
  const [failed, held] = await Promise.all([
    outbox.where('failedAt').above(Dexie.minKey).primaryKeys(),
    outbox.where('state').equals('held').primaryKeys(),
  ])
  const refused = new Set(held)
  return failed.some((seq) => !refused.has(seq))
}
