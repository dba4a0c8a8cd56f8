import { openNotes } from '../../domain/notes/open-notes.ts'
import type { ArticleNote } from '../../domain/wire/notes.ts'
import type { Role } from '../../domain/wire/users.ts'
import type { ArticleNewsRow, HandInRow } from '../database/tables.ts'

/** What happened to an article, as the row of a mail names it. */
export type News = Pick<ArticleNewsRow, 'kind' | 'name'>

export type ArticleFacts = {
  article: {
    id: string
    name: string
    words: number
    wordMinimum: number
    completed: boolean
    /** Null without a client, and for a deleted one. */
    client: { id: string; name: string } | null
  }
  /** The latest hand-in; null without one. */
  handIn: Pick<
    HandInRow,
    'number' | 'at' | 'user_id' | 'user_name' | 'reopened_at' | 'reopened_by' | 'reopener_name'
  > | null
  /** All of the article, the oldest first. */
  notes: readonly ArticleNote[]
  /** Ids of those who wrote its text or a note to it, or handed it in. */
  participants: ReadonlySet<string>
}

export type Reader = {
  id: string
  role: Role
  /** Whether the user is one of the article's client, and whether the user follows that client. */
  isMember: boolean
  follows: boolean
}

/** What a mail tells one reader. */
export type NewsOfReader = {
  reopened: { by: string | null; at: string; reason: string | null } | null
  handedIn: { by: string | null; at: string; number: number } | null
  /** Notes and answers by others. */
  notes: ArticleNote[]
}

/**
 * What of the news is still so and concerns the reader: a reopening those who write for the client, a hand-in the admins
 * who follow it, a note or an answer those who took part. Null for nothing; nothing concerns its own author, or a user who
 * may not read the article.
 */
export function newsFor(
  facts: ArticleFacts,
  news: readonly News[],
  reader: Reader,
): NewsOfReader | null {
  if (reader.role !== 'admin' && !reader.isMember) return null
  const has = (kind: News['kind'], name: string) =>
    news.some((each) => each.kind === kind && each.name === name)
  const reopened = has('reopened', String(facts.handIn?.number))
    ? reopeningFor(facts, reader)
    : null
  const handedIn = has('handed-in', String(facts.handIn?.number)) ? handInFor(facts, reader) : null
  const notes = notesFor(facts, reader).filter(({ id }) => has('note', id))
  return reopened || handedIn || notes.length > 0 ? { reopened, handedIn, notes } : null
}

function reopeningFor(
  { article, handIn, notes }: ArticleFacts,
  reader: Reader,
): NewsOfReader['reopened'] {
  const at = handIn?.reopened_at ?? null
  if (handIn === null || at === null || article.completed) return null
  if (!reader.isMember || handIn.reopened_by === reader.id) return null
  const reason = notes.findLast((note) => note.kind === 'reopened' && note.handIn === handIn.number)
  return { by: handIn.reopener_name, at, reason: reason?.body ?? null }
}

function handInFor({ article, handIn }: ArticleFacts, reader: Reader): NewsOfReader['handedIn'] {
  if (handIn === null || handIn.reopened_at !== null || !article.completed) return null
  if (reader.role !== 'admin' || !reader.follows || handIn.user_id === reader.id) return null
  return { by: handIn.user_name, at: handIn.at, number: handIn.number }
}

/** A note that is done is settled, and so are its answers; one that was taken back has no words. */
function notesFor({ notes, participants }: ArticleFacts, reader: Reader): ArticleNote[] {
  if (!participants.has(reader.id)) return []
  const open = openNotes(notes)
  const names = new Set(open.map(({ ref }) => ref))
  const gone = new Set(notes.flatMap(({ kind, to }) => (kind === 'taken-back' ? [to] : [])))
  const isOpen = ({ kind, ref, to }: ArticleNote) =>
    (kind === 'note' && names.has(ref)) ||
    (kind === 'answer' && !gone.has(ref ?? '') && (to === undefined || names.has(to)))
  return notes.filter((note) => note.author.id !== reader.id && isOpen(note))
}
