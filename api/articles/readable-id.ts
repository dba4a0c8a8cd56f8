import type { Database } from '../deps.ts'
import type { AppContext } from '../http/authenticate.ts'
import { articleNotFound } from '../http/errors.ts'
import { pathId } from '../http/read-query.ts'
import { mayReadArticle } from './article-rows.ts'

/** The article id in the path. Throws 404 unless the caller may read the article. */
export async function readableId(db: Database, c: AppContext): Promise<string> {
  const id = pathId(c, 'id', articleNotFound)
  if (!(await mayReadArticle(db, c.get('viewer'), id))) throw articleNotFound()
  return id
}
