import type { Home } from '../../domain/wire/home.ts'
import { NoAnswer, type Send } from '../../sync/ports.ts'
import { createCall } from './calls.ts'

/** What needs the signed-in admin's attention, on the day that began at `today`. Rejects with Refused or NoAnswer. */
export function readHome(send: Send, today: Date): Promise<Home> {
  return createCall(send)('GET', `/home?today=${today.toISOString()}`).then(homeIn)
}

const NOTHING_LATE: Home['late'] = { total: 0, articles: [] }

/** A success that is no home comes from something between this computer and the server. */
function homeIn(json: unknown): Home {
  const home = json as Partial<Home> | null | undefined
  // A node of an earlier release has only the former name.
  const undeliveredTexts = home?.undeliveredTexts ?? home?.strays
  if (!Array.isArray(home?.completed?.articles) || !undeliveredTexts) throw new NoAnswer()
  // It does not know either what is late.
  const { late = NOTHING_LATE, dueThisWeek = 0, agencyToday = '' } = home
  return { ...(home as Home), undeliveredTexts, late, dueThisWeek, agencyToday }
}
