import type { HttpRequest } from '../../sync/ports.ts'
import { addressOf } from '../../sync/protocol/address.ts'
import { type HttpOptions, headersOf } from './http.ts'

/** One request that the browser completes after the page is gone. Its response is not awaited. */
export function sendLast(
  { origin, fetch = globalThis.fetch }: Pick<HttpOptions, 'origin' | 'fetch'>,
  request: HttpRequest & { bearer: string },
): void {
  const { method, body = null } = request
  const headers = headersOf(request)
  const address = `${origin}/v1${addressOf(request)}`
  fetch(address, { method, body, headers, keepalive: true }).catch(() => {})
}
