import { Hono } from 'hono'
import {
  ACCOUNT_BODY_BYTES,
  ARTICLE_BODY_BYTES,
  UNDELIVERED_BODY_BYTES,
} from '../../domain/limits.ts'
import { undeliveredTextListQuery } from '../../domain/wire/list-query.ts'
import { listOf } from '../../domain/wire/listing.ts'
import {
  type UndeliveredText,
  undeliveredTextCreateBody,
  undeliveredTextPatchBody,
} from '../../domain/wire/undelivered.ts'
import type { ChangeBody } from '../articles/article-change.ts'
import { answerOnce, readingChange } from '../articles/article-http.ts'
import { withArticleText } from '../articles/article-json.ts'
import { storedText } from '../articles/stored-text.ts'
import type { Deps } from '../deps.ts'
import { type AppContext, type AppEnv, requireAdmin, requireUser } from '../http/authenticate.ts'
import { ApiError, articleNotFound } from '../http/errors.ts'
import { jsonResponse } from '../http/json-response.ts'
import { readListQuery } from '../http/listing-query.ts'
import { readJson } from '../http/read-body.ts'
import { pathId } from '../http/read-query.ts'
import { limitLargeUndeliveredTexts } from '../throttle/request-limits.ts'
import { markDone } from './mark-done.ts'
import { ROUTE_NAMES } from './route-names.ts'
import { type NewUndeliveredText, sendUndeliveredText } from './send-undelivered-text.ts'
import {
  findUndeliveredText,
  listUndeliveredTexts,
  type StoredUndeliveredText,
} from './undelivered-text-rows.ts'

const textNotFound = () => new ApiError(404, 'Text not found')

/**
 * Undelivered texts: writers send them, only admins read them, and no call deletes them. Routes that `app.ts` mounts at
 * /v1.
 */
export function undeliveredTextRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  for (const name of ROUTE_NAMES) addRoutes(routes, deps, name)
  return routes
}

function addRoutes(routes: Hono<AppEnv>, deps: Deps, name: (typeof ROUTE_NAMES)[number]): void {
  const user = requireUser(deps)

  routes.post(`/articles/:id/${name}`, user, async (c) => {
    const body = await readUndeliveredText(c)
    if (body.ok && body.changes.text.json.length > ARTICLE_BODY_BYTES)
      await limitLargeUndeliveredTexts(deps, c)
    const done = await sendUndeliveredText(deps, {
      viewer: c.get('viewer'),
      articleId: pathId(c, 'id', articleNotFound),
      body,
      idempotencyKey: c.req.header('idempotency-key'),
    })
    return answerOnce(c, done, 201)
  })

  routes.get(`/${name}`, user, requireAdmin, async (c) => {
    const listing = readListQuery(c, undeliveredTextListQuery)
    const { texts, total } = await deps.reads.read((db) =>
      listUndeliveredTexts(db, { done: undefined, ...listing }),
    )
    return jsonResponse(
      c,
      JSON.stringify(listOf(texts.map(toUndeliveredText), listing.page, listing.limit, total)),
    )
  })

  routes.get(`/${name}/:id`, user, requireAdmin, async (c) => {
    const id = pathId(c, 'id', textNotFound)
    const stored = await deps.reads.read((db) => findUndeliveredText(db, id))
    if (stored === undefined) throw textNotFound()
    const json = JSON.stringify(toUndeliveredText(stored))
    return jsonResponse(c, withArticleText(json, stored.article_text))
  })

  routes.patch(`/${name}/:id`, user, requireAdmin, async (c) => {
    const id = pathId(c, 'id', textNotFound)
    if ((await findUndeliveredText(deps.db, id)) === undefined) throw textNotFound()
    const { done } = await readJson(c, undeliveredTextPatchBody, ACCOUNT_BODY_BYTES)
    const marked = await markDone(deps, c.get('viewer'), id, done)
    if (marked === undefined) throw textNotFound()
    return c.json(toUndeliveredText(marked))
  })
}

/**
 * One text that is sent under one key to both addresses is one request. Its fingerprint has the older address: keys that
 * an earlier release stored are valid for weeks.
 */
const readUndeliveredText = (c: AppContext): Promise<ChangeBody<NewUndeliveredText>> =>
  readingChange([c.req.method, c.req.path.replace(/[^/]+$/, 'strays')], async () => {
    const { articleText, reason } = await readJson(
      c,
      undeliveredTextCreateBody,
      UNDELIVERED_BODY_BYTES,
      'maybe-packed',
    )
    const text = storedText(articleText)
    return { changes: { text, reason }, fingerprint: [text.json, reason] }
  })

function toUndeliveredText(stored: StoredUndeliveredText): UndeliveredText {
  return {
    id: stored.id,
    article: { id: stored.article_id, name: stored.article_name },
    author: { id: stored.user_id, name: stored.user_name },
    reason: stored.reason,
    words: stored.words,
    createdAt: stored.created_at,
    doneAt: stored.done_at,
  }
}
