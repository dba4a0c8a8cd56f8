import type { MonthRow, MonthSheet } from '../../../../domain/wire-progress.ts'
import { figure } from '../../../ui/figure.ts'

/** '25 November, 09:12', in the time zone of the agency, whose month it is. */
export function handedInAt(at: string, timeZone: string): string {
  const date = new Date(at)
  const day = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone })
  const time = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone })
  return `${day}, ${time}`
}

/** '1', or '2 of 3' where the article was handed in several times. */
export const numberText = ({ number, of }: Pick<MonthRow, 'number' | 'of'>): string =>
  of > 1 ? `${number} of ${of}` : String(number)

/** The beginning of a fingerprint, in groups of four: '9f2c 41d7'. */
export const shortFingerprint = (hash: string): string => `${hash.slice(0, 4)} ${hash.slice(4, 8)}`

export const isBelow = ({ words, wordMinimum }: Pick<MonthRow, 'words' | 'wordMinimum'>): boolean =>
  words < wordMinimum

/** Null when no article was. */
export function belowText(count: number): string | null {
  if (count === 0) return null
  return count === 1
    ? '1 article was below its minimum when it was handed in.'
    : `${figure(count)} articles were below their minimum when they were handed in.`
}

/** An article that was handed in twice has two rows; on several pages that is not known. */
export function totalText({ results, totalResults }: MonthSheet): string {
  const articles = new Set(results.map(({ articleId }) => articleId)).size
  const isWhole = results.length === totalResults
  const noun = isWhole && articles === totalResults ? 'article' : 'hand-in'
  return `${figure(totalResults)} ${noun}${totalResults === 1 ? '' : 's'}`
}
