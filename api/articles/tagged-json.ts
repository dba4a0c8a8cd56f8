import type { AppContext } from '../http/authenticate.ts'
import { jsonResponse } from '../http/json-response.ts'
import { hasTag } from './precondition.ts'
import { sha256 } from './stored-text.ts'

/** Responds with JSON text and its digest as the ETag, or with 304 to a client that has it already. */
export async function taggedJson(c: AppContext, json: string): Promise<Response> {
  const etag = `"${sha256(json)}"`
  return hasTag(c.req.header('if-none-match'), etag)
    ? unchanged(c, etag)
    : jsonResponse(c, json, { headers: { ETag: etag } })
}

export const unchanged = (c: AppContext, etag: string): Response =>
  c.body(null, 304, { ETag: etag })
