import type { Dates } from '../../../domain/calendar/dates.ts'
import { dueWords, isLate } from '../../../domain/calendar/due-date.ts'

/** In one line: 'Due today', 'Due 3 December', 'Due 23 November, 2 days late'. */
export function dueLine(dueOn: string, today: string, dates: Dates): string {
  const words = dueWords(dueOn, today)
  const date = dates.dayName(dueOn, today)
  if (isLate(dueOn, false, today)) return `Due ${date}, ${words}`
  return `Due ${words.startsWith('in ') ? date : words}`
}
