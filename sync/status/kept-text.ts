import type { ArticleText } from '../../domain/text/document.ts'
import type { LocalDatabase } from '../store/database.ts'
import { readDraft } from '../store/draft-rows.ts'
import { readDoc } from '../store/server-docs.ts'
import { seenAtOf } from './article-view.ts'

/** The text of an article as this computer has it. */
export type KeptText = {
  name: string
  client: string | null
  text: ArticleText
  /** When its last word was written here, or when it was read from the server; in milliseconds since 1970. */
  at: number
}

/** Null where this computer has no text of the article. */
export async function readKeptText(
  database: LocalDatabase,
  articleId: string,
): Promise<KeptText | null> {
  const [article, doc, draft, checked] = await Promise.all([
    database.articles.get(articleId),
    database.docs.get(articleId),
    readDraft(database, articleId),
    database.meta.get('lastCheckedAt'),
  ])
  if (!article) return null
  const { name, client } = article
  const seenAt = seenAtOf(article, checked?.value)
  const kept = { name, client: client?.name ?? null }
  if (draft) return { ...kept, text: draft.doc, at: draft.dirty === 1 ? draft.editedAt : seenAt }
  return doc ? { ...kept, text: readDoc(doc).doc, at: seenAt } : null
}
