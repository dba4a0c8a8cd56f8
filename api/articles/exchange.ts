import type * as z from 'zod'
import { ARTICLE_BODY_BYTES } from '../../domain/limits.ts'
import type { AppContext } from '../authenticate.ts'
import { ApiError } from '../errors.ts'
import { readJson } from '../read-body.ts'
import type { ChangeAnswer, ChangeBody } from './article-change.ts'
import { articleJson, withArticleText } from './article-json.ts'
import type { ArticleWithText, StoredArticle } from './article-rows.ts'
import { etagOf } from './precondition.ts'
import { sha256 } from './stored-text.ts'

/**
 * Size and type of the body are refused at once; a body that does not fit waits for its turn. `meaning` is
 * what two requests under one key must have in common, besides method and path.
 */
export async function readChange<Body, Changes>(
  c: AppContext,
  schema: z.ZodType<Body>,
  read: (body: Body) => { changes: Changes; meaning: unknown[] },
): Promise<ChangeBody<Changes>> {
  try {
    const { changes, meaning } = read(await readJson(c, schema, ARTICLE_BODY_BYTES))
    const hash = sha256(JSON.stringify([c.req.method, c.req.path, ...meaning]))
    return { ok: true, changes, hash }
  } catch (fault) {
    if (fault instanceof ApiError && fault.status === 400) return { ok: false, fault }
    throw fault
  }
}

/** The whole article (Q94), or without its text for a laptop that has just sent it. */
export function answerChange(c: AppContext, answer: ChangeAnswer): Response {
  if (answer.replayed) c.header('Idempotency-Replayed', 'true')
  const isMinimal = /(^|[,;])\s*return\s*=\s*"?minimal"?\s*($|[,;])/i.test(
    c.req.header('prefer') ?? '',
  )
  if (isMinimal) c.header('Preference-Applied', 'return=minimal')
  const { article, text } = answer
  const json = isMinimal || text === undefined ? article : withArticleText(article, text)
  return answerJson(c, json, etagOf(answer))
}

export function answerArticle(c: AppContext, article: ArticleWithText, status: 200 | 201 = 200) {
  const json = withArticleText(articleJson(article), article.article_text)
  const etag = etagOf({ version: article.version, textVersion: article.text_version })
  return answerJson(c, json, etag, status)
}

/** The list envelope as JSON text; an article has its text where it was read. */
export function listJson<Envelope extends { results: StoredArticle[] }>(list: Envelope): string {
  const { results, ...envelope } = list
  const rows = results.map((article) => {
    const json = articleJson(article)
    return article.article_text === undefined ? json : withArticleText(json, article.article_text)
  })
  return `{"results":[${rows.join(',')}],${JSON.stringify(envelope).slice(1)}`
}

export const answerJson = (
  c: AppContext,
  json: string,
  etag: string,
  status: 200 | 201 = 200,
): Response => c.body(json, status, { 'Content-Type': 'application/json', ETag: etag })
