import { COPIES_MAX } from '../../domain/limits.ts'
import { type Fetched, goneReason } from '../protocol/push-result.ts'
import type { LocalDatabase } from '../store/database.ts'

const TEXTS_KEPT = 200
/** About 20 MB: a word and its share of the document's structure are 12 bytes. */
const WORDS_KEPT = 1_700_000

/** Fetches and stores articles. `many` returns null when the request failed or was refused. */
export type FetchTexts = {
  one(articleId: string): Promise<Fetched>
  many(articleIds: readonly string[]): Promise<CopiesStored | null>
}
/** Ids of the stored articles, at least one, and of those that did not fit into the response. */
export type CopiesStored = { stored: string[]; rest: string[] }

/**
 * Fetches the texts that changed, so that they can be read and written offline: incomplete articles first, then by
 * latest change, up to a reasonable size. Stops at the first response that says nothing about the article. Returns true
 * when nothing is missing.
 */
export async function fillOfflineCache(
  database: LocalDatabase,
  fetch: FetchTexts,
): Promise<boolean> {
  const wanted = await missingTexts(database)
  let isComplete = true
  while (wanted.length > 0) {
    for (const id of await withoutCopies(wanted, fetch)) {
      const fetched = await fetch.one(id)
      if (fetched.kind === 'article') continue
      // Refused permanently although listed: it may be back before the list changes.
      isComplete = false
      if (!isGone(fetched)) return false
    }
  }
  return isComplete
}

/** Removes the next ids from `wanted` and fetches their articles. Returns the ids that must be requested individually. */
async function withoutCopies(wanted: string[], fetch: FetchTexts): Promise<string[]> {
  const next = wanted.splice(0, COPIES_MAX)
  const copies = next.length > 1 ? await fetch.many(next) : null
  if (copies === null) return next
  wanted.unshift(...copies.rest)
  return next.filter((id) => !copies.stored.includes(id) && !copies.rest.includes(id))
}

const isGone = (fetched: Fetched): boolean =>
  fetched.kind === 'refused' && goneReason(fetched.status) !== null

/** Ids of the articles whose text here is older than the server's, or not here. */
async function missingTexts(database: LocalDatabase): Promise<string[]> {
  const listed = await database.articles.where('listed').equals(1).toArray()
  const offlineCache = listed
    .sort((a, b) => a.completed - b.completed || Date.parse(b.updatedAt) - Date.parse(a.updatedAt))
    .slice(0, TEXTS_KEPT)
    .filter(({ completed }) => completed === 0 || !database.isShortOfRoom)
  const docs = await database.docs.bulkGet(offlineCache.map(({ id }) => id))
  let words = 0
  return offlineCache
    .filter(({ textVersion }, at) => {
      const doc = docs[at]
      words += doc?.words ?? 0
      return words <= WORDS_KEPT && textVersion > (doc?.textVersion ?? 0)
    })
    .map(({ id }) => id)
}
