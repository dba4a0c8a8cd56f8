import { Hono } from 'hono'
import { articleLogQuery, logQuery } from '../../domain/wire/list-query.ts'
import { listOf } from '../../domain/wire/listing.ts'
import { readableId } from '../articles/readable-id.ts'
import type { Database, Deps } from '../deps.ts'
import { type AppEnv, requireAdmin, requireUser } from '../http/authenticate.ts'
import { jsonResponse } from '../http/json-response.ts'
import { readListQuery } from '../http/listing-query.ts'
import { logEntries } from './log-entries.ts'
import { listLog } from './log-rows.ts'

/** The log of the agency, and of one article for every user who may read it. Mounted at /v1. */
export function logRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const user = requireUser(deps)

  routes.get('/log', user, requireAdmin, async (c) => {
    const { page, limit, ...filter } = readListQuery(c, logQuery)
    const list = await deps.reads.read((db) => logOf(db, filter, { page, limit, isOfAgency: true }))
    return jsonResponse(c, JSON.stringify(list))
  })

  routes.get('/articles/:id/log', user, async (c) => {
    const list = await deps.reads.read(async (db) => {
      const articleId = await readableId(db, c)
      const { page, limit } = readListQuery(c, articleLogQuery)
      return logOf(db, { articleId }, { page, limit, isOfAgency: false })
    })
    return jsonResponse(c, JSON.stringify(list))
  })

  return routes
}

async function logOf(
  db: Database,
  filter: Parameters<typeof listLog>[1],
  { page, limit, isOfAgency }: { page: number; limit: number; isOfAgency: boolean },
) {
  const { entries, total } = await listLog(db, filter, { page, limit })
  return listOf(await logEntries(db, entries, { isOfAgency }), page, limit, total)
}
