import { Hono } from 'hono'
import type { Deps } from '../deps.ts'
import { type AppEnv, requireUser } from '../http/authenticate.ts'
import { serverBusy, unauthenticated } from '../http/errors.ts'

/** No proxy on the way may collect, pack or keep what is meant for this moment. */
const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  // Without it the connection stays open after the stream for the keep-alive time, and delays a shutdown.
  Connection: 'close',
}

/** What `app.ts` mounts at /v1/events. */
export function eventRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.get('/', requireUser(deps), async (c) => {
    if (deps.isDraining()) throw serverBusy()
    if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS)
    const viewer = c.get('viewer')
    // Other calls are lenient for a few seconds; a stream would end before it says anything.
    if (viewer.tokenExpiresAt <= deps.clock.now()) throw unauthenticated()
    // Only a call that came through no socket has nothing to hang up.
    const hangUp = (c.env as Partial<AppEnv['Bindings']> | undefined)?.hangUp ?? (() => {})
    return c.body(await deps.changes.open(viewer, hangUp), 200, HEADERS)
  })
  return routes
}
