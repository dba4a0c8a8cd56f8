import type { Database } from '../deps.ts'
import { membersOf } from '../events/change-rows.ts'

/** Ids of the users of its client, for each of these articles that is there. Admins may read every article. */
export async function readersOf(
  db: Database,
  articleIds: readonly string[],
): Promise<Map<string, ReadonlySet<string>>> {
  const articles = await db
    .selectFrom('articles')
    .select(['id', 'client_id'])
    .where('id', 'in', articleIds)
    .execute()
  const clientIds = [...new Set(articles.flatMap(({ client_id }) => client_id ?? []))]
  const members = await membersOf(db, clientIds)
  return new Map(
    articles.map(({ id, client_id }) => [id, members.get(client_id ?? '') ?? new Set<string>()]),
  )
}
