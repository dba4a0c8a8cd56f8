import { createDates, STANDARD } from '../../domain/calendar/dates.ts'
import { addDays, dayIn } from '../../domain/calendar/due-date.ts'

/** Of calendar days, which have no time zone. */
const WEEKDAYS = createDates(STANDARD, 'UTC')

/** Times in mails: of the agency, which may have another zone than its reader. */
export function agencyDates(timeZone: string, now: number) {
  const dates = createDates(STANDARD, timeZone)
  const today = dayIn(timeZone, now)
  return {
    ...dates,
    /** The day of the agency. */
    today,
    /** 'today at 18:26', 'yesterday at 18:26', 'on 18 November 2026 at 18:26'. */
    moment(at: string): string {
      const day = dayIn(timeZone, Date.parse(at))
      const name = day === addDays(today, -1) ? 'yesterday' : `on ${dates.date(at)}`
      return `${day === today ? 'today' : name} at ${dates.time(at)}`
    },
    /** 'Due today', 'Due tomorrow', 'Due Tuesday, 1 December'. */
    due(day: string): string {
      if (day === today) return 'Due today'
      if (day === addDays(today, 1)) return 'Due tomorrow'
      return `Due ${WEEKDAYS.weekday(day)}, ${dates.dayName(day, today)}`
    },
  }
}

export type AgencyDates = ReturnType<typeof agencyDates>
