import { BULK_ARTICLES_MAX, PROGRESS_LIMIT_MAX } from '../../../../domain/limits.ts'
import type { ProgressCalls, ProgressFilter } from '../../../remote/progress.ts'

/** The ids of all articles that a filter has, at most as many as can be changed at once. */
export async function gatherIds(
  list: ProgressCalls['list'],
  filter: ProgressFilter,
): Promise<string[]> {
  const ids = new Set<string>()
  const limit = PROGRESS_LIMIT_MAX
  for (let page = 1; ids.size < BULK_ARTICLES_MAX; page += 1) {
    // By name: the order by risk changes while people write.
    const sort = { field: 'name', direction: 'asc' } as const
    const { results, totalPages } = await list({ ...filter, sort, page, limit })
    for (const { id } of results) ids.add(id)
    if (page >= totalPages) break
  }
  return [...ids].slice(0, BULK_ARTICLES_MAX)
}
