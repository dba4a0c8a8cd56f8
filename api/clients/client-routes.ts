import { Hono } from 'hono'
import { ACCOUNT_BODY_BYTES } from '../../domain/limits.ts'
import { clientCreateBody, clientPatchBody } from '../../domain/wire/clients.ts'
import { clientListQuery } from '../../domain/wire/list-query.ts'
import { listOf } from '../../domain/wire/listing.ts'
import type { Deps } from '../deps.ts'
import { type AppEnv, requireAdmin, requireUser } from '../http/authenticate.ts'
import { ApiError } from '../http/errors.ts'
import { jsonResponse } from '../http/json-response.ts'
import { readListQuery } from '../http/listing-query.ts'
import { readJson } from '../http/read-body.ts'
import { pathId } from '../http/read-query.ts'
import { addClient, changeClient, removeClient } from './change-client.ts'
import { isLiveClient, listClients } from './client-rows.ts'

const clientNotFound = () => new ApiError(404, 'Client not found')

/** Routes that `app.ts` mounts at /v1/clients, for admins only. */
export function clientRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const user = requireUser(deps)

  routes.get('/', user, requireAdmin, async (c) => {
    const listing = readListQuery(c, clientListQuery)
    const { clients, total } = await deps.reads.read((db) => listClients(db, listing))
    return jsonResponse(c, JSON.stringify(listOf(clients, listing.page, listing.limit, total)))
  })

  routes.post('/', user, requireAdmin, async (c) => {
    const { name } = await readJson(c, clientCreateBody, ACCOUNT_BODY_BYTES)
    return c.json(await addClient(deps, c.get('viewer'), name), 201)
  })

  routes.patch('/:id', user, requireAdmin, async (c) => {
    const id = pathId(c, 'id', clientNotFound)
    if (!(await isLiveClient(deps.db, id))) throw clientNotFound()
    const patch = await readJson(c, clientPatchBody, ACCOUNT_BODY_BYTES)
    const client = await changeClient(deps, c.get('viewer'), id, patch)
    if (client === undefined) throw clientNotFound()
    return c.json(client)
  })

  routes.delete('/:id', user, requireAdmin, async (c) => {
    const id = pathId(c, 'id', clientNotFound)
    if (!(await removeClient(deps, c.get('viewer'), id))) throw clientNotFound()
    return c.body(null, 204)
  })

  return routes
}
