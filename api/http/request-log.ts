import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import type { Deps } from '../deps.ts'
import type { AppContext, AppEnv } from './authenticate.ts'

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
    const route = routeOf(c)
    metrics.request(route, method, c.res.status, took / 1000)
    log.info({ requestId, actorId, method, route, status: c.res.status, ms }, 'Request')
  })
}

/** What is registered for every method, and so is no route but something that requests pass. */
const ANY_METHOD = 'ALL'

/**
 * The pattern of the route that a request asked for: the last one of its method, whatever is registered after it for all
 * requests, as the pages are. `/*` for what is no route: a file, a page, an unknown address.
 */
export const routeOf = (c: AppContext): string =>
  matchedRoutes(c).findLast(({ method }) => method !== ANY_METHOD)?.path ?? '/*'
