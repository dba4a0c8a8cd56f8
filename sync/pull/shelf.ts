import { goneReason } from '../protocol/reaction.ts'
import { rowsById } from '../push/due.ts'
import type { ArticleRow, DocRow, LocalDatabase } from '../store/database.ts'
import type { Fetched } from './pull.ts'

const TEXTS_AT_ONCE = 2
const TEXTS_KEPT = 200
/** About 20 MB: a word and its share of the document's structure are 12 bytes. */
const WORDS_KEPT = 1_700_000

/**
 * Brings the texts that moved to this computer, so that they can be read and written without a connection:
 * incomplete articles first, then the latest change, as many as there is reasonable room for. Stops at the
 * first answer that says nothing about the article. True when nothing is missing.
 */
export async function fillShelf(
  database: LocalDatabase,
  fetchArticle: (articleId: string) => Promise<Fetched>,
): Promise<boolean> {
  const wanted = await missingTexts(database)
  let isComplete = true
  const fetchOneByOne = async (): Promise<void> => {
    for (let next = wanted.shift(); next !== undefined; next = wanted.shift()) {
      const fetched = await fetchArticle(next)
      if (fetched.kind === 'article') continue
      // Refused for good while it is listed: it may be back before the list changes.
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
  const shelf = listed
    .sort((a, b) => a.completed - b.completed || Date.parse(b.updatedAt) - Date.parse(a.updatedAt))
    .slice(0, TEXTS_KEPT)
    .filter(({ completed }) => completed === 0 || !database.isShortOfRoom)
  const docs = await database.docs.bulkGet(shelf.map(({ id }) => id))
  let words = 0
  return shelf
    .filter(({ textVersion }, at) => {
      const doc = docs[at]
      words += doc?.words ?? 0
      return words <= WORDS_KEPT && textVersion > (doc?.textVersion ?? 0)
    })
    .map(({ id }) => id)
}

/** The articles whose text is on this computer. */
export async function textsHere({ docs, drafts }: LocalDatabase): Promise<Set<string>> {
  const [read, written] = await Promise.all([
    docs.toCollection().primaryKeys(),
    drafts.toCollection().primaryKeys(),
  ])
  return new Set([...read, ...written])
}

type CountedText = Pick<DocRow, 'textVersion' | 'words'>
const countedTexts = new WeakMap<LocalDatabase, Map<string, CountedText>>()

/**
 * The words of the server's texts. Counts are remembered, because the home is read anew at every save in
 * another tab, and reading all texts each time would keep that save waiting. Those of a text that was written here are
 * known without reading it.
 */
export async function wordsOnServer(
  database: LocalDatabase,
  articles: ArticleRow[],
): Promise<Map<string, number>> {
  const counted = countedTexts.get(database) ?? new Map<string, CountedText>()
  countedTexts.set(database, counted)
  const moved = articles.filter(
    ({ id, textVersion }) => counted.get(id)?.textVersion !== textVersion,
  )
  const drafts = await rowsById(
    database.drafts,
    moved.map(({ id }) => id),
  )
  const others: string[] = []
  for (const { id, textVersion } of moved) {
    const draft = drafts.get(id)
    const isTheirs = draft?.hash === draft?.baseHash && draft?.baseTv === textVersion
    if (draft && isTheirs) counted.set(id, { textVersion, words: draft.words })
    else others.push(id)
  }
  for (const doc of (await rowsById(database.docs, others)).values())
    counted.set(doc.articleId, { textVersion: doc.textVersion, words: doc.words })
  return new Map([...counted].map(([id, { words }]) => [id, words]))
}
