import type { NoteAnchor } from '../../domain/notes/note-place.ts'
import type { ArticleNote, NoteKind } from '../../domain/wire/notes.ts'
import { countRows, groupsOf } from '../database/listing-rows.ts'
import type { ArticleNoteRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'
import { ApiError } from '../http/errors.ts'

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
  ...(row.hand_in === 0 && { ref: row.ref ?? row.id }),
  ...(row.about !== null && { to: row.about }),
  ...(row.anchor !== null && { anchor: JSON.parse(row.anchor) as NoteAnchor }),
  ...(row.suggestion !== null && { suggestion: row.suggestion }),
})

/** The note or answer of this name; undefined without one. */
export const findNote = (
  db: Database,
  articleId: string,
  ref: string,
): Promise<ArticleNoteRow | undefined> =>
  db
    .selectFrom('article_notes')
    .selectAll()
    .where('article_id', '=', articleId)
    .where((or) => or.or([or('ref', '=', ref), or('id', '=', ref)]))
    .where('kind', 'in', WRITTEN_KINDS)
    .executeTakeFirst()

export const unknownNote = () =>
  new ApiError(404, 'This note is not known.', { reason: 'unknown_note' })

/** Takes its words away. */
export async function emptyNote(db: Database, id: string): Promise<void> {
  await db
    .updateTable('article_notes')
    .set({ body: '', anchor: null, suggestion: null })
    .where('id', '=', id)
    .execute()
}

export const WRITTEN_KINDS: readonly NoteKind[] = ['reopened', 'answer', 'note']
export const CHANGED_KINDS: readonly NoteKind[] = ['done', 'open', 'taken-back']

export const countNotes = (
  db: Database,
  articleId: string,
  kinds: readonly NoteKind[],
): Promise<number> =>
  countRows(
    db.selectFrom('article_notes').where('article_id', '=', articleId).where('kind', 'in', kinds),
  )

export async function isComplete(db: Database, articleId: string): Promise<boolean> {
  const { completed } = await db
    .selectFrom('articles')
    .select('completed')
    .where('id', '=', articleId)
    .executeTakeFirstOrThrow()
  return completed === 1
}
