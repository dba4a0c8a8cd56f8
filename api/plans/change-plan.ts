import { isAdmin } from '../../domain/access/permissions.ts'
import { dueChange, type PlanChanges, planChanges } from '../../domain/plan.ts'
import type { Planned } from '../../domain/wire/articles.ts'
import type { Plan, PlanBody } from '../../domain/wire/plans.ts'
import { readPlanTag } from '../../domain/wire/state-tag.ts'
import type { ChangeRequest } from '../articles/article-change.ts'
import { mayReadArticle } from '../articles/article-rows.ts'
import { listedTags } from '../articles/precondition.ts'
import { recordChanges } from '../audit/audit-rows.ts'
import type { Database, Deps } from '../deps.ts'
import { countChanges } from '../events/change-rows.ts'
import { ensureSignedIn, type Viewer } from '../http/authenticate.ts'
import { ApiError, articleNotFound, forbidden } from '../http/errors.ts'
import { findPlan, savePlans } from './plan-rows.ts'

type PlanRequest = Pick<ChangeRequest<PlanBody>, 'viewer' | 'articleId' | 'body' | 'ifMatch'>

/**
 * Replaces the plan of an article, in one transaction and in the order of every change: sign-in (401), article visible
 * (404), right (403), body (400), nothing to change (200), precondition (412 with the present plan), change. Without
 * If-Match the last write wins. A repeated request changes nothing, so it needs no key.
 */
export function changePlan(deps: Deps, request: PlanRequest): Promise<Plan> {
  const { viewer, articleId, body } = request
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    await ensureSignedIn(db, viewer, now)
    if (!(await mayReadArticle(db, viewer, articleId))) throw articleNotFound()
    if (!isAdmin(viewer)) throw forbidden()
    if (!body.ok) throw body.fault
    const before = await findPlan(db, articleId)
    const changes = planChanges(before, body.changes)
    if (Object.keys(changes).length === 0) return before
    refuseStalePlan(before, request.ifMatch)
    await applyPlan(deps, db, { viewer, plans: [{ articleId, before }], changes, now })
    return findPlan(db, articleId)
  })
}

export type PlanChange = {
  viewer: Pick<Viewer, 'id' | 'name'>
  /** At least one. */
  plans: readonly { articleId: string; before: Planned }[]
  /** At least one field, which differs in each of the plans. */
  changes: PlanChanges
  now: number
}

/**
 * Writes, records and counts the same change of several plans. Call it in the transaction that read `before`. Neither
 * `version` nor `updatedAt` of an article changes.
 */
export async function applyPlan(
  deps: Deps,
  db: Database,
  { viewer, plans, changes, now }: PlanChange,
): Promise<void> {
  const at = new Date(now).toISOString()
  const states = plans.map(({ articleId, before }) => ({ articleId, counter: before.counter + 1 }))
  await savePlans(db, states, changes, { by: viewer, at })
  await recordChanges(deps, db, {
    actorId: viewer.id,
    action: 'article.planned',
    changes: plans.map(({ articleId, before }) => ({
      subjectId: articleId,
      detail: { changed: Object.keys(changes), ...dueChange(before, changes) },
    })),
  })
  await countChanges(
    db,
    plans.map(({ articleId }) => articleId),
  )
}

function refuseStalePlan(present: Plan, ifMatch: string | undefined): void {
  const tags = listedTags(ifMatch)
  if (tags === null || tags === 'any') return
  if (tags.some((tag) => readPlanTag(tag) === present.counter)) return
  throw new ApiError(412, 'The brief or the due date was changed by another user.', {
    reason: 'stale',
    current: JSON.stringify(present),
  })
}
