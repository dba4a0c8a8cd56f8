import type { PlanChanges } from '../../domain/plan.ts'
import type { Plan } from '../../domain/wire/plans.ts'
import type { ArticlePlanRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

/** The plan of an article that was never planned. */
export const NOT_PLANNED: Plan = {
  brief: '',
  dueOn: null,
  counter: 0,
  changedBy: null,
  changedAt: null,
}

export const findPlan = async (db: Database, articleId: string): Promise<Plan> =>
  (await findPlans(db, [articleId])).get(articleId) ?? NOT_PLANNED

/** The plans of those of the articles that were planned, by the article's id. */
export async function findPlans(
  db: Database,
  articleIds: readonly string[],
): Promise<Map<string, Plan>> {
  if (articleIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('article_plans')
    .selectAll()
    .where('article_id', 'in', articleIds)
    .execute()
  return new Map(rows.map((row) => [row.article_id, planOf(row)]))
}

const planOf = (row: ArticlePlanRow): Plan => ({
  brief: row.brief,
  dueOn: row.due_on,
  counter: row.counter,
  changedBy: { id: row.changed_by, name: row.changed_by_name },
  changedAt: row.changed_at,
})

/** Writes the same changes into several plans, at least one; `counter` is the state that they make of each. */
export async function savePlans(
  db: Database,
  plans: readonly { articleId: string; counter: number }[],
  { brief, dueOn }: PlanChanges,
  { by, at }: { by: { id: string; name: string }; at: string },
): Promise<void> {
  const change = {
    ...(brief !== undefined && { brief }),
    ...(dueOn !== undefined && { due_on: dueOn }),
    changed_by: by.id,
    changed_by_name: by.name,
    changed_at: at,
  }
  const rows = plans.map(({ articleId: article_id, counter }) => ({
    article_id,
    brief: '',
    due_on: null,
    counter,
    ...change,
  }))
  await db
    .insertInto('article_plans')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('article_id')
        .doUpdateSet(({ ref }) => ({ ...change, counter: ref('excluded.counter') })),
    )
    .execute()
}
