import { sql } from 'kysely'
import { prepared } from '../../api/database/prepared.ts'
import type { Database } from '../../api/deps.ts'

/** What the schedules read of the server behind its back, the same over each engine. */

type RevisionRow = { text_version: number; article_text: string; author_id: string | null }
type HeadRow = Omit<RevisionRow, 'author_id'> & { completed: number; deleted: number }

/** In the order of their versions, also those of an article that is deleted. */
export const revisionsAfter = prepared<{ articleId: string; after: number }, RevisionRow>(
  (db, { articleId, after }) =>
    db
      .selectFrom('article_revisions')
      .select(['text_version', 'article_text', 'author_id'])
      .where('article_id', '=', articleId)
      .where('text_version', '>', after)
      .unionAll(
        db
          .selectFrom('deleted_revisions')
          .select(['text_version', 'article_text', 'author_id'])
          .where('article_id', '=', articleId)
          .where('text_version', '>', after),
      )
      .orderBy('text_version'),
)

/** One row, or none. */
export const headOf = prepared<{ articleId: string }, HeadRow>((db, { articleId }) =>
  db
    .selectFrom('articles')
    .select(['article_text', 'completed', 'text_version', sql<number>`0`.as('deleted')])
    .where('id', '=', articleId)
    .unionAll(
      db
        .selectFrom('deleted_articles')
        .select(['article_text', 'completed', 'text_version', sql<number>`1`.as('deleted')])
        .where('id', '=', articleId),
    ),
)

/** Idempotency keys that more than one revision was made under. */
export async function keysAppliedTwice(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('article_revisions')
    .select('idem_key')
    .where('idem_key', 'is not', null)
    .groupBy('idem_key')
    .having((of) => of.fn.countAll(), '>', 1)
    .execute()
  return rows.flatMap(({ idem_key }) => idem_key ?? [])
}
