import type { Plan } from '../../domain/wire/plans.ts'
import { goneReason } from '../protocol/push-result.ts'
import { getAnswer } from '../protocol/revision-requests.ts'
import { storePlan } from '../store/fetched-plan.ts'
import type { RecordContext } from './fetch-record.ts'

/** Fetches the plan of the article. Returns false when it could not be read. A server of an earlier release has none. */
export async function fetchPlan(
  { send, database }: Pick<RecordContext, 'send' | 'database'>,
  articleId: string,
): Promise<boolean> {
  const answer = await getAnswer(send, `/articles/${encodeURIComponent(articleId)}/plan`)
  if (answer && goneReason(answer.status)) return true
  if (!answer || !isPlan(answer.json)) return false
  const epoch = answer.header('server-epoch')
  await storePlan(database, articleId, answer.json, { epoch, isRead: false })
  return true
}

export function isPlan(value: unknown): value is Plan {
  const plan = value as Partial<Plan> | null | undefined
  return (
    typeof plan?.counter === 'number' &&
    typeof plan.brief === 'string' &&
    (plan.dueOn === null || typeof plan.dueOn === 'string') &&
    (plan.changedBy === null || typeof plan.changedBy?.name === 'string') &&
    (plan.changedAt === null || typeof plan.changedAt === 'string')
  )
}
