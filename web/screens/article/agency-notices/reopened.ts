import type { HandIn } from '../../../../domain/wire/hand-ins.ts'
import type { ArticleNote } from '../../../../domain/wire/notes.ts'
import {
  type ArticleRecord,
  notesAbout,
  type UnsentNote,
} from '../../../../sync/status/article-record.ts'

/** A note as it is shown: of the server, or one that is still on this computer. */
export type ShownNote = {
  key: string
  body: string
  /** In milliseconds since 1970. */
  at: number
  isReason: boolean
  /** Null for this user. */
  author: string | null
  /** Null once the agency has it. */
  unsent: UnsentNote | null
}

/** The last hand-in of an article that was reopened since, with what was said about it. */
export type Reopening = {
  handIn: HandIn
  /** Null while only this computer knows of it. */
  reopened: HandIn['reopened']
  notes: ShownNote[]
}

/**
 * Null when the article was never handed in, or when it is complete again. The caller knows from the article whether it
 * is complete: this computer may know of a reopening before the server does.
 */
export function reopeningOf(record: ArticleRecord, userId: string): Reopening | null {
  const [handIn] = record.handIns
  if (!handIn) return null
  const { notes, unsent } = notesAbout(record, handIn)
  const all = [...notes.map((note) => shown(note, userId)), ...unsent.map(own)]
  return { handIn, reopened: handIn.reopened, notes: all }
}

function shown(note: ArticleNote, userId: string): ShownNote {
  const { id, body, createdAt, kind, author } = note
  return {
    key: id,
    body,
    at: Date.parse(createdAt),
    isReason: kind === 'reopened',
    author: author.id === userId ? null : author.name,
    unsent: null,
  }
}

const own = (unsent: UnsentNote): ShownNote => ({
  key: `unsent ${unsent.seq}`,
  body: unsent.body,
  at: unsent.at,
  isReason: unsent.kind === 'reopened',
  author: null,
  unsent,
})
