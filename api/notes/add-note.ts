import type * as z from 'zod'
import { canReopenArticle } from '../../domain/access/permissions.ts'
import { NOTES_MAX } from '../../domain/limits.ts'
import type { ArticleNote, noteCreateBody } from '../../domain/wire/notes.ts'
import { type AddRequest, addOnce, keyLocks } from '../articles/add-once.ts'
import { mayReadArticle } from '../articles/article-rows.ts'
import { lockOf, write } from '../database/locks.ts'
import type { ArticleNoteRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import { countChange } from '../events/change-rows.ts'
import { hasHandIn } from '../hand-ins/hand-in-rows.ts'
import { ensureSignedIn, type Viewer } from '../http/authenticate.ts'
import { ApiError, articleNotFound, forbidden } from '../http/errors.ts'
import {
  countNotes,
  findNote,
  insertNote,
  isComplete,
  noteOf,
  unknownNote,
  WRITTEN_KINDS,
} from './note-rows.ts'

export type NewNote = z.output<typeof noteCreateBody>

export type NoteRequest = AddRequest<NewNote> & { viewer: Viewer; articleId: string }

/**
 * Adds a note to the article, in one transaction and in the order of every change: sign-in (401), article visible (404),
 * key known (the stored response, or 422), body (400), right (403), state (409), hand-in (400), `ref` known (the stored note), the note that is answered (404), room (409). Neither `version` nor `updatedAt` of the
 * article changes.
 */
export function addNote(
  deps: Deps,
  request: NoteRequest,
): Promise<{ added: ArticleNote; replayed: boolean }> {
  const { viewer, articleId } = request
  const now = deps.clock.now()
  return write(deps.db, [lockOf.article(articleId), ...keyLocks(request)], async (db) => {
    await ensureSignedIn(db, viewer, now)
    if (!(await mayReadArticle(db, viewer, articleId))) throw articleNotFound()
    return addOnce(db, request, now, (note) => keepNote(deps, db, { viewer, articleId, note, now }))
  })
}

type Kept = { viewer: Viewer; articleId: string; note: NewNote; now: number }

async function keepNote(
  { newId }: Pick<Deps, 'newId'>,
  db: Database,
  { viewer, articleId, note, now }: Kept,
): Promise<ArticleNote> {
  const handIn = handInOf(note)
  if (note.kind === 'reopened') {
    if (!canReopenArticle(viewer)) throw forbidden()
    if (!(await wasReopened(db, articleId, handIn))) throw notReopened()
  }
  if (handIn !== null && handIn > 0 && !(await hasHandIn(db, articleId, handIn)))
    throw noHandIn(handIn)
  if ('ref' in note && note.ref !== undefined) {
    const stored = await findNote(db, articleId, note.ref)
    if (stored) return noteOf(stored)
  }
  if ('to' in note && note.to !== undefined) {
    if ((await findNote(db, articleId, note.to))?.kind !== 'note') throw unknownNote()
  }
  if ((await countNotes(db, articleId, WRITTEN_KINDS)) >= NOTES_MAX) throw tooManyNotes()
  const row: ArticleNoteRow = {
    id: newId(),
    article_id: articleId,
    kind: note.kind,
    body: note.body,
    author_id: viewer.id,
    author_name: viewer.name,
    hand_in: handIn,
    created_at: new Date(now).toISOString(),
    ref: ('ref' in note && note.ref) || null,
    about: ('to' in note && note.to) || null,
    anchor: 'anchor' in note ? JSON.stringify(note.anchor) : null,
    suggestion: ('suggestion' in note && note.suggestion) || null,
  }
  await insertNote(db, row)
  await countChange(db, articleId)
  return noteOf(row)
}

/** A note about words, or an answer to one, is about no hand-in. */
const handInOf = (note: NewNote): number | null =>
  note.kind === 'note' || ('to' in note && note.to !== undefined) ? 0 : note.handIn

/** Whether the article was reopened after this hand-in, its last one by default: only then it can have a later one. */
const wasReopened = async (db: Database, articleId: string, handIn: number | null) =>
  !(await isComplete(db, articleId)) ||
  (handIn !== null && (await hasHandIn(db, articleId, handIn + 1)))

const tooManyNotes = () =>
  new ApiError(
    409,
    `This article has ${new Intl.NumberFormat('en').format(NOTES_MAX)} notes, the most it can have.`,
    { reason: 'too_many_notes' },
  )

const noHandIn = (number: number) =>
  new ApiError(400, `This article has no hand-in ${number}.`, { reason: 'unknown_hand_in' })

const notReopened = () =>
  new ApiError(409, 'This article is complete. Reopen it before you say why.', {
    reason: 'article_completed',
  })
