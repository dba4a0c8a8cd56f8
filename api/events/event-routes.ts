import { Hono } from 'hono'
import type { Deps } from '../deps.ts'
import { type AppEnv, requireUser } from '../http/authenticate.ts'
import { serverBusy, unauthenticated } from '../http/errors.ts'

/** Keeps proxies from buffering, compressing or caching the stream. */
const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  // Without it the connection stays open after the stream for the keep-alive time, and delays a shutdown.
  Connection: 'close',
}

/** Routes that `app.ts` mounts at /v1/events. */
export function eventRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.get('/', requireUser(deps), async (c) => {
    if (deps.isDraining()) throw serverBusy()
    if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS)
    const viewer = c.get('viewer')
    // Other calls accept an expired token for a few seconds; a stream would end before its first event.
    if (viewer.tokenExpiresAt <= deps.clock.now()) throw unauthenticated()
    // Only a call without a socket (app.request) has no connection to cut.
    const hangUp = (c.env as Partial<AppEnv['Bindings']> | undefined)?.hangUp ?? (() => {})
    return c.body(await deps.changes.open(viewer, hangUp), 200, HEADERS)
  })
  return routes
}
