import { dueWords, isLate } from '../../domain/due-date.ts'

/** '3 December', with the year where it is not that of `today`; null for a sentence that always has it. */
export function dayWords(day: string, today: string | null): string {
  const isThisYear = today?.slice(0, 4) === day.slice(0, 4)
  return new Date(day).toLocaleDateString('en-GB', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  })
}

/** In one line: 'Due today', 'Due 3 December', 'Due 23 November, 2 days late'. */
export function dueLine(dueOn: string, today: string): string {
  const words = dueWords(dueOn, today)
  if (isLate(dueOn, false, today)) return `Due ${dayWords(dueOn, today)}, ${words}`
  return `Due ${words.startsWith('in ') ? dayWords(dueOn, today) : words}`
}
