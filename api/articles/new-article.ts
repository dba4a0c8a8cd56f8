import { recordChange } from '../audit/audit-rows.ts'
import type { Database, Deps } from '../deps.ts'
import { createArticle, type NewArticle } from './article-rows.ts'

/** What an admin gives a new article. Its client exists. */
export type AgencyArticle = Pick<
  NewArticle,
  'name' | 'clientId' | 'wordMinimum' | 'articleText' | 'keywordList'
>

/** Writes the article, its first revision and the entry in the log. Call it in a transaction. Returns its id. */
export async function keepNewArticle(
  deps: Deps,
  db: Database,
  { article, by, now }: { article: AgencyArticle; by: { id: string }; now: number },
): Promise<string> {
  const id = deps.newId()
  const createdAt = new Date(now).toISOString()
  await createArticle(db, { ...article, id, createdAt, authorId: by.id })
  await recordChange(deps, db, {
    actorId: by.id,
    action: 'article.created',
    subjectId: id,
    detail: { clientId: article.clientId },
  })
  return id
}
