import type { ArticleSortField } from '../../domain/list-query.ts'
import type { Article, ArticleCreate, ArticleSettings } from '../../domain/wire-articles.ts'
import type { List } from '../../domain/wire-fields.ts'
import { NoAnswer, type Send } from '../../sync/ports.ts'
import { createCall } from './calls.ts'
import { createGetList, type ListRequest, listPath } from './lists.ts'

/** `clientIds` narrows the list to the articles of these clients; empty: all articles. */
type ArticlesRequest = ListRequest<ArticleSortField> & { clientIds: readonly string[] }

/** The agency's calls about articles (spec section 7). All reject with Refused or NoAnswer. */
export type Articles = {
  /** The rows have no `articleText`. */
  list(request: ArticlesRequest, abandoned?: Promise<void>): Promise<List<Article>>
  /** The article with its text. */
  read(articleId: string): Promise<Article>
  create(article: ArticleCreate): Promise<void>
  modify(articleId: string, changes: ArticleSettings): Promise<void>
  remove(articleId: string): Promise<void>
}

export function createArticles(send: Send): Articles {
  const call = createCall(send)
  const getList = createGetList(send)
  const path = (articleId: string) => `/articles/${encodeURIComponent(articleId)}`
  return {
    list({ clientIds, ...request }, abandoned) {
      const clientId = clientIds.length > 0 ? clientIds.join(',') : undefined
      return getList(listPath('/articles', request, { clientId }), abandoned)
    },
    read: async (articleId) => articleIn(await call('GET', path(articleId))),
    create: async (article) => void (await call('POST', '/articles', article)),
    modify: async (articleId, changes) =>
      void (await call('PATCH', `/articles/admin/${encodeURIComponent(articleId)}`, changes)),
    remove: async (articleId) => void (await call('DELETE', path(articleId))),
  }
}

/** A success that is no article comes from something between this computer and the server. */
function articleIn(json: unknown): Article {
  const article = json as Partial<Article> | null | undefined
  if (typeof article?.id !== 'string') throw new NoAnswer()
  return article as Article
}
