import type { ArticleNote, HandIn, NoteCreate } from '../../domain/wire/hand-ins.ts'
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
  /** Notes that the agency does not have yet, the oldest first. */
  unsent: UnsentNote[]
  /** The server has more than is here. */
  isStale: boolean
}

export type UnsentNote = Pick<Required<NoteCreate>, 'kind' | 'body' | 'handIn'> & {
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
    const unsent = entries.filter(isNoteEntry).map(unsentNote)
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

function unsentNote({ seq, firstEditAt, body, state, lastError }: NoteEntry): UnsentNote {
  const note = JSON.parse(body) as NoteCreate
  return {
    seq,
    at: firstEditAt,
    kind: note.kind,
    body: note.body,
    handIn: note.handIn ?? null,
    refusal: state === 'blocked' ? (lastError ?? '') : null,
  }
}
