import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { AppEnv } from './authenticate.ts'
import type { Deps } from './deps.ts'

/**
 * Gives every request an id and one log line. The line has the pattern of the route and never the
 * address itself: an address may carry a reset token.
 */
export function requestLog({ clock, log, newId, metrics }: Deps) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const started = clock.monotonic()
    const requestId = newId()
    c.set('requestId', requestId)
    await next()
    c.res.headers.set('X-Request-Id', requestId)
    const took = clock.monotonic() - started
    const ms = Math.round(took)
    const actorId: string | undefined = c.get('viewer')?.id
    const { method } = c.req
    const route = routePath(c, -1)
    metrics.request(route, method, c.res.status, took / 1000)
    log.info({ requestId, actorId, method, route, status: c.res.status, ms }, 'Request')
  })
}
