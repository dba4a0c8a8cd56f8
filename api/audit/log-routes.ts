import { Hono } from 'hono'
import { articleLogQuery, logQuery } from '../../domain/list-query.ts'
import { listOf } from '../../domain/listing.ts'
import { readableId } from '../articles/readable-id.ts'
import type { Deps } from '../deps.ts'
import { type AppContext, type AppEnv, requireAdmin, requireUser } from '../http/authenticate.ts'
import { jsonResponse } from '../http/json-response.ts'
import { readListQuery } from '../listing-query.ts'
import { logEntries } from './log-entries.ts'
import { type LogPage, listLog } from './log-rows.ts'

/** The log of the agency, and of one article for every user who may read it. Mounted at /v1. */
export function logRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const user = requireUser(deps)

  routes.get('/log', user, requireAdmin, async (c) => {
    const { page, limit, ...filter } = readListQuery(c, logQuery)
    const found = await listLog(deps.db, filter, { page, limit })
    return answer(c, found, { page, limit, isOfAgency: true })
  })

  routes.get('/articles/:id/log', user, async (c) => {
    const articleId = await readableId(deps, c)
    const { page, limit } = readListQuery(c, articleLogQuery)
    const found = await listLog(deps.db, { articleId }, { page, limit })
    return answer(c, found, { page, limit, isOfAgency: false })
  })

  async function answer(
    c: AppContext,
    { entries, total }: LogPage,
    { page, limit, isOfAgency }: { page: number; limit: number; isOfAgency: boolean },
  ): Promise<Response> {
    const results = await logEntries(deps.db, entries, { isOfAgency })
    return jsonResponse(c, JSON.stringify(listOf(results, page, limit, total)))
  }

  return routes
}
