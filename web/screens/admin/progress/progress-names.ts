import type { ArticleState, DueFilter } from '../../../../domain/wire/progress.ts'

/** In the order of the filter. */
export const STATE_NAMES: Record<ArticleState, string> = {
  'not-begun': 'Not begun',
  'being-written': 'Being written',
  'long-enough': 'Long enough',
  complete: 'Complete',
  reopened: 'Reopened',
}

/** In the order of the filter. */
export const DUE_NAMES: Record<DueFilter, string> = {
  late: 'Late',
  'this-week': 'This week',
  none: 'No date',
}
