import { Hono } from 'hono'
import { ACCOUNT_BODY_BYTES } from '../../domain/limits.ts'
import { templateBody } from '../../domain/wire/templates.ts'
import type { Deps } from '../deps.ts'
import { type AppEnv, requireAdmin, requireUser } from '../http/authenticate.ts'
import { jsonResponse } from '../http/json-response.ts'
import { readJson } from '../http/read-body.ts'
import { pathId } from '../http/read-query.ts'
import { keepTemplate, removeTemplate, templateNotFound } from './change-templates.ts'
import { listTemplates } from './template-rows.ts'

/** For admins. What `app.ts` mounts at /v1/templates. */
export function templateRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const user = requireUser(deps)

  routes.get('/', user, requireAdmin, async (c) =>
    jsonResponse(c, JSON.stringify({ results: await deps.reads.read(listTemplates) })),
  )

  routes.post('/', user, requireAdmin, async (c) => {
    const wanted = await readJson(c, templateBody, ACCOUNT_BODY_BYTES)
    return c.json(await keepTemplate(deps, c.get('viewer'), wanted), 201)
  })

  routes.delete('/:id', user, requireAdmin, async (c) => {
    await removeTemplate(deps, c.get('viewer'), pathId(c, 'id', templateNotFound))
    return c.body(null, 204)
  })

  return routes
}
