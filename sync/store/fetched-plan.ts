import { isSamePlan, plannedOf } from '../../domain/plan.ts'
import type { Plan } from '../../domain/wire/plans.ts'
import type { LocalDatabase, PlanRead, PlanRow } from './database.ts'
import { isOfThisEpoch } from './epoch.ts'
import { type In, type Tables, transact } from './transaction.ts'

/** `isRead`: this user has seen it, or wrote it here. */
type Stored = { epoch: string | null | undefined; isRead: boolean }

/** Stores what the server returned, in the epoch `epoch`. A response older than what is stored changes nothing. */
export async function storePlan(
  database: LocalDatabase,
  articleId: string,
  given: Plan,
  { epoch, isRead }: Stored,
): Promise<void> {
  await transact(database, 'rw', ['plans', 'articles', 'meta'], async (tables) => {
    if (await isOfThisEpoch(tables, epoch)) await putPlan(tables, articleId, given, isRead)
  })
}

/** As `storePlan`, of a plan of this epoch. */
export async function putPlan(
  { plans, articles }: In<'plans' | 'articles'>,
  articleId: string,
  given: Plan,
  isRead: boolean,
): Promise<void> {
  const [known, article] = await Promise.all([plans.get(articleId), articles.get(articleId)])
  if ((known?.counter ?? 0) > given.counter) return
  const read = isRead ? 'current' : readAfter(known, given)
  if (given.counter > 0) await plans.put({ ...given, articleId, read })
  else if (known) await plans.delete(articleId)
  if (article && (article.plan?.counter ?? 0) < given.counter)
    await articles.update(articleId, { plan: plannedOf(given) })
}

/** By what it says: the counter of another epoch says nothing. */
function readAfter(known: PlanRow | undefined, given: Plan): PlanRead {
  if (!known) return 'never'
  return known.read === 'current' && !isSamePlan(known, given) ? 'earlier' : known.read
}

/** The user has seen the plan as it is stored here. */
export async function notePlanRead({ plans }: Tables<'plans'>, articleId: string): Promise<void> {
  await plans.update(articleId, { read: 'current' })
}
