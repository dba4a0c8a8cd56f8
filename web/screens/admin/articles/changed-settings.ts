import type { Article, ArticleSettings, Keyword } from '../../../../domain/wire/articles.ts'
import type { ArticleFieldValues } from './article-fields.tsx'

/**
 * Returns only the changed fields, so that a concurrent change by another admin to the rest stays (spec section 7). An
 * uploaded keyword list is another object than the one before.
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
