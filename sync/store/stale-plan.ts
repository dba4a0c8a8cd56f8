import type { ArticleRow } from './database.ts'
import type { Tables } from './transaction.ts'

/** Whether the server has another plan of the article than this computer. */
export async function isPlanStale(
  { plans }: Tables<'plans'>,
  { id, plan }: Pick<ArticleRow, 'id' | 'plan'>,
): Promise<boolean> {
  const row = await plans.get(id)
  const known = row ? (row.counter ?? OF_EARLIER_EPOCH) : 0
  return known < (plan?.counter ?? 0)
}

/** Below every counter. */
const OF_EARLIER_EPOCH = -1
