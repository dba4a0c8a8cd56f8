import { Hono } from 'hono'
import { ACCOUNT_BODY_BYTES, ARTICLE_BODY_BYTES, STRAY_BODY_BYTES } from '../../domain/limits.ts'
import { strayListQuery } from '../../domain/list-query.ts'
import { listOf } from '../../domain/listing.ts'
import { type Stray, strayCreateBody, strayPatchBody } from '../../domain/wire-strays.ts'
import { withArticleText } from '../articles/article-json.ts'
import { readChange } from '../articles/exchange.ts'
import { storedText } from '../articles/stored-text.ts'
import type { Deps } from '../deps.ts'
import { type AppContext, type AppEnv, requireAdmin, requireUser } from '../http/authenticate.ts'
import { ApiError, articleNotFound } from '../http/errors.ts'
import { jsonResponse } from '../http/json-response.ts'
import { readJson } from '../http/read-body.ts'
import { pathId } from '../http/read-query.ts'
import { readListQuery } from '../listing-query.ts'
import { limitLargeStrays } from '../throttle/request-limits.ts'
import { markDone } from './mark-done.ts'
import { type NewStray, sendStray } from './send-stray.ts'
import { findStray, listStrays, type StoredStray } from './stray-rows.ts'

const strayNotFound = () => new ApiError(404, 'Text not found')

/**
 * Undelivered texts: writers send them, only admins read them, and no call deletes them. Routes that `app.ts` mounts at
 * /v1.
 */
export function strayRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const user = requireUser(deps)

  routes.post('/articles/:id/strays', user, async (c) => {
    const body = await readStray(c)
    if (body.ok && body.changes.text.json.length > ARTICLE_BODY_BYTES)
      await limitLargeStrays(deps, c)
    const { receipt, replayed } = await sendStray(deps, {
      viewer: c.get('viewer'),
      articleId: pathId(c, 'id', articleNotFound),
      body,
      idempotencyKey: c.req.header('idempotency-key'),
    })
    if (replayed) c.header('Idempotency-Replayed', 'true')
    return c.json(receipt, 201)
  })

  routes.get('/strays', user, requireAdmin, async (c) => {
    const listing = readListQuery(c, strayListQuery)
    const { strays, total } = await listStrays(deps.db, { done: undefined, ...listing })
    return jsonResponse(
      c,
      JSON.stringify(listOf(strays.map(toStray), listing.page, listing.limit, total)),
    )
  })

  routes.get('/strays/:id', user, requireAdmin, async (c) => {
    const stray = await findStray(deps.db, pathId(c, 'id', strayNotFound))
    if (stray === undefined) throw strayNotFound()
    return jsonResponse(c, withArticleText(JSON.stringify(toStray(stray)), stray.article_text))
  })

  routes.patch('/strays/:id', user, requireAdmin, async (c) => {
    const id = pathId(c, 'id', strayNotFound)
    if ((await findStray(deps.db, id)) === undefined) throw strayNotFound()
    const { done } = await readJson(c, strayPatchBody, ACCOUNT_BODY_BYTES)
    const stray = await markDone(deps, c.get('viewer'), id, done)
    if (stray === undefined) throw strayNotFound()
    return c.json(toStray(stray))
  })

  return routes
}

const readStray = (c: AppContext) =>
  readChange(
    c,
    strayCreateBody,
    ({ articleText, reason }): { changes: NewStray; fingerprint: unknown[] } => {
      const text = storedText(articleText)
      return { changes: { text, reason }, fingerprint: [text.json, reason] }
    },
    STRAY_BODY_BYTES,
  )

function toStray(stray: StoredStray): Stray {
  return {
    id: stray.id,
    article: { id: stray.article_id, name: stray.article_name },
    author: { id: stray.user_id, name: stray.user_name },
    reason: stray.reason,
    words: stray.words,
    createdAt: stray.created_at,
    doneAt: stray.done_at,
  }
}
