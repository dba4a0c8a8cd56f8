import { Hono } from 'hono'
import { ACCOUNT_BODY_BYTES } from '../../domain/limits.ts'
import { noteCreateBody } from '../../domain/wire/hand-ins.ts'
import { wholeList } from '../../domain/wire/listing.ts'
import type { ChangeBody } from '../articles/article-change.ts'
import { aboutChange, readingChange } from '../articles/exchange.ts'
import { readableId } from '../articles/readable-id.ts'
import type { Deps } from '../deps.ts'
import { type AppContext, type AppEnv, requireUser } from '../http/authenticate.ts'
import { articleNotFound } from '../http/errors.ts'
import { jsonResponse } from '../http/json-response.ts'
import { readJson } from '../http/read-body.ts'
import { pathId } from '../http/read-query.ts'
import { addNote, type NewNote } from './add-note.ts'
import { listNotes } from './note-rows.ts'

/**
 * Why an article was reopened, and what its writers answered: for every user who may read it, and never changed. Routes
 * that `app.ts` mounts at /v1/articles.
 */
export function noteRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const user = requireUser(deps)

  routes.get('/:id/notes', user, async (c) => {
    const notes = await deps.reads.read(async (db) => listNotes(db, await readableId(db, c)))
    return jsonResponse(c, JSON.stringify(wholeList(notes)))
  })

  routes.post('/:id/notes', user, async (c) => {
    const { added, replayed } = await addNote(deps, {
      viewer: c.get('viewer'),
      articleId: pathId(c, 'id', articleNotFound),
      body: await readNote(c),
      idempotencyKey: aboutChange(c).idempotencyKey,
    })
    if (replayed) c.header('Idempotency-Replayed', 'true')
    return c.json(added, 201)
  })

  return routes
}

const readNote = (c: AppContext): Promise<ChangeBody<NewNote>> =>
  readingChange([c.req.method, c.req.path], async () => {
    const note = await readJson(c, noteCreateBody, ACCOUNT_BODY_BYTES)
    return { changes: note, fingerprint: [note.kind, note.body, note.handIn] }
  })
