import type { Planned } from './wire/articles.ts'
import type { PlanBody } from './wire/plans.ts'

/** The fields of a plan that admins set. */
const PLAN_FIELDS: readonly (keyof PlanBody)[] = ['brief', 'dueOn']

/** Missing fields are not changed. */
export type PlanChanges = { [Field in keyof PlanBody]?: PlanBody[Field] | undefined }

/** Returns the given fields whose values differ from those of `before`. */
export function planChanges(before: PlanBody, given: PlanChanges): PlanChanges {
  const changed = PLAN_FIELDS.filter(
    (field) => given[field] !== undefined && given[field] !== before[field],
  )
  return Object.fromEntries(changed.map((field) => [field, given[field]]))
}

/** Returns whether both plans have equal fields. */
export const isSamePlan = (one: PlanBody, other: PlanBody): boolean =>
  PLAN_FIELDS.every((field) => one[field] === other[field])

/** The due date before and after the changes; empty if they do not change it. */
export const dueChange = (
  { dueOn: before }: Pick<PlanBody, 'dueOn'>,
  { dueOn: now }: PlanChanges,
): { dueOn?: { now: string | null; before: string | null } } =>
  now === undefined ? {} : { dueOn: { now, before } }

/** The fields of a plan in an article. */
export const plannedOf = ({ counter, dueOn }: Planned): Planned => ({ counter, dueOn })
