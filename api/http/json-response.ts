import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppContext } from './authenticate.ts'

/** Shorter responses fit into one packet uncompressed. In characters. */
const COMPRESSED_MIN = 1_024
/** Most of the gain of the highest level, in a fraction of its time. */
const LEVEL = 3
const compress = promisify(gzip)

/**
 * Responds with JSON text, gzipped where it is long and the client accepts that. Its length counts against the unread
 * bytes that a session may have; throws 429 or 503 for a read beyond them, never for an error. Not for responses with a
 * token: the length of a compressed response leaks its content. The ETag names the state and not the bytes, so it is
 * the same with and without gzip.
 */
export async function jsonResponse(
  c: AppContext,
  json: string,
  {
    status = 200,
    headers = {},
  }: { status?: ContentfulStatusCode; headers?: Record<string, string> } = {},
): Promise<Response> {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
  c.get('traffic')?.answering(Buffer.byteLength(json), isRead && status < 400)
  const all = { 'Content-Type': 'application/json', ...headers }
  if (json.length < COMPRESSED_MIN) return c.body(json, status, all)
  const varying = { ...all, Vary: 'Accept-Encoding' }
  if (!acceptsGzip(c.req.header('accept-encoding'))) return c.body(json, status, varying)
  const compressed = await compress(json, { level: LEVEL })
  return c.body(compressed, status, { ...varying, 'Content-Encoding': 'gzip' })
}

/** By name or by `*`; a quality of 0 refuses it. */
function acceptsGzip(accepted = ''): boolean {
  const codings = accepted.toLowerCase().split(',')
  const quality = (name: string) => {
    const found = codings
      .map((coding) => coding.split(';'))
      .find(([one = '']) => one.trim() === name)
    return found && Number(/^\s*q\s*=\s*([\d.]+)\s*$/.exec(found[1] ?? '')?.[1] ?? 1)
  }
  return (quality('gzip') ?? quality('*') ?? 0) > 0
}
