import type { Database } from '../deps.ts'
import { countChange } from '../events/change-rows.ts'

/** What the plan of an article says; counter 0 where it was never planned. */
export type Planned = { brief: string; dueOn: string | null; counter: number }

export const NOT_PLANNED: Planned = { brief: '', dueOn: null, counter: 0 }

/** Those of the articles that were planned, by id. */
export async function findPlans(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, Planned>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('article_plans')
    .select(['article_id', 'brief', 'due_on', 'counter'])
    .where('article_id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ article_id, brief, due_on, counter }) => [
      article_id,
      { brief, dueOn: due_on, counter: Number(counter) },
    ]),
  )
}

type NewPlan = {
  articleId: string
  before: Planned
  plan: { brief: string; dueOn: string | null }
  by: { id: string; name: string }
  now: number
}

/** Call it in the transaction in which `before` was read. */
export async function writePlan(
  db: Database,
  { articleId, before, plan, by, now }: NewPlan,
): Promise<void> {
  const row = {
    brief: plan.brief,
    due_on: plan.dueOn,
    counter: before.counter + 1,
    changed_by: by.id,
    changed_by_name: by.name,
    changed_at: new Date(now).toISOString(),
  }
  await db
    .insertInto('article_plans')
    .values({ article_id: articleId, ...row })
    .onConflict((conflict) => conflict.column('article_id').doUpdateSet(row))
    .execute()
  await countChange(db, articleId)
}
