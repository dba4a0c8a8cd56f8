import type { Plan } from '../../domain/wire-plans.ts'
import type { Database } from '../deps.ts'

/** Fields that are missing stay as they are. */
export type PlanChanges = { brief?: string; dueOn?: string | null }

/** The plan of the article. One that was never planned has an empty plan with counter 0. */
export async function findPlan(db: Database, articleId: string): Promise<Plan> {
  const row = await db
    .selectFrom('article_plans')
    .selectAll()
    .where('article_id', '=', articleId)
    .executeTakeFirst()
  if (row === undefined) {
    return { brief: '', dueOn: null, counter: 0, changedBy: null, changedAt: null }
  }
  return {
    brief: row.brief,
    dueOn: row.due_on,
    counter: row.counter,
    changedBy: { id: row.changed_by, name: row.changed_by_name },
    changedAt: row.changed_at,
  }
}

/** Writes the changes as the state `counter` of the plan. */
export async function savePlan(
  db: Database,
  articleId: string,
  { brief, dueOn }: PlanChanges,
  { counter, by, at }: { counter: number; by: { id: string; name: string }; at: string },
): Promise<void> {
  const change = {
    ...(brief !== undefined && { brief }),
    ...(dueOn !== undefined && { due_on: dueOn }),
    counter,
    changed_by: by.id,
    changed_by_name: by.name,
    changed_at: at,
  }
  await db
    .insertInto('article_plans')
    .values({ article_id: articleId, brief: '', due_on: null, ...change })
    .onConflict((conflict) => conflict.column('article_id').doUpdateSet(change))
    .execute()
}
