import { BULK_ARTICLES_MAX, PROGRESS_LIMIT_MAX } from '../../../../domain/limits.ts'
import { allPages } from '../../../remote/all-pages.ts'
import type { ProgressCalls, ProgressFilter } from '../../../remote/progress.ts'
import type { SelectedArticle } from './selection.ts'

/** All articles that a filter has, at most as many as can be changed at once. */
export async function gatherArticles(
  list: ProgressCalls['list'],
  filter: ProgressFilter,
): Promise<SelectedArticle[]> {
  const limit = PROGRESS_LIMIT_MAX
  // By name: the order by risk changes while people write.
  const sort = { field: 'name', direction: 'asc' } as const
  const { rows } = await allPages(
    (page) => list({ ...filter, sort, page, limit }),
    ({ id }) => id,
    BULK_ARTICLES_MAX,
  )
  return rows
}
