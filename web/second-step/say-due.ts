import type { Dates } from '../../domain/calendar/dates.ts'
import { notices } from '../app/notices.ts'

/** Says after a login until when the account has to have two-step login (ISO time). */
export function sayDue(due: string, now: number, { dateTime }: Pick<Dates, 'dateTime'>): void {
  const isOver = Date.parse(due) <= now
  notices.info(
    'Your account needs two-step login',
    isOver
      ? 'Until you have it, you can’t work as an admin. Add it in Edit Account, then log in again.'
      : `Add it in Edit Account by ${dateTime(due)}. After that, you can’t work as an admin without it.`,
  )
}
