import type { ArticleText } from '../../domain/text/document.ts'
import type { Revision } from '../../domain/wire/articles.ts'
import { type HttpAnswer, NoAnswer, type Send } from '../ports.ts'

/** Requests for the server's earlier texts, and parsers of the responses. */

const READ_TIMEOUT_MS = 30_000

export const revisionsPath = (articleId: string) =>
  `/articles/${encodeURIComponent(articleId)}/revisions`

/** Null without a response. */
export async function getAnswer(send: Send, path: string): Promise<HttpAnswer | null> {
  try {
    return await send({ method: 'GET', path, timeoutMs: READ_TIMEOUT_MS })
  } catch (error) {
    if (error instanceof NoAnswer) return null
    throw error
  }
}

/** Null unless it is the text of this version. */
export function readText(json: unknown, textVersion: number): ArticleText | null {
  if (!isRevision(json) || json.textVersion !== textVersion) return null
  const { articleText } = json as { articleText?: unknown }
  return typeof articleText === 'object' && articleText !== null
    ? (articleText as ArticleText)
    : null
}

export function isRevision(value: unknown): value is Revision {
  const { textVersion, words, reason, createdAt } = (value ?? {}) as Partial<Revision>
  return (
    typeof textVersion === 'number' &&
    typeof words === 'number' &&
    typeof reason === 'string' &&
    typeof createdAt === 'string' &&
    !Number.isNaN(Date.parse(createdAt))
  )
}
