import type { ArticleNote, HandIn } from '../../domain/wire-hand-ins.ts'
import type { ArticleRow, RecordRow } from './database.ts'
import { pendingNote } from './new-entries.ts'
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

/**
 * Stores what the server returned. A receipt that a restored server no longer has stays: its signature is still valid. A
 * note of this user that it lost is queued again, under a key that is the same on each of their devices.
 */
export async function storeRecord(
  tables: In<'records' | 'outbox'>,
  articleId: string,
  given: Pick<RecordRow, 'handIns' | 'notes'> & { total: number },
  { userId, now }: { userId: string; now: number },
): Promise<void> {
  const known = (await tables.records.get(articleId)) ?? emptyRecord(articleId)
  const present = new Set(given.handIns.map(signature))
  const first = given.handIns.at(-1)?.number ?? 0
  const isListed = ({ number }: HandIn) => given.total === given.handIns.length || number >= first
  const lost = [...known.handIns.filter(isListed), ...known.lost].filter(
    (handIn) => handIn.receipt !== null && !present.has(signature(handIn)),
  )
  await tables.records.put({ articleId, ...given, lost })
  if (known.total !== null) return
  const lostNotes = known.notes.filter(
    ({ id, author }) => author.id === userId && !given.notes.some((note) => note.id === id),
  )
  for (const { id, kind, body, handIn } of lostNotes) {
    const again = { key: `again-${id}`, now, body: JSON.stringify({ kind, body, handIn }) }
    await tables.outbox.add(pendingNote(articleId, again))
  }
}

const signature = ({ receipt }: HandIn): string => receipt?.signature ?? ''

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

export function isHandIn(value: unknown): value is HandIn {
  const handIn = value as Partial<HandIn> | null | undefined
  return (
    typeof handIn?.number === 'number' &&
    typeof handIn.at === 'string' &&
    typeof handIn.textVersion === 'number' &&
    handIn.receipt !== undefined &&
    handIn.reopened !== undefined
  )
}
