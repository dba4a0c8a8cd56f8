import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { AppEnv } from './authenticate.ts'
import type { Deps } from './deps.ts'

/**
 * Gives every request an id and one log line. The line has the pattern of the route and never the
 * address itself: an address may carry a reset token.
 */
export function requestLog({ clock, log, newId }: Deps) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const started = clock.monotonic()
    const requestId = newId()
    c.set('requestId', requestId)
    await next()
    c.res.headers.set('X-Request-Id', requestId)
    const ms = Math.round(clock.monotonic() - started)
    const actorId: string | undefined = c.get('viewer')?.id
    const { method } = c.req
    log.info(
      { requestId, actorId, method, route: routePath(c, -1), status: c.res.status, ms },
      'Request',
    )
  })
}
