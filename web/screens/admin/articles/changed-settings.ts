import type { Article, ArticleSettings, Keyword } from '../../../../domain/wire-articles.ts'
import type { ArticleFieldValues } from './article-fields.tsx'

/**
 * Only what differs is sent, so that a change somebody else made meanwhile to the rest stays (spec
 * section 7). A keyword list that was uploaded is another object than the one that was there.
 */
export function changedSettings(
  article: Article,
  fields: ArticleFieldValues & { keywordList: Keyword[] },
): ArticleSettings {
  const name = fields.name.trim()
  const wordMinimum = Number(fields.wordMinimum)
  const clientId = fields.client?.id ?? null
  return {
    ...(name !== article.name && { name }),
    ...(wordMinimum !== article.wordMinimum && { wordMinimum }),
    ...(clientId !== (article.clientId?.id ?? null) && { clientId }),
    ...(fields.keywordList !== article.keywordList && { keywordList: fields.keywordList }),
  }
}
