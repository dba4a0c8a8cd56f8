import type { Dates } from './dates.ts'
import { zoneFormats } from './zone-formats.ts'

/**
 * Due dates are calendar days of the agency, `YYYY-MM-DD`, which compare as texts. A day has no time and no zone: which
 * day it is now, the zone of the agency decides.
 */

const DAY_MS = 24 * 60 * 60 * 1_000

const daysOf = zoneFormats({
  calendar: 'gregory',
  numberingSystem: 'latn',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** The day that it is at `now` (milliseconds since 1970) in the time zone (a name as in `Europe/Berlin`). */
export function dayIn(timeZone: string, now: number): string {
  const parts = daysOf(timeZone).formatToParts(now)
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

export const FIRST_DUE_DAY = '2000-01-01'
export const LAST_DUE_DAY = '2199-12-31'

/** Whether the day is in the years of due dates; others are typing mistakes. */
export const isDueDay = (day: string): boolean => day >= FIRST_DUE_DAY && day <= LAST_DUE_DAY

/** How many days `day` is after `today`; negative before it. */
export const daysUntil = (day: string, today: string): number =>
  Math.round((Date.parse(day) - Date.parse(today)) / DAY_MS)

/** The day `days` after this one. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** The Sunday of the week of `today`: weeks begin on Monday. */
export const endOfWeek = (today: string): string =>
  addDays(today, (7 - new Date(Date.parse(today)).getUTCDay()) % 7)

/** A complete article is never late. */
export const isLate = (day: string | null, completed: boolean, today: string): boolean =>
  day !== null && !completed && day < today

/** 'today', 'tomorrow', 'in 8 days', '1 day late', '4 days late'. */
export function dueWords(day: string, today: string): string {
  const days = daysUntil(day, today)
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  if (days > 1) return `in ${days} days`
  return days === -1 ? '1 day late' : `${-days} days late`
}

/** In one line: 'Due today', 'Due 3 December', 'Due 23 November, 2 days late'. */
export function dueLine(day: string, today: string, dates: Dates): string {
  const words = dueWords(day, today)
  const date = dates.dayName(day, today)
  if (isLate(day, false, today)) return `Due ${date}, ${words}`
  return `Due ${words.startsWith('in ') ? date : words}`
}
