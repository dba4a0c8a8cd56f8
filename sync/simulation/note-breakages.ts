import type { HttpRequest } from '../ports.ts'
import type { KnownFault } from './breakages.ts'

const isNote = ({ method, path }: HttpRequest): boolean =>
  method === 'POST' && path.endsWith('/notes')

/** Faults in how notes are sent and fetched. */
export const noteFaults: readonly KnownFault[] = [
  {
    name: 'takes a new key for every try of a note',
    seed: 16,
    hasNotes: true,
    send: (send, _, newId) => (request) => {
      const headers = { ...request.headers, 'Idempotency-Key': newId() }
      return send(isNote(request) ? { ...request, headers } : request)
    },
  },
  {
    name: 'gives a note up that its article refused',
    seed: 69,
    hasNotes: true,
    send: (send) => async (request) => {
      const answer = await send(request)
      const isRefused = isNote(request) && answer.status === 404
      return isRefused ? { ...answer, status: 201, json: { id: 'given up' } } : answer
    },
  },
  {
    name: 'never reads the receipts',
    seed: 5,
    hasNotes: true,
    send: (send) => async (request) => {
      const answer = await send(request)
      const isList = request.path.includes('/hand-ins') && answer.status === 200
      return isList ? { ...answer, json: { results: [], totalResults: 0 } } : answer
    },
  },
]
