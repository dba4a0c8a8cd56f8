import type { HttpAnswer, HttpRequest, Ports } from '../ports.ts'
import type { Breakage } from './browser.ts'

/** Faults that a sync core could well have. The schedules must notice each of them. */
export const breakages: Record<string, Breakage> = {
  'removes a change from the queue before it is sent': {
    send: (send, database) => async (request) => {
      if (request.method === 'PATCH') await database.outbox.where({ state: 'inflight' }).delete()
      return send(request)
    },
  },
  'sends without a key and without a condition': {
    send: (send) => (request) => {
      const { 'Idempotency-Key': _, 'If-Match': __, ...headers } = request.headers ?? {}
      return send({ ...request, headers })
    },
  },
  'takes every 200 for an acknowledgement': {
    send: (send) => async (request) => {
      const answer = await send(request)
      const isGood = request.method !== 'PATCH' || answer.status !== 200 || isArticle(answer.json)
      return isGood ? answer : { ...answer, json: acknowledgementOf(request) }
    },
  },
  'gives a change up when the server is busy': {
    send: (send, database) => async (request) => {
      const answer = await send(request)
      if (request.method === 'PATCH' && answer.status >= 500) {
        await database.outbox.where({ state: 'inflight' }).delete()
      }
      return answer
    },
  },
}

/** No fault: locks only save work, the server's condition is what keeps text apart. */
export const withoutLocks: Breakage = {
  ports: (ports: Ports): Ports => ({ ...ports, locks: { hold: (_, task) => task() } }),
}

const isArticle = (json: unknown): boolean =>
  typeof (json as { textVersion?: unknown } | undefined)?.textVersion === 'number'

function acknowledgementOf(request: HttpRequest): HttpAnswer['json'] {
  const id = request.path.split('/').at(-1)
  const { articleText } = JSON.parse(request.body ?? '{}')
  const base = Number(/t(\d+)/.exec(request.headers?.['If-Match'] ?? '')?.[1] ?? 0)
  const now = '2026-03-02T09:00:00.000Z'
  const rest = { completed: false, createdAt: now, updatedAt: now, clientId: null }
  return { id, _id: id, version: base + 1, textVersion: base + 1, articleText, ...rest }
}
