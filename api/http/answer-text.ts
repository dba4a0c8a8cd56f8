import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppContext } from './authenticate.ts'

/** Shorter answers fit into one packet anyway. In characters. */
const PACKED_MIN = 1_024
/** Most of what packing gains, for a fraction of its time. */
const LEVEL = 3
const pack = promisify(gzip)

/**
 * An answer that is JSON text already, held against what the session has not read yet, and packed where it is long and
 * the caller takes it packed. Throws 429 or 503 where there is no room for what was read, and never for a refusal. Not for
 * answers with a token in them: the length of a compressed response leaks its content. The tag names the state of the thing
 * and not the bytes, so it is the same for both.
 */
export async function answerText(
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
  if (json.length < PACKED_MIN) return c.body(json, status, all)
  const varying = { ...all, Vary: 'Accept-Encoding' }
  if (!takesGzip(c.req.header('accept-encoding'))) return c.body(json, status, varying)
  const packed = await pack(json, { level: LEVEL })
  return c.body(packed, status, { ...varying, 'Content-Encoding': 'gzip' })
}

/** By name, or with anything else; a quality of nought refuses it. */
function takesGzip(accepted = ''): boolean {
  const codings = accepted.toLowerCase().split(',')
  const quality = (name: string) => {
    const found = codings
      .map((coding) => coding.split(';'))
      .find(([one = '']) => one.trim() === name)
    return found && Number(/^\s*q\s*=\s*([\d.]+)\s*$/.exec(found[1] ?? '')?.[1] ?? 1)
  }
  return (quality('gzip') ?? quality('*') ?? 0) > 0
}
