import { STANDARD } from './dates.ts'
import { addDays, dayIn } from './due-date.ts'

/** Offsets from UTC, and the times when clocks change, are whole quarters of an hour in every zone since 2000. */
const STEP_MS = 15 * 60 * 1_000
/** No zone is further from UTC than this. */
const OFFSET_MAX_MS = 24 * 60 * 60 * 1_000

/**
 * When the day (`YYYY-MM-DD`) begins in the time zone, in milliseconds since 1970: at the first moment that has its
 * date. That is not midnight where clocks are put forward at midnight.
 */
export function startOfDay(timeZone: string, day: string): number {
  const midnight = Date.parse(day)
  let before = (midnight - OFFSET_MAX_MS) / STEP_MS
  let at = (midnight + OFFSET_MAX_MS) / STEP_MS
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2)
    if (dayIn(timeZone, middle * STEP_MS) < day) before = middle
    else at = middle
  }
  return at * STEP_MS
}

/** The month (`YYYY-MM`) in the time zone: from its first moment until that of the next month, as ISO times. */
export function monthIn(timeZone: string, month: string): { from: string; until: string } {
  const first = `${month}-01`
  const next = `${addDays(first, 31).slice(0, 7)}-01`
  const [from, until] = [first, next].map((day) =>
    new Date(startOfDay(timeZone, day)).toISOString(),
  )
  return { from: from ?? '', until: until ?? '' }
}

/** 'November 2026', the same in every English region. */
export const monthName = (month: string): string =>
  new Date(`${month}-01`).toLocaleDateString(STANDARD, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
