import { dueWords, isLate } from '../../domain/due-date.ts'

/**
 * '3 December', with the year where it is not that of `today`; null for a sentence that always has it. In the language of
 * the browser, as all long dates (Q31).
 */
export function dayWords(day: string, today: string | null, language?: string): string {
  const isThisYear = today?.slice(0, 4) === day.slice(0, 4)
  return new Date(day).toLocaleDateString(language, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  })
}

/** In one line: 'Due today', 'Due 3 December', 'Due 23 November, 2 days late'. */
export function dueLine(dueOn: string, today: string, language?: string): string {
  const words = dueWords(dueOn, today)
  const date = dayWords(dueOn, today, language)
  if (isLate(dueOn, false, today)) return `Due ${date}, ${words}`
  return `Due ${words.startsWith('in ') ? date : words}`
}
