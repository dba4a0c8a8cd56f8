import type {
  Article,
  ArticleCounts,
  ArticleCreate,
  ArticleSettings,
} from '../../domain/wire/articles.ts'
import type { List } from '../../domain/wire/fields.ts'
import type { ArticleSortField } from '../../domain/wire/list-query.ts'
import { NoAnswer, type Send } from '../../sync/ports.ts'
import { createCall } from './calls.ts'
import { accepted } from './http.ts'
import { createGetList, type ListRequest, listPath } from './lists.ts'

/** What an article lacks. */
export const LACKS = ['completion', 'entities', 'client'] as const
export type Lack = (typeof LACKS)[number]

type CountsRequest = {
  /** Part of a name; empty: of all. */
  name: string
  /** Narrows the list to the articles of these clients; empty: all articles. */
  clientIds: readonly string[]
}
type ArticlesRequest = ListRequest<ArticleSortField> &
  CountsRequest & {
    /** Narrows the list to the articles that lack all of these. */
    lacks: readonly Lack[]
  }

/** The agency's calls about articles (spec section 7). All reject with Refused or NoAnswer. */
export type Articles = {
  /** The rows have no `articleText`. */
  list(request: ArticlesRequest, abandoned?: Promise<void>): Promise<List<Article>>
  /** How many articles lack what. */
  counts(request: CountsRequest, abandoned?: Promise<void>): Promise<ArticleCounts>
  /** The article with its text. */
  read(articleId: string): Promise<Article>
  create(article: ArticleCreate): Promise<Article>
  modify(articleId: string, changes: ArticleSettings): Promise<Article>
  remove(articleId: string): Promise<void>
  /** Takes a deletion back. */
  restore(articleId: string): Promise<void>
}

const ASKED_BY = { completion: 'completed', entities: 'hasEntities', client: 'hasClient' } as const

export function createArticles(send: Send): Articles {
  const call = createCall(send)
  const getList = createGetList(send)
  const path = (articleId: string) => `/articles/${encodeURIComponent(articleId)}`
  return {
    list({ clientIds, lacks, ...request }, abandoned) {
      const filters = lacks.map((lack) => [ASKED_BY[lack], 'false'])
      const clientId = clientIds.length > 0 ? clientIds.join(',') : undefined
      const query = { clientId, ...Object.fromEntries(filters) }
      return getList(listPath('/articles', request, query), abandoned)
    },
    async counts({ name, clientIds }, abandoned) {
      const query = new URLSearchParams()
      if (name !== '') query.set('name', name)
      if (clientIds.length > 0) query.set('clientId', clientIds.join(','))
      const answer = await send({
        method: 'GET',
        path: `/articles/admin/counts?${query}`,
        ...(abandoned && { abandoned }),
      })
      return countsIn(accepted(answer).json)
    },
    read: async (articleId) => articleIn(await call('GET', path(articleId))),
    create: async (article) => articleIn(await call('POST', '/articles', article)),
    modify: async (articleId, changes) =>
      articleIn(await call('PATCH', `/articles/admin/${encodeURIComponent(articleId)}`, changes)),
    remove: async (articleId) => void (await call('DELETE', path(articleId))),
    restore: async (articleId) =>
      void (await call('POST', `/articles/admin/${encodeURIComponent(articleId)}/restore`)),
  }
}

/** A success that is no article comes from something between this computer and the server. */
function articleIn(json: unknown): Article {
  const article = json as Partial<Article> | null | undefined
  if (typeof article?.id !== 'string') throw new NoAnswer()
  return article as Article
}

function countsIn(json: unknown): ArticleCounts {
  const counts = json as Partial<ArticleCounts> | null | undefined
  if (typeof counts?.notComplete !== 'number') throw new NoAnswer()
  return counts as ArticleCounts
}
