import type { HttpAnswer, HttpRequest } from '../ports.ts'

type Batched = { id: string; headers: Record<string, string>; body: unknown }
/**
 * Whether it is a direct save, whose condition has no version but that of the text; the queue asks for short responses.
 */
export const isFromMemory = ({ headers = {} }: HttpRequest): boolean =>
  (headers['If-Match'] ?? '').startsWith('"v0.') && headers.Prefer === undefined

type Answered = { status: number; headers: Record<string, string>; body: unknown }

/** The single requests in a request: a batch is one for each of its changes. */
export function singleRequests(request: HttpRequest): HttpRequest[] {
  if (request.path !== '/articles' || request.method !== 'PATCH') return [request]
  const { changes } = JSON.parse(request.body ?? '{}') as { changes: Batched[] }
  return changes.map(({ id, headers, body }) => ({
    method: 'PATCH',
    path: `/articles/${id}`,
    headers,
    body: JSON.stringify(body),
  }))
}

/** Each of those requests with its own response; the response to a batch as a whole applies to all. */
export function singleExchanges(
  request: HttpRequest,
  answer: HttpAnswer | null,
): (readonly [HttpRequest, HttpAnswer | null])[] {
  const requests = singleRequests(request)
  const { answers } = (answer?.json ?? {}) as { answers?: Answered[] }
  if (answers === undefined) return requests.map((single) => [single, answer])
  return requests.map((single, at) => {
    const { status = 0, headers = {}, body } = answers[at] ?? {}
    return [single, { status, json: body, header: (name: string) => headers[name] ?? null }]
  })
}
