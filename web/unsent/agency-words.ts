import type { Dates } from '../../domain/calendar/dates.ts'
import type { ArticleView } from '../../sync/status/article-view.ts'

/** What the agency has of an article, and since when: the second half of its save line. */
export function agencyWords(
  { saveLine, lastSentAt, updatedAt }: Pick<ArticleView, 'saveLine' | 'lastSentAt' | 'updatedAt'>,
  { dates, now }: { dates: Dates; now: number },
): string {
  if (saveLine === 'sent-only') return 'With the agency'
  if (saveLine === 'saved')
    return `With the agency since ${dates.timeOf(lastSentAt ?? Date.parse(updatedAt), now)}`
  if (lastSentAt === null) return 'The agency does not have these changes yet'
  return `The agency has the text of ${dates.timeOf(lastSentAt, now)}`
}
