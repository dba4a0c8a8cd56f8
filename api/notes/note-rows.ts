import type { ArticleNote } from '../../domain/wire/hand-ins.ts'
import type { ArticleNoteRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

export async function insertNote(db: Database, note: ArticleNoteRow): Promise<void> {
  await db.insertInto('article_notes').values(note).execute()
}

/** All notes of the article, the oldest first. */
export async function listNotes(db: Database, articleId: string): Promise<ArticleNote[]> {
  const rows = await db
    .selectFrom('article_notes')
    .selectAll()
    .where('article_id', '=', articleId)
    .orderBy('id')
    .execute()
  return rows.map(noteOf)
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
