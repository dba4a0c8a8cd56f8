import { createMiddleware } from 'hono/factory'
import type { Deps } from '../deps.ts'
import { enduredPressure } from '../operations/load.ts'
import type { AppEnv } from './authenticate.ts'
import { ApiError, serverBusy } from './errors.ts'

/**
 * Refuses calls with 503 under pressure, the less urgent ones first: clients keep their data and retry. A damaged file
 * may be read, but nothing is written to it.
 */
export function refuseWhenUnfit({
  config,
  health,
  load,
}: Pick<Deps, 'config' | 'health' | 'load'>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const isWrite = c.req.method !== 'GET' && c.req.method !== 'HEAD'
    if (isWrite && health.damage() !== null) throw damaged()
    const pressure = config.rateLimits ? load.pressure() : 0
    if (pressure > 0 && enduredPressure(c.req) <= pressure) throw serverBusy(5)
    await next()
  })
}

const damaged = () =>
  new ApiError(503, 'The server takes no changes at the moment.', {
    headers: { 'Retry-After': '60' },
  })
