import type { HandIn } from '../../domain/wire/hand-ins.ts'
import type { ArticleNote, HandInNoteKind, NoteCreate } from '../../domain/wire/notes.ts'
import type { LocalDatabase, NoteEntry, OutboxRow } from '../store/database.ts'
import { entriesOf } from '../store/queue.ts'
import { emptyRecord, isRecordStale } from '../store/records.ts'
import { transact } from '../store/transaction.ts'

/** Receipts and notes of an article, as far as this computer knows them, for screens. */
export type ArticleRecord = {
  /** The newest first; of very many only the latest. */
  handIns: HandIn[]
  /** How many there are in all. */
  total: number
  /** Hand-ins that the agency's server lost when it was restored from a backup. */
  lost: HandIn[]
  /** The oldest first. */
  notes: ArticleNote[]
  /** Notes about hand-ins that the agency does not have yet, the oldest first. */
  unsent: UnsentNote[]
  /** The server has more than is here. */
  isStale: boolean
}

export type UnsentNote = {
  kind: HandInNoteKind
  body: string
  handIn: number | null
  /** Its place in the queue. */
  seq: number
  /** When it was written, in milliseconds since 1970. */
  at: number
  /** The server's message when it refused it; null while it is on its way. */
  refusal: string | null
}

/** For a live query. */
export function readArticleRecord(
  database: LocalDatabase,
  articleId: string,
): Promise<ArticleRecord> {
  return transact(database, 'r', ['records', 'articles', 'outbox'], async (tables) => {
    const [record = emptyRecord(articleId), article, entries] = await Promise.all([
      tables.records.get(articleId),
      tables.articles.get(articleId),
      entriesOf(tables, articleId),
    ])
    const { handIns, total, lost, notes } = record
    const isStale = article !== undefined && (await isRecordStale(tables, article))
    const unsent = entries.filter(isNoteEntry).flatMap(unsentNotes)
    return { handIns, total: total ?? handIns.length, lost, notes, unsent, isStale }
  })
}

/** The notes about a hand-in. One that names none is about the last hand-in before it. */
export function notesAbout(
  { handIns, notes, unsent }: ArticleRecord,
  { number }: Pick<HandIn, 'number'>,
): Pick<ArticleRecord, 'notes' | 'unsent'> {
  const before = (at: string) => handIns.find((handIn) => handIn.at <= at)?.number
  return {
    notes: notes.filter((note) => (note.handIn ?? before(note.createdAt)) === number),
    unsent: unsent.filter((note) => (note.handIn ?? handIns[0]?.number) === number),
  }
}

const isNoteEntry = (entry: OutboxRow): entry is NoteEntry => entry.kind === 'note'

/** None for a note about words, or what is about one: sync/status/margin-notes.ts. */
function unsentNotes({
  seq,
  firstEditAt,
  body,
  state,
  lastError,
  changes,
}: NoteEntry): UnsentNote[] {
  if (changes !== undefined) return []
  const note = JSON.parse(body) as NoteCreate
  if (note.kind === 'note' || ('to' in note && note.to !== undefined)) return []
  const refusal = state === 'blocked' ? (lastError ?? '') : null
  return [
    {
      seq,
      at: firstEditAt,
      kind: note.kind,
      body: note.body,
      handIn: note.handIn ?? null,
      refusal,
    },
  ]
}
