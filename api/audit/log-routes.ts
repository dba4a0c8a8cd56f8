import { Hono } from 'hono'
import { articleLogQuery, logQuery } from '../../domain/list-query.ts'
import { listOf } from '../../domain/listing.ts'
import { readableId } from '../articles/readable-id.ts'
import type { Database, Deps } from '../deps.ts'
import { type AppEnv, requireAdmin, requireUser } from '../http/authenticate.ts'
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
    const { entries, total } = await deps.reads.read(async (db) =>
      withNames(db, await listLog(db, filter, { page, limit }), { isOfAgency: true }),
    )
    return jsonResponse(c, JSON.stringify(listOf(entries, page, limit, total)))
  })

  routes.get('/articles/:id/log', user, async (c) => {
    const list = await deps.reads.read(async (db) => {
      const articleId = await readableId(db, c)
      const { page, limit } = readListQuery(c, articleLogQuery)
      const found = await listLog(db, { articleId }, { page, limit })
      const { entries, total } = await withNames(db, found, { isOfAgency: false })
      return listOf(entries, page, limit, total)
    })
    return jsonResponse(c, JSON.stringify(list))
  })

  return routes
}

const withNames = async (
  db: Database,
  { entries, total }: LogPage,
  as: { isOfAgency: boolean },
) => ({ entries: await logEntries(db, entries, as), total })
