import type { Dates, Time } from './dates.ts'
import { daysBetween } from './local-days.ts'

/** When something happened, with the names of the week for the last six days. */

/** 'Today, 2:40 PM', 'Monday, 2:40 PM', 'November 18, 2:40 PM'. */
export const moment = (at: Time, now: Time, dates: Dates): string =>
  `${recentDay(at, now, dates)}, ${dates.time(at)}`

/** 'yesterday at 2:40 PM', 'on Monday at 2:40 PM'. */
export function momentInSentence(at: Time, now: Time, dates: Dates): string {
  const day = recentDay(at, now, dates)
  return `${isNear(day) ? day.toLowerCase() : `on ${day}`} at ${dates.time(at)}`
}

/** 'Today, November 27', 'November 18', 'November 18, 2025'. */
export function dayHead(at: Time, now: Time, dates: Dates): string {
  const day = dates.relativeDay(at, now)
  return isNear(day) ? `${day}, ${dates.dayOfYear(at)}` : day
}

function recentDay(at: Time, now: Time, dates: Dates): string {
  const days = daysBetween(at, now)
  return days > 1 && days < 7 ? dates.weekday(at) : dates.relativeDay(at, now)
}

const isNear = (day: string): boolean => day === 'Today' || day === 'Yesterday'
