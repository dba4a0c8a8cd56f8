import type { ArticleNote } from '../../domain/wire/notes.ts'
import type { ArticleRow, RecordRow } from './database.ts'
import type { In, Tables } from './transaction.ts'

/** The receipts of an article's hand-ins and its notes, as this computer knows them. */

export const emptyRecord = (articleId: string): RecordRow => ({
  articleId,
  handIns: [],
  total: 0,
  lost: [],
  notes: [],
})

/** Whether the server has receipts or notes of the article that are not here, or a reopening that they do not name. */
export async function isRecordStale(
  { records }: Tables<'records'>,
  { id, handIns = 0, notes = 0, completed }: ArticleRow,
): Promise<boolean> {
  const record = (await records.get(id)) ?? emptyRecord(id)
  const last = record.handIns[0]
  const isCompleted = last !== undefined && last.reopened === null
  return (
    record.total !== handIns ||
    record.notes.length !== notes ||
    (last !== undefined && isCompleted !== (completed === 1))
  )
}

/** Adds a note that the server received from here. */
export async function keepNote(
  tables: In<'records'>,
  articleId: string,
  note: ArticleNote,
): Promise<void> {
  const known = (await tables.records.get(articleId)) ?? emptyRecord(articleId)
  if (known.notes.some(({ id }) => id === note.id)) return
  await tables.records.put({ ...known, notes: [...known.notes, note] })
}

export function isNote(value: unknown): value is ArticleNote {
  const note = value as Partial<ArticleNote> | null | undefined
  return (
    typeof note?.id === 'string' &&
    typeof note.createdAt === 'string' &&
    typeof note.kind === 'string' &&
    typeof note.body === 'string' &&
    typeof note.author?.name === 'string'
  )
}
