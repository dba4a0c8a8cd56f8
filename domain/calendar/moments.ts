import type { Dates, Time } from './dates.ts'
import { daysBetween } from './local-days.ts'

/** Times relative to now. */

/** 'Today', 'Yesterday', 'November 18', 'November 18, 2025'. */
export function relativeDay(at: Time, now: Time, dates: Dates): string {
  const days = daysBetween(at, now)
  if (days === 0) return 'Today'
  return days === 1 ? 'Yesterday' : dates.nearDate(at, now)
}

/** 'Today, 2:40 PM', 'Monday, 2:40 PM', 'November 18, 2:40 PM'. */
export const moment = (at: Time, now: Time, dates: Dates): string =>
  `${recentDay(at, now, dates)}, ${dates.time(at)}`

/** 'yesterday at 2:40 PM', 'on Monday at 2:40 PM'. */
export function momentInSentence(at: Time, now: Time, dates: Dates): string {
  const day = recentDay(at, now, dates)
  return `${isNear(day) ? day.toLowerCase() : `on ${day}`} at ${dates.time(at)}`
}

/** As `moment`, behind other words: 'today, 2:40 PM'. */
export function momentBehindWords(at: Time, now: Time, dates: Dates): string {
  const day = recentDay(at, now, dates)
  return `${isNear(day) ? day.toLowerCase() : day}, ${dates.time(at)}`
}

/** 'Today, November 27', 'November 18', 'November 18, 2025'. */
export function dayHead(at: Time, now: Time, dates: Dates): string {
  const day = relativeDay(at, now, dates)
  return isNear(day) ? `${day}, ${dates.dayOfYear(at)}` : day
}

/** As `relativeDay`, with the names of the week for the last six days. */
function recentDay(at: Time, now: Time, dates: Dates): string {
  const days = daysBetween(at, now)
  return days > 1 && days < 7 ? dates.weekday(at) : relativeDay(at, now, dates)
}

const isNear = (day: string): boolean => day === 'Today' || day === 'Yesterday'
