import { isAdmin, type Viewer } from '../../domain/access/permissions.ts'
import type { AuditDetail } from '../audit/audit-rows.ts'
import type { Database } from '../deps.ts'

type SendersArticle = { id: string; name: string; client_id: string | null }

/**
 * The article, deleted or not, if this user has or had access to it: an admin, an author of one of its texts, or a user
 * who is or was in a client that has or had it. Undefined for all other users, as if there were no such article.
 */
export async function findForSender(
  db: Database,
  viewer: Viewer,
  articleId: string,
): Promise<{ id: string; name: string } | undefined> {
  const article =
    (await find(db, 'articles', articleId)) ?? (await find(db, 'deleted_articles', articleId))
  if (article === undefined) return undefined
  const knowsIt =
    isAdmin(viewer) ||
    (await isAuthor(db, viewer.id, articleId)) ||
    (await isOrWasMember(db, viewer.id, await clientsOf(db, article)))
  return knowsIt ? article : undefined
}

function find(
  db: Database,
  table: 'articles' | 'deleted_articles',
  id: string,
): Promise<SendersArticle | undefined> {
  return db
    .selectFrom(table)
    .select(['id', 'name', 'client_id'])
    .where('id', '=', id)
    .executeTakeFirst()
}

async function isAuthor(db: Database, userId: string, articleId: string): Promise<boolean> {
  for (const table of ['article_revisions', 'deleted_revisions'] as const) {
    const row = await db
      .selectFrom(table)
      .select('article_id')
      .where('article_id', '=', articleId)
      .where('author_id', '=', userId)
      .limit(1)
      .executeTakeFirst()
    if (row !== undefined) return true
  }
  return false
}

/** The current and the former clients of the article, by its audit log. */
async function clientsOf(db: Database, { id, client_id }: SendersArticle): Promise<string[]> {
  const changes = await db
    .selectFrom('audit')
    .select('detail')
    .where('subject_id', '=', id)
    .where('action', '=', 'article.changed')
    .execute()
  const former = changes.map(({ detail }) => (JSON.parse(detail) as AuditDetail).formerClientId)
  return [client_id, ...former].filter((clientId) => typeof clientId === 'string')
}

/** The audit log of a client names every user who joined or left it. */
async function isOrWasMember(db: Database, userId: string, clientIds: string[]): Promise<boolean> {
  if (clientIds.length === 0) return false
  const member = await db
    .selectFrom('client_users')
    .select('user_id')
    .where('client_id', 'in', clientIds)
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  if (member !== undefined) return true
  const change = await db
    .selectFrom('audit')
    .select('id')
    .where('subject_id', 'in', clientIds)
    .where('action', '=', 'client.changed')
    .where('detail', 'like', `%"${userId}"%`)
    .limit(1)
    .executeTakeFirst()
  return change !== undefined
}
