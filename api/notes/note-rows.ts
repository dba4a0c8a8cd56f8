import type { ArticleNote } from '../../domain/wire/hand-ins.ts'
import { groupsOf } from '../database/listing-rows.ts'
import type { ArticleNoteRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

export async function insertNote(db: Database, note: ArticleNoteRow): Promise<void> {
  await db.insertInto('article_notes').values(note).execute()
}

/** All notes of the article, the oldest first. */
export const listNotes = async (db: Database, articleId: string): Promise<ArticleNote[]> =>
  (await notesOf(db, [articleId])).get(articleId) ?? []

/** All notes of those of the articles that have some, by the article's id, the oldest first. */
export async function notesOf(
  db: Database,
  articleIds: readonly string[],
): Promise<Map<string, ArticleNote[]>> {
  if (articleIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('article_notes')
    .selectAll()
    .where('article_id', 'in', articleIds)
    .orderBy('id')
    .execute()
  return groupsOf(rows, ({ article_id }) => article_id, noteOf)
}

export const noteOf = (row: ArticleNoteRow): ArticleNote => ({
  id: row.id,
  createdAt: row.created_at,
  kind: row.kind,
  body: row.body,
  author: { id: row.author_id, name: row.author_name },
  handIn: row.hand_in,
})

export async function countNotes(db: Database, articleId: string): Promise<number> {
  const { total } = await db
    .selectFrom('article_notes')
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .where('article_id', '=', articleId)
    .executeTakeFirstOrThrow()
  return Number(total)
}

export async function isComplete(db: Database, articleId: string): Promise<boolean> {
  const { completed } = await db
    .selectFrom('articles')
    .select('completed')
    .where('id', '=', articleId)
    .executeTakeFirstOrThrow()
  return completed === 1
}
