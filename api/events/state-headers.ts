import type { MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Deps } from '../deps.ts'
import type { AppEnv } from '../http/authenticate.ts'
import { readState } from './change-rows.ts'

/**
 * Adds headers with the epoch and the number of changes, read before the data of the response: a client that was
 * notified of as many changes has missed none.
 */
export function tellState({ db }: Pick<Deps, 'db'>): MiddlewareHandler<AppEnv> {
  return createMiddleware<AppEnv>(async (c, next) => {
    const { epoch, seq } = await readState(db)
    await next()
    c.res.headers.set('Server-Epoch', epoch)
    c.res.headers.set('Change-Seq', String(seq))
  })
}
