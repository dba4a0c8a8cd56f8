import type * as z from 'zod'
import {
  ACCOUNT_BODY_BYTES,
  ARTICLE_BODY_BYTES,
  LIST_TEXTS_BYTES,
  LIST_TEXTS_MAX,
} from '../../domain/limits.ts'
import type { ChangeParameter } from '../../domain/wire/change-parameters.ts'
import type { AppContext } from '../http/authenticate.ts'
import { ApiError } from '../http/errors.ts'
import { jsonResponse } from '../http/json-response.ts'
import { type Packing, readJson } from '../http/read-body.ts'
import { queryText } from '../http/read-query.ts'
import type { ChangeAnswer, ChangeBody } from './article-change.ts'
import { articleJson, withArticleText } from './article-json.ts'
import { type ArticleWithText, type StoredArticle, stateOf, textFields } from './article-rows.ts'
import { knowsLinks, originOf } from './patch-article.ts'
import { etagOf } from './precondition.ts'
import { sha256 } from './stored-text.ts'

/** `fingerprint` must be equal for two requests under one key, like method and path. */
type ReadBody<Changes> = { changes: Changes; fingerprint: unknown[] }

/** Size and type of the body are checked at once; an invalid body is reported later, in the order of the checks. */
export const readChange = <Body, Changes>(
  c: AppContext,
  schema: z.ZodType<Body>,
  read: (body: Body) => ReadBody<Changes>,
): Promise<ChangeBody<Changes>> =>
  readingChange([c.req.method, c.req.path], async () =>
    read(await readJson(c, schema, ARTICLE_BODY_BYTES, 'maybe-packed')),
  )

/** The same of a body that is the change itself. */
export const readWhole = <Body extends z.ZodType>(
  c: AppContext,
  schema: Body,
  maxBytes = ACCOUNT_BODY_BYTES,
  packing: Packing = 'plain',
): Promise<ChangeBody<z.output<Body>>> =>
  readingChange([c.req.method, c.req.path], async () => {
    const changes = await readJson(c, schema, maxBytes, packing)
    return { changes, fingerprint: [changes] }
  })

/**
 * Parameters of a change outside its body. The query string takes precedence over the header of the same name: proxies
 * between client and server remove and rewrite headers, while a rewritten address is another address.
 */
export function aboutChange(c: AppContext) {
  const parameter = (name: ChangeParameter) => queryText(c, name) ?? c.req.header(name)
  return {
    idempotencyKey: parameter('Idempotency-Key'),
    ifMatch: parameter('If-Match'),
    epoch: parameter('Server-Epoch'),
    origin: originOf(parameter('Contun-Reason')),
    supersedes: parameter('Contun-Supersedes'),
    knowsLinks: knowsLinks(parameter('Contun-Knows')),
  }
}

/** `target` is the method and path of the call for this change alone. */
export async function readingChange<Changes>(
  target: readonly [method: string, path: string],
  read: () => Promise<ReadBody<Changes>>,
): Promise<ChangeBody<Changes>> {
  try {
    const { changes, fingerprint } = await read()
    const hash = () => sha256(JSON.stringify([...target, ...fingerprint]))
    return { ok: true, changes, hash }
  } catch (fault) {
    if (fault instanceof ApiError && fault.status === 400) return { ok: false, fault }
    throw fault
  }
}

/** Responds with what was done now, or earlier under the same key. */
export function answerOnce(
  c: AppContext,
  { added, replayed }: { added: object; replayed: boolean },
  status: 200 | 201 = 200,
): Promise<Response> {
  const headers = replayed ? { 'Idempotency-Replayed': 'true' } : {}
  return jsonResponse(c, JSON.stringify(added), { status, headers })
}

export function answerChange(c: AppContext, answer: ChangeAnswer): Promise<Response> {
  const { headers, json } = changeAnswer(answer, c.req.header('prefer'))
  return jsonResponse(c, json, { headers })
}

/** The whole article (Q94), or without its text for a client that has just sent it. */
export function changeAnswer(answer: ChangeAnswer, prefer = '') {
  const isMinimal = /(^|[,;])\s*return\s*=\s*"?minimal"?\s*($|[,;])/i.test(prefer)
  const { article, text, replayed, handIn } = answer
  const headers: Record<string, string> = {
    ETag: etagOf(answer),
    ...(replayed && { 'Idempotency-Replayed': 'true' }),
    ...(handIn !== undefined && { 'Contun-Hand-In': String(handIn) }),
    ...(isMinimal && { 'Preference-Applied': 'return=minimal' }),
  }
  const json = isMinimal || text === undefined ? article : withArticleText(article, text)
  return { headers, json }
}

export function answerArticle(c: AppContext, article: ArticleWithText, status: 200 | 201 = 200) {
  const headers = { ETag: etagOf(stateOf(article)) }
  return jsonResponse(c, singleArticleJson(article), { status, headers })
}

/** An article with its text, as the response for a single article has it. */
export const singleArticleJson = (article: ArticleWithText): string =>
  withArticleText(articleJson(article, textFields(article)), article.article_text)

/** Adds the number of words, which only the agency's list has. */
export const withWords = (article: StoredArticle): string =>
  articleJson(article, { words: article.words })

/** The list envelope as JSON text; an article has its text where that was read. */
export function listJson<Envelope extends { results: StoredArticle[] }>(
  list: Envelope,
  rowJson: (article: StoredArticle) => string = articleJson,
): string {
  const { results, ...envelope } = list
  const rows = results.map((article) => {
    const json = rowJson(article)
    return article.article_text === undefined ? json : withArticleText(json, article.article_text)
  })
  return `{"results":[${rows.join(',')}],${JSON.stringify(envelope).slice(1)}`
}

/**
 * Call it before a page of articles with texts is read. Throws 400 when `limit` exceeds that of such pages, 429 and
 * 503.
 */
export function expectTexts(c: AppContext, { limit }: { limit: number }): void {
  if (limit > LIST_TEXTS_MAX) {
    throw new ApiError(
      400,
      `"limit" must be a whole number from 1 to ${LIST_TEXTS_MAX} with "fields"`,
    )
  }
  c.get('traffic')?.expecting(LIST_TEXTS_BYTES)
}
