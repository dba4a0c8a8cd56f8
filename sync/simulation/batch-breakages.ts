import type { HttpAnswer, HttpRequest } from '../ports.ts'
import type { KnownFault } from './breakages.ts'

type Change = { id: string; headers: Record<string, string> }
type Answer = { id: string; status: number; headers: object; body: object }

/** Faults that only show when several articles are sent in one call. */
export const batchFaults: readonly KnownFault[] = [
  {
    name: 'takes a batch that was applied in part for applied as a whole',
    seed: 143,
    send: (send) => async (request) =>
      withAnswers(request, await send(request), (answers, changes) =>
        answers.map((answer, at) => ({ ...answer, status: 200, body: takenAs(changes[at]) })),
      ),
  },
  {
    name: 'gives each article of a batch the answer of the next',
    seed: 143,
    send: (send) => async (request) =>
      withAnswers(request, await send(request), (answers) =>
        answers.map(({ id }, at) => {
          const next = answers[(at + 1) % answers.length]
          return { headers: {}, status: 500, ...next, id, body: { ...next?.body, id } }
        }),
      ),
  },
]

function withAnswers(
  request: HttpRequest,
  answer: HttpAnswer,
  change: (answers: Answer[], changes: Change[]) => Answer[],
): HttpAnswer {
  const { answers } = (answer.json ?? {}) as { answers?: Answer[] }
  if (request.path !== '/articles' || answers === undefined) return answer
  const { changes } = JSON.parse(request.body ?? '{}') as { changes: Change[] }
  return { ...answer, json: { answers: change(answers, changes) } }
}

/** As if the server had accepted it under the version that follows its condition. */
function takenAs(change: Change | undefined) {
  const version = Number(/t(\d+)/.exec(change?.headers['If-Match'] ?? '')?.[1] ?? 0) + 1
  const updatedAt = '2026-03-02T09:00:00.000Z'
  return { id: change?.id, version, textVersion: version, completed: false, updatedAt }
}
