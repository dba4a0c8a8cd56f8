import type * as z from 'zod'
import { NOTE_CHANGES_MAX, TAKE_BACK_MS } from '../../domain/limits.ts'
import type { ArticleNote, NoteKind, noteChangeBody } from '../../domain/wire/notes.ts'
import { type AddRequest, addOnce, keyLocks } from '../articles/add-once.ts'
import { mayReadArticle } from '../articles/article-rows.ts'
import { lockOf, write } from '../database/locks.ts'
import type { ArticleNoteRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import { countChange } from '../events/change-rows.ts'
import { ensureSignedIn, type Viewer } from '../http/authenticate.ts'
import { ApiError, articleNotFound, forbidden } from '../http/errors.ts'
import {
  CHANGED_KINDS,
  countNotes,
  emptyNote,
  findNote,
  insertNote,
  noteOf,
  unknownNote,
} from './note-rows.ts'

type Change = z.output<typeof noteChangeBody>

export type ChangeRequest = AddRequest<Change> & { viewer: Viewer; articleId: string; ref: string }

/**
 * Adds a change of a note about words, in one transaction: sign-in (401), article visible (404), key known (the stored
 * response, or 422), body (400), note (404), and to take it back, author (403) and time (409); room (409). The last
 * change in the order of the server is the state of the note.
 */
export function changeNote(
  deps: Deps,
  request: ChangeRequest,
): Promise<{ added: ArticleNote; replayed: boolean }> {
  const { viewer, articleId, ref } = request
  const now = deps.clock.now()
  return write(deps.db, [lockOf.article(articleId), ...keyLocks(request)], async (db) => {
    await ensureSignedIn(db, viewer, now)
    if (!(await mayReadArticle(db, viewer, articleId))) throw articleNotFound()
    return addOnce(db, request, now, async (change) => {
      const note = await findNote(db, articleId, ref)
      if (note?.hand_in !== 0 || ('done' in change && note.kind !== 'note')) throw unknownNote()
      if ('takenBack' in change) await takeBack(db, note, viewer, now)
      if ((await countNotes(db, articleId, CHANGED_KINDS)) >= NOTE_CHANGES_MAX) throw tooMany()
      const row: ArticleNoteRow = {
        id: deps.newId(),
        article_id: articleId,
        kind: kindOf(change),
        body: '',
        author_id: viewer.id,
        author_name: viewer.name,
        hand_in: 0,
        created_at: new Date(now).toISOString(),
        ref: null,
        about: note.ref ?? note.id,
        anchor: null,
        suggestion: null,
      }
      await insertNote(db, row)
      await countChange(db, articleId)
      return noteOf(row)
    })
  })
}

function kindOf(change: Change): NoteKind {
  if ('takenBack' in change) return 'taken-back'
  return change.done ? 'done' : 'open'
}

async function takeBack(
  db: Database,
  note: ArticleNoteRow,
  viewer: Viewer,
  now: number,
): Promise<void> {
  if (note.author_id !== viewer.id) throw forbidden()
  if (now - Date.parse(note.created_at) > TAKE_BACK_MS) throw tooLate()
  await emptyNote(db, note.id)
}

const tooLate = () =>
  new ApiError(409, 'A note can be taken back for a minute. Mark it as done instead.', {
    reason: 'too_late',
  })

const tooMany = () =>
  new ApiError(
    409,
    `The notes of this article were changed ${new Intl.NumberFormat('en').format(NOTE_CHANGES_MAX)} times, the most that is kept.`,
    { reason: 'too_many_notes' },
  )
