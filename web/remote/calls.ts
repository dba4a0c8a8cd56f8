import { type HttpRequest, NoAnswer, type Send } from '../../sync/ports.ts'
import { accepted } from './http.ts'

/** One change: rejects with Refused or NoAnswer. Resolves with the returned object, if there was one. */
type Call = (method: HttpRequest['method'], path: string, body?: object) => Promise<unknown>

export function createCall(send: Send): Call {
  return async (method, path, body) => {
    const request = { method, path, ...(body && { body: JSON.stringify(body) }) }
    return accepted(await send(request)).json
  }
}

/**
 * The body of a success, known by a field that only this one has. Throws NoAnswer for any other: it comes from something
 * between this computer and the server.
 */
export function known<Answer>(
  json: unknown,
  field: keyof Answer & string,
  type: 'string' | 'number' | 'object' = 'string',
): Answer {
  if (typeof Object(json)[field] !== type) throw new NoAnswer()
  return json as Answer
}
