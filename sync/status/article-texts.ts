import { type ArticleRow, type DocRow, rowsById } from '../store/database.ts'
import type { In, Tables } from '../store/transaction.ts'

/** The articles whose text is on this computer. */
export async function textsHere({ docs, drafts }: In<'docs' | 'drafts'>): Promise<Set<string>> {
  const [read, written] = await Promise.all([
    docs.toCollection().primaryKeys(),
    drafts.toCollection().primaryKeys(),
  ])
  return new Set([...read, ...written])
}

type CountedText = Pick<DocRow, 'textVersion' | 'words'>
const countedTexts = new WeakMap<Tables<never>, Map<string, CountedText>>()

/**
 * Word counts of the server's texts. They are cached, because each save in another tab refreshes the home, and reading all
 * texts each time would delay that save. The count of a text that was written here is in its draft row.
 */
export async function wordsOnServer(
  tables: In<'docs' | 'drafts'>,
  articles: ArticleRow[],
): Promise<Map<string, number>> {
  const counted = countedTexts.get(tables) ?? new Map<string, CountedText>()
  countedTexts.set(tables, counted)
  const moved = articles.filter(
    ({ id, textVersion }) => counted.get(id)?.textVersion !== textVersion,
  )
  const drafts = await rowsById(
    tables.drafts,
    moved.map(({ id }) => id),
  )
  const others: string[] = []
  for (const { id, textVersion } of moved) {
    const draft = drafts.get(id)
    const isTheirs = draft?.hash === draft?.baseHash && draft?.baseVersion === textVersion
    if (draft && isTheirs) counted.set(id, { textVersion, words: draft.words })
    else others.push(id)
  }
  for (const doc of (await rowsById(tables.docs, others)).values())
    counted.set(doc.articleId, { textVersion: doc.textVersion, words: doc.words })
  return new Map([...counted].map(([id, { words }]) => [id, words]))
}
