import { createMiddleware } from 'hono/factory'
import { sha256 } from '../articles/stored-text.ts'
import type { Deps } from '../deps.ts'
import { type AppEnv, beginTraffic } from '../http/authenticate.ts'
import { databaseError } from '../http/error-response.ts'
import { ApiError, unauthenticated } from '../http/errors.ts'
import { PROGRAM } from '../throttle/limits.ts'
import { limitUnsigned } from '../throttle/request-limits.ts'
import { hasTokenInAddress, tokenIn } from './program-token.ts'
import { findToken, noteUse } from './program-token-rows.ts'

/**
 * Sets `c.get('program')`, or refuses with 401. The token is read on every request, so its revocation takes effect with
 * the next one.
 */
export function requireProgram(deps: Deps) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (hasTokenInAddress(c.req.url)) {
      await limitUnsigned(deps, c)
      throw new ApiError(401, 'Send the token in the Authorization header, never in the address')
    }
    const token = tokenIn(c.req.header('authorization'))
    const known = token && (await findToken(deps.db, sha256(token)))
    if (!known || Date.parse(known.expires_at) <= deps.clock.now()) {
      await limitUnsigned(deps, c)
      throw unauthenticated()
    }
    await deps.throttle.take(PROGRAM, known.id)
    await noteDay(deps, known)
    c.set('program', { id: known.id, clientIds: known.clientIds })
    await beginTraffic(deps, c, known.id)
    await next()
  })
}

/** A storage fault is only logged: the program can read without it. */
async function noteDay(
  { db, clock, log }: Deps,
  { id, last_used_on }: { id: string; last_used_on: string | null },
): Promise<void> {
  const day = new Date(clock.now()).toISOString().slice(0, 10)
  if (day === last_used_on) return
  try {
    await noteUse(db, id, day)
  } catch (err) {
    if (databaseError(err) === undefined) throw err
    log.warn({ err, programId: id }, 'The use of a token could not be noted')
  }
}
