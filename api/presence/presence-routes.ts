import { Hono } from 'hono'
import { PRESENCE_BODY_BYTES } from '../../domain/limits.ts'
import { presenceBody } from '../../domain/wire/presence.ts'
import type { Deps } from '../deps.ts'
import { type AppEnv, requireUser } from '../http/authenticate.ts'
import { readJson } from '../http/read-body.ts'

/** Routes that `app.ts` mounts at /v1/presence. Whether the caller may read the articles is read when others are notified. */
export function presenceRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.put('/', requireUser(deps), async (c) => {
    const { articles } = await readJson(c, presenceBody, PRESENCE_BODY_BYTES)
    deps.presence.report(c.get('viewer'), articles)
    return c.body(null, 204)
  })
  return routes
}
