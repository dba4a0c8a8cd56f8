import type { Planned } from './wire/articles.ts'
import type { PlanBody } from './wire/plans.ts'

/** What admins write of a plan. */
const PLAN_FIELDS: readonly (keyof PlanBody)[] = ['brief', 'dueOn']

/** Fields that are missing stay as they are. */
export type PlanChanges = { [Field in keyof PlanBody]?: PlanBody[Field] | undefined }

/** What of `before` the given fields change. */
export function planChanges(before: PlanBody, given: PlanChanges): PlanChanges {
  const changed = PLAN_FIELDS.filter(
    (field) => given[field] !== undefined && given[field] !== before[field],
  )
  return Object.fromEntries(changed.map((field) => [field, given[field]]))
}

/** Whether both say the same. */
export const isSamePlan = (one: PlanBody, other: PlanBody): boolean =>
  PLAN_FIELDS.every((field) => one[field] === other[field])

/** The date before and after these changes; nothing where it stays. */
export const dueChange = (
  { dueOn: before }: Pick<PlanBody, 'dueOn'>,
  { dueOn: now }: PlanChanges,
): { dueOn?: { now: string | null; before: string | null } } =>
  now === undefined ? {} : { dueOn: { now, before } }

/** What an article says of its plan. */
export const plannedOf = ({ counter, dueOn }: Planned): Planned => ({ counter, dueOn })
