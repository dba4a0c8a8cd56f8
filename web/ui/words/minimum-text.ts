import { minimumVerdict } from '../../../domain/minimum.ts'
import { figure } from './figure.ts'

export const minimumText = (minimum: number): string =>
  minimum === 0 ? 'no minimum' : `of at least ${figure(minimum)}`

/** The minimum next to the words of a completed article, or how many words it is short of it. */
export function handedInText(words: number, minimum: number): string {
  if (minimumVerdict(words, minimum) !== 'warning') return minimumText(minimum)
  return words === minimum ? 'at the minimum' : `${figure(minimum - words)} below the minimum`
}
