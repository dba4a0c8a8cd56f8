import { Hono } from 'hono'
import { ACCOUNT_BODY_BYTES } from '../../domain/limits.ts'
import { wholeList } from '../../domain/wire/listing.ts'
import { noteChangeBody, noteCreateBody } from '../../domain/wire/notes.ts'
import type { ChangeBody } from '../articles/article-change.ts'
import { aboutChange, answerOnce, readingChange, readWhole } from '../articles/article-http.ts'
import { readableId } from '../articles/readable-id.ts'
import type { Deps } from '../deps.ts'
import { type AppContext, type AppEnv, requireUser } from '../http/authenticate.ts'
import { articleNotFound } from '../http/errors.ts'
import { jsonResponse } from '../http/json-response.ts'
import { readJson } from '../http/read-body.ts'
import { pathId } from '../http/read-query.ts'
import { addNote, type NewNote } from './add-note.ts'
import { changeNote } from './change-note.ts'
import { listNotes } from './note-rows.ts'

/**
 * Why an article was reopened, what its writers answered, and notes about words of its text: for every user who may read
 * it. Routes that `app.ts` mounts at /v1/articles.
 */
export function noteRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const user = requireUser(deps)

  routes.get('/:id/notes', user, async (c) => {
    const notes = await deps.reads.read(async (db) => listNotes(db, await readableId(db, c)))
    return jsonResponse(c, JSON.stringify(wholeList(notes)))
  })

  routes.post('/:id/notes', user, async (c) => {
    const done = await addNote(deps, {
      viewer: c.get('viewer'),
      articleId: pathId(c, 'id', articleNotFound),
      body: await readNote(c),
      idempotencyKey: aboutChange(c).idempotencyKey,
    })
    return answerOnce(c, done, 201)
  })

  routes.patch('/:id/notes/:ref', user, async (c) => {
    const done = await changeNote(deps, {
      viewer: c.get('viewer'),
      articleId: pathId(c, 'id', articleNotFound),
      ref: c.req.param('ref'),
      body: await readWhole(c, noteChangeBody),
      idempotencyKey: aboutChange(c).idempotencyKey,
      status: 200,
    })
    return answerOnce(c, done)
  })

  return routes
}

const readNote = (c: AppContext): Promise<ChangeBody<NewNote>> =>
  readingChange([c.req.method, c.req.path], async () => {
    const note = await readJson(c, noteCreateBody, ACCOUNT_BODY_BYTES)
    return { changes: note, fingerprint: fingerprintOf(note) }
  })

/** That of a note of a reopening is the same in an earlier release. */
function fingerprintOf(note: NewNote): unknown[] {
  if (note.kind === 'note') return [note.kind, note.body, note.ref, note.anchor, note.suggestion]
  const isAnswer = note.kind === 'answer' && note.to !== undefined
  return [note.kind, note.body, note.handIn, ...(isAnswer ? [note.ref, note.to] : [])]
}
