import { Hono } from 'hono'
import { dayIn } from '../../domain/calendar/due-date.ts'
import { progressQuery } from '../../domain/wire/list-query.ts'
import { listOf } from '../../domain/wire/listing.ts'
import type { Progress } from '../../domain/wire/progress.ts'
import type { Deps } from '../deps.ts'
import { type AppEnv, requireAdmin, requireUser } from '../http/authenticate.ts'
import { jsonResponse } from '../http/json-response.ts'
import { readQuery } from '../http/listing-query.ts'
import { listProgress, uncountedSince } from './progress-rows.ts'

/** GET /v1/progress, for admins. */
export function progressRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.get('/', requireUser(deps), requireAdmin, async (c) => {
    const query = readQuery(c, progressQuery)
    const now = deps.clock.now()
    const today = dayIn(deps.config.timeZone, now)
    const { countedAt, rows, total } = await deps.reads.read(async (db) => {
      // Before the rows: what is counted in between is then said to wait, and never the other way round.
      const countedAt = await uncountedSince(db)
      return { countedAt, ...(await listProgress(db, { ...query, today })) }
    })
    const progress: Progress = {
      ...listOf(rows, query.page, query.limit, total),
      asOf: new Date(now).toISOString(),
      today,
      countedAt,
    }
    return jsonResponse(c, JSON.stringify(progress))
  })
  return routes
}
