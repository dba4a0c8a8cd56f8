import { minimumVerdict } from '../../../domain/minimum.ts'
import { figure } from './figure.ts'

export const minimumText = (minimum: number): string =>
  minimum === 0 ? 'no minimum' : `of at least ${figure(minimum)}`

/** Of a text that is handed in: how far it stayed below its minimum, or the minimum. */
export function handedInText(words: number, minimum: number): string {
  if (minimumVerdict(words, minimum) !== 'warning') return minimumText(minimum)
  return words === minimum ? 'at the minimum' : `${figure(minimum - words)} below the minimum`
}
