import { monotonicNow } from '../database/monotonic-now.ts'
import type { ArticleRow, DeletedArticleRow, RevisionRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'
import { countChange } from '../events/change-rows.ts'
import { listedClientName } from './article-rows.ts'

/** Time during which a deleted article can be restored (Q91). */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000
/** Expired articles are purged a few at a time, so that no single deletion has to purge many. */
const PURGE_BATCH = 20

const articleColumns = [
  'id',
  'name',
  'name_folded',
  'client_id',
  'word_minimum',
  'completed',
  'version',
  'text_version',
  'text_updated_by',
  'words',
  'created_at',
  'updated_at',
  'keyword_list',
  'article_text',
  'client_name_folded',
  'has_entities',
  'revision_name',
  'revision_at',
  'revision_version',
] as const satisfies (keyof ArticleRow)[]

const revisionColumns = [
  'article_id',
  'text_version',
  'base_text_version',
  'words',
  'author_id',
  'idem_key',
  'reason',
  'created_at',
  'article_text',
] as const satisfies (keyof RevisionRow)[]

/**
 * Moves the article and all its texts to tables that only a restore reads. False when there is no such article. Call it
 * inside a transaction.
 */
export async function deleteArticle(
  db: Database,
  id: string,
  { now, deletedBy }: { now: number; deletedBy: string },
): Promise<boolean> {
  await purgeForgotten(db, now)
  const moved = await db
    .insertInto('deleted_articles')
    .columns([...articleColumns, 'deleted_at', 'deleted_by'])
    .expression((eb) =>
      eb
        .selectFrom('articles')
        .select(articleColumns)
        .select(({ val }) => [
          val(new Date(now).toISOString()).as('deleted_at'),
          val(deletedBy).as('deleted_by'),
        ])
        .where('id', '=', id),
    )
    .executeTakeFirst()
  if (!moved.numInsertedOrUpdatedRows) return false
  await db
    .insertInto('deleted_revisions')
    .columns(revisionColumns)
    .expression((eb) =>
      eb.selectFrom('article_revisions').select(revisionColumns).where('article_id', '=', id),
    )
    .execute()
  await db.deleteFrom('article_revisions').where('article_id', '=', id).execute()
  await db.deleteFrom('articles').where('id', '=', id).execute()
  await countChange(db, null)
  return true
}

/** Articles that can be restored, the newest deletion first. */
export function listDeletedArticles(
  db: Database,
): Promise<Pick<DeletedArticleRow, 'id' | 'name' | 'deleted_at'>[]> {
  return db
    .selectFrom('deleted_articles')
    .select(['id', 'name', 'deleted_at'])
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/**
 * Restores a deleted article as one more version of it. Returns its name, or undefined when nothing is stored under
 * this id. Call it inside a transaction.
 */
export async function restoreArticle(
  db: Database,
  id: string,
  now: number,
): Promise<string | undefined> {
  const kept = await db
    .selectFrom('deleted_articles')
    .select(['name', 'client_id', 'version', 'updated_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (kept === undefined) return undefined
  await moveBack(db, id)
  await db
    .updateTable('articles')
    .set({
      version: kept.version + 1,
      updated_at: monotonicNow(kept.updated_at, now),
      client_name_folded: listedClientName(kept.client_id),
    })
    .where('id', '=', id)
    .execute()
  await countChange(db, id)
  return kept.name
}

async function moveBack(db: Database, id: string): Promise<void> {
  await db
    .insertInto('articles')
    .columns(articleColumns)
    .expression((eb) =>
      eb.selectFrom('deleted_articles').select(articleColumns).where('id', '=', id),
    )
    .execute()
  await db
    .insertInto('article_revisions')
    .columns(revisionColumns)
    .expression((eb) =>
      eb.selectFrom('deleted_revisions').select(revisionColumns).where('article_id', '=', id),
    )
    .execute()
  await forget(db, [id])
}

async function purgeForgotten(db: Database, now: number): Promise<void> {
  const forgotten = await db
    .selectFrom('deleted_articles')
    .select('id')
    .where('deleted_at', '<', new Date(now - KEPT_MS).toISOString())
    .orderBy('deleted_at')
    .limit(PURGE_BATCH)
    .execute()
  const ids = forgotten.map(({ id }) => id)
  if (ids.length === 0) return
  await forget(db, ids)
  // Hand-ins stay: a receipt can be checked long after its article is gone.
  await db.deleteFrom('article_notes').where('article_id', 'in', ids).execute()
  await db.deleteFrom('article_plans').where('article_id', 'in', ids).execute()
  await db.deleteFrom('article_marks').where('article_id', 'in', ids).execute()
}

async function forget(db: Database, ids: string[]): Promise<void> {
  await db.deleteFrom('deleted_revisions').where('article_id', 'in', ids).execute()
  await db.deleteFrom('deleted_articles').where('id', 'in', ids).execute()
}
