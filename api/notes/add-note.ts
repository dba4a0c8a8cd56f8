import type * as z from 'zod'
import { NOTES_MAX } from '../../domain/limits.ts'
import { canReopenArticle } from '../../domain/permissions.ts'
import type { ArticleNote, noteCreateBody } from '../../domain/wire-hand-ins.ts'
import type { ChangeBody } from '../articles/article-change.ts'
import { mayReadArticle } from '../articles/article-rows.ts'
import { findSameAnswer, keepAnswer, readKey } from '../articles/idempotency.ts'
import type { ArticleNoteRow } from '../database/tables.ts'
import type { Deps } from '../deps.ts'
import { countChange } from '../events/change-rows.ts'
import { hasHandIn } from '../hand-ins/hand-in-rows.ts'
import { ensureSignedIn, type Viewer } from '../http/authenticate.ts'
import { ApiError, articleNotFound, forbidden } from '../http/errors.ts'
import { countNotes, insertNote, noteOf } from './note-rows.ts'

export type NewNote = z.output<typeof noteCreateBody>

export type NoteRequest = {
  viewer: Viewer
  articleId: string
  body: ChangeBody<NewNote>
  /** Unparsed. */
  idempotencyKey: string | undefined
}

/**
 * Adds a note to the article, in one transaction and in the order of every change: sign-in (401), article visible (404),
 * key known (the stored response, or 422), body (400), right (403), room (409). Neither `version` nor `updatedAt` of the
 * article changes.
 */
export function addNote(
  deps: Deps,
  { viewer, articleId, body, idempotencyKey }: NoteRequest,
): Promise<{ note: ArticleNote; replayed: boolean }> {
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    await ensureSignedIn(db, viewer, now)
    if (!(await mayReadArticle(db, viewer, articleId))) throw articleNotFound()
    const key = readKey(idempotencyKey)
    const requestHash = body.ok ? body.hash() : ''
    const use = key === undefined ? undefined : { userId: viewer.id, key, requestHash, now }
    const earlier = use && (await findSameAnswer(db, use))
    if (earlier) return { note: JSON.parse(earlier.response) as ArticleNote, replayed: true }
    if (!body.ok) throw body.fault
    const { kind, body: words, handIn } = body.changes
    if (kind === 'reopened' && !canReopenArticle(viewer)) throw forbidden()
    if ((await countNotes(db, articleId)) >= NOTES_MAX) throw tooManyNotes()
    const row: ArticleNoteRow = {
      id: deps.newId(),
      article_id: articleId,
      kind,
      body: words,
      author_id: viewer.id,
      author_name: viewer.name,
      // A server that was put back to a backup may have lost the hand-in; the words are kept nevertheless.
      hand_in: handIn !== null && (await hasHandIn(db, articleId, handIn)) ? handIn : null,
      created_at: new Date(now).toISOString(),
    }
    const note = noteOf(row)
    await insertNote(db, row)
    await countChange(db, articleId)
    if (use) await keepAnswer(db, use, { status: 201, response: JSON.stringify(note) })
    return { note, replayed: false }
  })
}

const tooManyNotes = () =>
  new ApiError(409, `This article has ${NOTES_MAX} notes already.`, { reason: 'too_many_notes' })
