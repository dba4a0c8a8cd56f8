import type { Database } from '../deps.ts'

/**
 * Which of these users are users of the client of each article, for the articles that exist. Admins may read every
 * article.
 */
export async function readersOf(
  db: Database,
  articleIds: readonly string[],
  userIds: readonly string[],
): Promise<Map<string, ReadonlySet<string>>> {
  const rows = await db
    .selectFrom('articles')
    .leftJoin('client_users', (join) =>
      join
        .onRef('client_users.client_id', '=', 'articles.client_id')
        .on('client_users.user_id', 'in', userIds),
    )
    .select(['articles.id', 'client_users.user_id as userId'])
    .where('articles.id', 'in', articleIds)
    .execute()
  const readers = new Map<string, Set<string>>(rows.map(({ id }) => [id, new Set()]))
  for (const { id, userId } of rows) if (userId !== null) readers.get(id)?.add(userId)
  return readers
}
