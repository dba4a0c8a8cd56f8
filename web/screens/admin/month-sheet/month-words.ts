import type { Dates } from '../../../../domain/calendar/dates.ts'
import { minimumVerdict } from '../../../../domain/minimum.ts'
import type { MonthRow, MonthSheet } from '../../../../domain/wire/progress.ts'
import { counted, figure } from '../../../ui/words/figure.ts'

/** '25 November, 09:12'. `dates` are in the time zone of the agency, whose month it is. */
export const handedInAt = (at: string, dates: Dates): string =>
  `${dates.dayOfYear(at)}, ${dates.time(at)}`

/** '1', or '2 of 3' where the article was handed in several times. */
export const numberText = ({ number, of }: Pick<MonthRow, 'number' | 'of'>): string =>
  of > 1 ? `${number} of ${of}` : String(number)

/** The beginning of a fingerprint, in groups of four: '9f2c 41d7'. */
export const shortFingerprint = (hash: string): string => `${hash.slice(0, 4)} ${hash.slice(4, 8)}`

/** By the rule of the scorecard, as the count in the foot of the sheet: at the minimum is below it. */
export const isBelow = ({ words, wordMinimum }: Pick<MonthRow, 'words' | 'wordMinimum'>): boolean =>
  minimumVerdict(words, wordMinimum) === 'warning'

/** Null when none was. */
export function belowText(sheet: MonthSheet): string | null {
  const count = sheet.belowMinimum
  const noun = nounOf(sheet)
  if (count === 0) return null
  return count === 1
    ? `1 ${noun} was below its minimum when it was handed in.`
    : `${figure(count)} ${noun}s were below their minimum when they were handed in.`
}

export const totalText = (sheet: MonthSheet): string => counted(sheet.totalResults, nounOf(sheet))

/** An article that was handed in twice has two rows; on several pages that is not known. */
function nounOf({ results, totalResults }: MonthSheet): 'article' | 'hand-in' {
  const articles = new Set(results.map(({ articleId }) => articleId)).size
  return articles === totalResults ? 'article' : 'hand-in'
}
