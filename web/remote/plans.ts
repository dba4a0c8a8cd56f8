import type { Plan, PlanBody } from '../../domain/wire/plans.ts'
import { planTagOf } from '../../domain/wire/state-tag.ts'
import { NoAnswer, type Send } from '../../sync/ports.ts'
import { isPlan } from '../../sync/pull/fetch-plan.ts'
import { accepted } from './http.ts'

/** `stale`: another plan was saved since, and this one was not. `epoch` is that of the server's data. */
export type PlanAnswer = { kind: 'saved' | 'stale'; plan: Plan; epoch: string | null }

/**
 * Replaces the plan of the article, if its counter is still this one. A request whose answer was lost can be repeated:
 * the same plan changes nothing. Rejects with Refused or NoAnswer.
 */
export async function savePlan(
  send: Send,
  articleId: string,
  plan: PlanBody,
  counter: number,
): Promise<PlanAnswer> {
  const answer = await send({
    method: 'PUT',
    path: `/articles/${encodeURIComponent(articleId)}/plan`,
    headers: { 'If-Match': planTagOf(counter) },
    body: JSON.stringify(plan),
  })
  const epoch = answer.header('server-epoch')
  const { current } = Object(answer.json) as { current?: unknown }
  if (answer.status === 412 && isPlan(current)) return { kind: 'stale', plan: current, epoch }
  const { json } = accepted(answer)
  if (!isPlan(json)) throw new NoAnswer()
  return { kind: 'saved', plan: json, epoch }
}
