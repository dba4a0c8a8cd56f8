import type { ArticlePlanRow, ArticleRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

/** What a change of several articles reads of each. `counter` is null for an article that was never planned. */
export type BulkRow = Pick<
  ArticleRow,
  'id' | 'name' | 'client_id' | 'word_minimum' | 'version' | 'updated_at' | 'words'
> &
  Pick<ArticlePlanRow, 'due_on'> & { counter: ArticlePlanRow['counter'] | null }

/** These articles in their order; undefined where one of them is not there. */
export async function findBulkRows(
  db: Database,
  ids: readonly string[],
): Promise<BulkRow[] | undefined> {
  const rows = await db
    .selectFrom('articles')
    .leftJoin('article_plans', 'article_plans.article_id', 'articles.id')
    .select([
      'articles.id',
      'articles.name',
      'articles.client_id',
      'articles.word_minimum',
      'articles.version',
      'articles.updated_at',
      'articles.words',
      'article_plans.due_on',
      'article_plans.counter',
    ])
    .where('articles.id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const found = ids.flatMap((id) => byId.get(id) ?? [])
  return found.length === ids.length ? found : undefined
}

/**
 * Names of the users who read fewer of these articles once all of them are the client's, in their order: the users of
 * the clients that had them who are not users of this client. Admins read every article.
 */
export async function listReadersLost(
  db: Database,
  articles: readonly Pick<BulkRow, 'client_id'>[],
  clientId: string | null,
): Promise<string[]> {
  const former = [...new Set(articles.flatMap(({ client_id }) => client_id ?? []))]
  if (former.length === 0) return []
  const rows = await db
    .selectFrom('users')
    .select('name')
    .where('role', '!=', 'admin')
    .where('id', 'in', (eb) =>
      eb.selectFrom('client_users').select('user_id').where('client_id', 'in', former),
    )
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('client_users')
        .select('user_id')
        .where('client_id', '=', clientId ?? ''),
    )
    .orderBy('name_folded')
    .orderBy('id')
    .execute()
  return rows.map(({ name }) => name)
}
