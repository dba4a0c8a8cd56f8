import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../authenticate.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'

/** What a damaged file still has may be read; nothing is written to it. Pages keep what they have and ask again. */
export function refuseWhenUnfit({ health }: Pick<Deps, 'health'>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const isWrite = c.req.method !== 'GET' && c.req.method !== 'HEAD'
    if (isWrite && health.damage() !== null) throw damaged()
    await next()
  })
}

const damaged = () =>
  new ApiError(503, 'The server takes no changes at the moment.', {
    headers: { 'Retry-After': '60' },
  })
