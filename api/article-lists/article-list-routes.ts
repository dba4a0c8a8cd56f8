import { Hono } from 'hono'
import { LISTED_ARTICLES_BYTES } from '../../domain/limits.ts'
import { articleListBody } from '../../domain/wire/article-lists.ts'
import { aboutChange, answerOnce, readWhole } from '../articles/article-http.ts'
import type { Deps } from '../deps.ts'
import { type AppEnv, requireAdmin, requireUser } from '../http/authenticate.ts'
import { limitKeywordLists } from '../throttle/request-limits.ts'
import { runList } from './run-list.ts'

/** Many articles from one list, for admins. Routes that `app.ts` mounts at /v1/articles. */
export function articleListRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()

  routes.post('/list', requireUser(deps), requireAdmin, async (c) => {
    await limitKeywordLists(deps, c)
    const done = await runList(deps, {
      viewer: c.get('viewer'),
      body: await readWhole(c, articleListBody, LISTED_ARTICLES_BYTES, 'maybe-packed'),
      idempotencyKey: aboutChange(c).idempotencyKey,
      status: 200,
    })
    return answerOnce(c, done)
  })

  return routes
}
