import { type HttpAnswer, NoAnswer, type Send } from '../../sync/ports.ts'
import { accepted } from './http.ts'

/** `stale`: nothing was done, because what the list would do is something else now; `answer` is the new check. */
export type RunOutcome<Answer> = { kind: 'done' | 'stale'; answer: Answer }

const CONFLICT = 409

/**
 * A list that is checked by a dry run before it is carried out. Both calls reject with Refused or NoAnswer. `isAnswer`: a
 * success that is none comes from something between this computer and the server.
 */
export function createCheckedList<Body extends object, Answer>(
  send: Send,
  path: string,
  isAnswer: (answer: Partial<Answer>) => boolean,
) {
  const post = (body: object, headers: Record<string, string> = {}) =>
    send({ method: 'POST', path, headers, body: JSON.stringify(body), mayPack: true })

  function answerIn(json: unknown): Answer {
    if (!isAnswer(Object(json))) throw new NoAnswer()
    return json as Answer
  }

  /** A refused run says what would happen now. */
  function staleIn({ status, json }: HttpAnswer): Answer | null {
    const { list } = Object(json) as { list?: unknown }
    return status === CONFLICT && list !== undefined ? answerIn(list) : null
  }

  return {
    /** What would happen. Nothing is saved. */
    check: async (body: Body) => answerIn(accepted(await post({ ...body, dryRun: true })).json),
    /** Does what the check with this `plan` said, once for each `key`. */
    async run(body: Body & { plan: string }, key: string): Promise<RunOutcome<Answer>> {
      const answer = await post({ ...body, dryRun: false }, { 'Idempotency-Key': key })
      const stale = staleIn(answer)
      if (stale) return { kind: 'stale', answer: stale }
      return { kind: 'done', answer: answerIn(accepted(answer).json) }
    },
  }
}
