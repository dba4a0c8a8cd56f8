import type { NoteAnchor } from '../../domain/notes/note-place.ts'
import type { ArticleNote, NoteChange, NoteCreate } from '../../domain/wire/notes.ts'
import type { LocalDatabase, NoteEntry } from '../store/database.ts'
import { type Tables, transact } from '../store/transaction.ts'

/** The notes about words of an article, as far as this computer knows them, for screens. */

export type NoteAuthor = ArticleNote['author']

/** Where a note, an answer or a change is that the agency does not have. */
export type Unsent = {
  /** Its place in the queue. */
  seq: number
  /** The server's message when it refused it; null while it is on its way. */
  refusal: string | null
}

type Written = {
  ref: string
  body: string
  author: NoteAuthor
  /** In milliseconds since 1970. */
  at: number
  /** Null once the agency has it. */
  unsent: Unsent | null
}

export type NoteAnswer = Written

export type MarginNote = Written & {
  anchor: NoteAnchor
  /** Other words for the quote; null without any. */
  suggestion: string | null
  /** The oldest first. */
  answers: NoteAnswer[]
  /** By whom and when it was done; null while it is open. */
  done: Pick<Written, 'author' | 'at' | 'unsent'> | null
}

/** The oldest first; `user` is the author of what was not sent yet. For a live query. */
export function readMarginNotes(
  database: LocalDatabase,
  articleId: string,
  user: NoteAuthor,
): Promise<MarginNote[]> {
  return transact(database, 'r', ['records', 'outbox'], async (tables) => {
    const [record, entries] = await Promise.all([
      tables.records.get(articleId),
      noteEntriesOf(tables, articleId),
    ])
    const queued = entries.map((entry) => queuedStep(entry, user))
    return notesAfter([...(record?.notes ?? []).map(storedStep), ...queued])
  })
}

/** Read by their kind: a live query of them does not run again when a text is queued. */
async function noteEntriesOf({ outbox }: Tables<'outbox'>, articleId: string) {
  const entries = await outbox.where('kind').equals('note').toArray()
  return entries.filter((entry): entry is NoteEntry => entry.articleId === articleId)
}

/** Something that was added to the notes: a note, an answer or a change. */
type Step = Omit<Written, 'ref'> &
  Pick<ArticleNote, 'kind' | 'ref' | 'to' | 'anchor' | 'suggestion'>

function storedStep({ createdAt, ...note }: ArticleNote): Step {
  return { ...note, at: Date.parse(createdAt), unsent: null }
}

function queuedStep(entry: NoteEntry, author: NoteAuthor): Step {
  const { seq, firstEditAt: at, state, lastError, changes } = entry
  const unsent = { seq, refusal: state === 'blocked' ? (lastError ?? '') : null }
  const given: NoteCreate | NoteChange = JSON.parse(entry.body)
  if ('kind' in given) return { ...given, author, at, unsent, body: given.body ?? '' }
  const kind = 'takenBack' in given ? 'taken-back' : given.done ? 'done' : 'open'
  return { author, at, unsent, kind, body: '', ...(changes !== undefined && { to: changes }) }
}

function notesAfter(steps: readonly Step[]): MarginNote[] {
  const notes = new Map<string, MarginNote>()
  for (const { kind, ref, to, anchor, suggestion = null, ...step } of steps) {
    const note = notes.get(to ?? '')
    // The server refuses to take a note back after a minute: it is shown again then.
    const isRefused = step.unsent !== null && step.unsent.refusal !== null
    if (kind === 'note' && ref !== undefined && anchor)
      notes.set(ref, { ...step, ref, anchor, suggestion, answers: [], done: null })
    else if (kind === 'answer' && ref !== undefined) note?.answers.push({ ...step, ref })
    else if (kind === 'done' && note && !isRefused) note.done = step
    else if (kind === 'open' && note && !isRefused) note.done = null
    else if (kind === 'taken-back' && to !== undefined && !isRefused) takeBack(notes, to)
  }
  return [...notes.values()]
}

function takeBack(notes: Map<string, MarginNote>, ref: string): void {
  notes.delete(ref)
  for (const note of notes.values())
    note.answers = note.answers.filter((answer) => answer.ref !== ref)
}
