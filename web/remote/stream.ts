import ky from 'ky'
import { NoAnswer, type StreamTransport } from '../../sync/ports.ts'
import type { HttpOptions } from './http.ts'

type StreamOptions = Pick<HttpOptions, 'origin' | 'onExchange' | 'fetch'>

/** Reads a stream of /v1 by fetch: the browser's own EventSource cannot send a token. */
export function createStreamTransport({
  origin,
  onExchange,
  fetch,
}: StreamOptions): StreamTransport {
  return async ({ path, bearer, heard, abandoned }) => {
    const giveUp = new AbortController()
    void abandoned.then(() => giveUp.abort())
    try {
      const response = await ky(`${origin}/v1${path}`, {
        headers: { Accept: 'text/event-stream', Authorization: `Bearer ${bearer}` },
        ...(fetch ? { fetch } : {}),
        signal: giveUp.signal,
        timeout: false,
        retry: 0,
        throwHttpErrors: false,
        cache: 'no-store',
        redirect: 'error',
      })
      if (response.ok) await readAll(eventsOf(response), heard, () => onExchange?.(true))
      return { status: response.status }
    } catch (cause) {
      throw new NoAnswer('Network Error', { cause })
    } finally {
      giveUp.abort()
    }
  }
}

/** A captive portal's page is no stream of ours. */
function eventsOf({ headers, body }: Response): ReadableStream<Uint8Array<ArrayBuffer>> {
  const isStream = headers.get('content-type')?.startsWith('text/event-stream')
  if (!isStream || body === null) throw new NoAnswer('Not a stream of events')
  return body
}

async function readAll(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  heard: (text: string) => void,
  answered: () => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    answered()
    heard(part.value)
  }
}
