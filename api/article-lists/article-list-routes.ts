import { Hono } from 'hono'
import { LISTED_ARTICLES_BYTES } from '../../domain/limits.ts'
import { articleListBody } from '../../domain/wire/article-lists.ts'
import type { ChangeBody } from '../articles/article-change.ts'
import { aboutChange, readingChange } from '../articles/exchange.ts'
import type { Deps } from '../deps.ts'
import { type AppContext, type AppEnv, requireAdmin, requireUser } from '../http/authenticate.ts'
import { jsonResponse } from '../http/json-response.ts'
import { readJson } from '../http/read-body.ts'
import { limitKeywordLists } from '../throttle/request-limits.ts'
import { type ArticleListInput, runList } from './run-list.ts'

/** Many articles from one list, for admins. Routes that `app.ts` mounts at /v1/articles. */
export function articleListRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()

  routes.post('/list', requireUser(deps), requireAdmin, async (c) => {
    await limitKeywordLists(deps, c)
    const { added, replayed } = await runList(deps, {
      viewer: c.get('viewer'),
      body: await readList(c),
      idempotencyKey: aboutChange(c).idempotencyKey,
      status: 200,
    })
    const headers = replayed ? { 'Idempotency-Replayed': 'true' } : {}
    return jsonResponse(c, JSON.stringify(added), { headers })
  })

  return routes
}

const readList = (c: AppContext): Promise<ChangeBody<ArticleListInput>> =>
  readingChange([c.req.method, c.req.path], async () => {
    const list = await readJson(c, articleListBody, LISTED_ARTICLES_BYTES, 'maybe-packed')
    return { changes: list, fingerprint: [list] }
  })
