import type { HttpRequest, Send } from '../../sync/ports.ts'
import { accepted } from './http.ts'

/** One change: rejects with Refused or NoAnswer. Resolves with the returned object, if there was one. */
type Call = (method: HttpRequest['method'], path: string, body?: object) => Promise<unknown>

export function createCall(send: Send): Call {
  return async (method, path, body) => {
    const request = { method, path, ...(body && { body: JSON.stringify(body) }) }
    return accepted(await send(request)).json
  }
}
