import { Hono } from 'hono'
import { dayIn } from '../../domain/calendar/due-date.ts'
import { homeQuery } from '../../domain/wire/home.ts'
import type { Deps } from '../deps.ts'
import { type AppEnv, requireAdmin, requireUser } from '../http/authenticate.ts'
import { readQuery } from '../http/listing-query.ts'
import { readHome } from './home-rows.ts'
import { lastVisitOf } from './visit-rows.ts'

/** GET /v1/home, for admins. */
export function homeRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.get('/', requireUser(deps), requireAdmin, async (c) => {
    const now = deps.clock.now()
    const { today = midnight(now) } = readQuery(c, homeQuery)
    const agencyToday = dayIn(deps.config.timeZone, now)
    const home = await deps.reads.read(async (db) => {
      const lastVisit = await lastVisitOf(db, c.get('viewer').id)
      return readHome(db, { lastVisit, today: inFull(today), agencyToday })
    })
    return c.json(home)
  })
  return routes
}

const midnight = (now: number): string => `${new Date(now).toISOString().slice(0, 10)}T00:00:00Z`

/** Stored times are compared as strings, so all need the same format. */
const inFull = (time: string): string => new Date(time).toISOString()
