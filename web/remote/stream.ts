import ky from 'ky'
import { NoAnswer, type StreamTransport } from '../../sync/ports.ts'
import type { HttpOptions } from './http.ts'

type StreamOptions = Pick<HttpOptions, 'origin' | 'begin' | 'fetch'>

/** Reads a stream of /v1 by fetch: the browser's own EventSource cannot send a token. */
export function createStreamTransport({ origin, begin, fetch }: StreamOptions): StreamTransport {
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
      if (response.ok) await readAll(eventsOf(response), heard, begin)
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
  begin: StreamOptions['begin'],
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const ended = begin?.()
    const part = await reader.read()
    if (part.done) return
    ended?.(true)
    heard(part.value)
  }
}
