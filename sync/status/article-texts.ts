import { type ArticleRow, type DocRow, type LocalDatabase, rowsById } from '../store/database.ts'

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
 * Word counts of the server's texts. They are cached, because each save in another tab refreshes the home, and reading all
 * texts each time would delay that save. The count of a text that was written here is in its draft row.
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
    const isTheirs = draft?.hash === draft?.baseHash && draft?.baseVersion === textVersion
    if (draft && isTheirs) counted.set(id, { textVersion, words: draft.words })
    else others.push(id)
  }
  for (const doc of (await rowsById(database.docs, others)).values())
    counted.set(doc.articleId, { textVersion: doc.textVersion, words: doc.words })
  return new Map([...counted].map(([id, { words }]) => [id, words]))
}
