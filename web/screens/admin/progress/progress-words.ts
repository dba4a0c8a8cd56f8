import type { Dates } from '../../../../domain/calendar/dates.ts'
import { dueWords, isLate } from '../../../../domain/calendar/due-date.ts'
import { daysBetween } from '../../../../domain/calendar/local-days.ts'
import { relativeDay } from '../../../../domain/calendar/moments.ts'
import type { ProgressRow } from '../../../../domain/wire/progress.ts'
import { figure, progressOf, wordsOf } from '../../../ui/words/figure.ts'

/** Longer ago than this the day says more than the number of days. */
const COUNTED_DAYS = 30

/** When the last words were written: 'Today, 09:48', 'Yesterday', '9 days ago', '18 August'. */
export function lastWordsText(at: string, now: number, dates: Dates): string {
  const days = daysBetween(at, now)
  if (days <= 0) return `Today, ${dates.time(at)}`
  const isCounted = days > 1 && days <= COUNTED_DAYS
  return isCounted ? `${days} days ago` : relativeDay(at, now, dates)
}

export type DueText = { words: string; day: string | null; isLate: boolean }

/** The date of an article and how far it is; null without one. Only the date matters of a complete article. */
export function dueText(
  { dueOn, completed }: Pick<ProgressRow, 'dueOn' | 'completed'>,
  today: string,
  { dayName, shortDay }: Dates,
): DueText | null {
  if (dueOn === null) return null
  // With its year, a long name of a month is wider than the column.
  const isThisYear = dueOn.slice(0, 4) === today.slice(0, 4)
  const day = isThisYear ? dayName(dueOn, today) : shortDay(dueOn, today)
  if (completed) return { words: day, day: null, isLate: false }
  const words = dueWords(dueOn, today)
  return {
    words: `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`,
    day,
    isLate: isLate(dueOn, completed, today),
  }
}

/** '1,204 of 1,900', 'No minimum', or '640 words' where words were written without one. */
export function wordsText({
  words,
  wordMinimum,
}: Pick<ProgressRow, 'words' | 'wordMinimum'>): string {
  if (wordMinimum > 0) return `${figure(words)} of ${figure(wordMinimum)}`
  return words > 0 ? wordsOf(words) : 'No minimum'
}

/** For readers, who do not see the head of the column with each cell. */
export const wordsTitle = ({
  words,
  wordMinimum,
}: Pick<ProgressRow, 'words' | 'wordMinimum'>): string => progressOf(words, wordMinimum)
