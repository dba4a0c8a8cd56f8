import { type Fetched, goneReason } from '../protocol/push-result.ts'
import type { LocalDatabase } from '../store/database.ts'

const TEXTS_AT_ONCE = 2
const TEXTS_KEPT = 200
/** About 20 MB: a word and its share of the document's structure are 12 bytes. */
const WORDS_KEPT = 1_700_000

/**
 * Fetches the texts that changed, so that they can be read and written offline: incomplete articles first, then by
 * latest change, up to a reasonable size. Stops at the first response that says nothing about the article. Returns true
 * when nothing is missing.
 */
export async function fillOfflineCache(
  database: LocalDatabase,
  fetchArticle: (articleId: string) => Promise<Fetched>,
): Promise<boolean> {
  const wanted = await missingTexts(database)
  let isComplete = true
  const fetchOneByOne = async (): Promise<void> => {
    for (let next = wanted.shift(); next !== undefined; next = wanted.shift()) {
      const fetched = await fetchArticle(next)
      if (fetched.kind === 'article') continue
      // Refused permanently although listed: it may be back before the list changes.
      isComplete = false
      if (!isGone(fetched)) wanted.length = 0
    }
  }
  await Promise.all(Array.from({ length: TEXTS_AT_ONCE }, fetchOneByOne))
  return isComplete
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
