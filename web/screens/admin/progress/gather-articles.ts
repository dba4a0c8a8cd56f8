import { BULK_ARTICLES_MAX, PROGRESS_LIMIT_MAX } from '../../../../domain/limits.ts'
import type { ProgressCalls, ProgressFilter } from '../../../remote/progress.ts'

/** An article as a selection knows it. */
export type SelectedArticle = { id: string; name: string }

/** All articles that a filter has, at most as many as can be changed at once. */
export async function gatherArticles(
  list: ProgressCalls['list'],
  filter: ProgressFilter,
): Promise<SelectedArticle[]> {
  const found = new Map<string, SelectedArticle>()
  const limit = PROGRESS_LIMIT_MAX
  for (let page = 1; found.size < BULK_ARTICLES_MAX; page += 1) {
    // By name: the order by risk changes while people write.
    const sort = { field: 'name', direction: 'asc' } as const
    const { results, totalPages } = await list({ ...filter, sort, page, limit })
    for (const { id, name } of results) found.set(id, { id, name })
    if (page >= totalPages) break
  }
  return [...found.values()].slice(0, BULK_ARTICLES_MAX)
}
