import { figure } from '../../../ui/words/figure.ts'

export const minimumText = (minimum: number): string =>
  minimum === 0 ? 'no minimum' : `of at least ${figure(minimum)}`
