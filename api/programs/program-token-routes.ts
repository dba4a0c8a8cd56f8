import { Hono } from 'hono'
import { ACCOUNT_BODY_BYTES } from '../../domain/limits.ts'
import { programTokenCreateBody } from '../../domain/wire/program-tokens.ts'
import type { Deps } from '../deps.ts'
import { type AppEnv, requireAdmin, requireUser } from '../http/authenticate.ts'
import { ApiError } from '../http/errors.ts'
import { jsonResponse } from '../http/json-response.ts'
import { readJson } from '../http/read-body.ts'
import { pathId } from '../http/read-query.ts'
import { requireManager } from '../users/managers.ts'
import {
  makeProgramToken,
  revokeProgramToken,
  takeOverProgramToken,
} from './change-program-tokens.ts'
import { listTokens } from './program-token-rows.ts'

const tokenNotFound = () => new ApiError(404, 'Token not found')

/** What `app.ts` mounts at /v1/program-tokens. */
export function programTokenRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const user = requireUser(deps)

  routes.get('/', user, requireAdmin, async (c) => {
    const now = new Date(deps.clock.now()).toISOString()
    const results = await deps.reads.read((db) => listTokens(db, now))
    return jsonResponse(c, JSON.stringify({ results }))
  })

  routes.post('/', user, async (c) => {
    requireManager(c.get('viewer'))
    const wanted = await readJson(c, programTokenCreateBody, ACCOUNT_BODY_BYTES)
    return c.json(await makeProgramToken(deps, c.get('viewer'), wanted), 201)
  })

  routes.delete('/:id', user, async (c) => {
    requireManager(c.get('viewer'))
    const id = pathId(c, 'id', tokenNotFound)
    if (!(await revokeProgramToken(deps, c.get('viewer'), id))) throw tokenNotFound()
    return c.body(null, 204)
  })

  routes.post('/:id/owner', user, async (c) => {
    requireManager(c.get('viewer'))
    const id = pathId(c, 'id', tokenNotFound)
    const token = await takeOverProgramToken(deps, c.get('viewer'), id)
    if (token === undefined) throw tokenNotFound()
    return c.json(token)
  })

  return routes
}
