import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import type { Deps } from '../deps.ts'
import type { AppContext, AppEnv } from './authenticate.ts'

/**
 * Gives every request an id and one log line. The line has the route pattern and never the address: an address may
 * contain a reset token. Who has an article open at what time is in no log.
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
    const programId: string | undefined = c.get('program')?.id
    const { method } = c.req
    const route = routeOf(c)
    metrics.request(route, method, c.res.status, took / 1000)
    if (route === '/v1/presence' && c.res.status < 300) return
    log.info({ requestId, actorId, programId, method, route, status: c.res.status, ms }, 'Request')
  })
}

/** Method of middleware that is registered for every method, and so is no route. */
const ANY_METHOD = 'ALL'

/**
 * The route pattern of a request: the last one registered for its method, whatever middleware follows for all requests,
 * such as the pages. `/*` for other addresses: a file, a page, an unknown one.
 */
export const routeOf = (c: AppContext): string =>
  matchedRoutes(c).findLast(({ method }) => method !== ANY_METHOD)?.path ?? '/*'
