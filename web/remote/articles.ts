import type {
  Article,
  ArticleCounts,
  ArticleCreate,
  ArticleSettings,
} from '../../domain/wire/articles.ts'
import type { List } from '../../domain/wire/fields.ts'
import type { ArticleSortField } from '../../domain/wire/list-query.ts'
import type { Send } from '../../sync/ports.ts'
import { createCall, known } from './calls.ts'
import { accepted } from './http.ts'
import { createGetList, type ListRequest, listPath, queryOf } from './lists.ts'

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

const ASKED_BY = { completion: 'completed', entities: 'hasEntities', client: 'hasClient' } as const

/** The agency's calls about articles (spec section 7). All reject with Refused or NoAnswer. */
export function createArticles(send: Send) {
  const call = createCall(send)
  const getList = createGetList(send)
  const path = (articleId: string) => `/articles/${encodeURIComponent(articleId)}`
  const adminPath = (articleId: string) => `/articles/admin/${encodeURIComponent(articleId)}`
  const articleIn = (json: unknown) => known<Article>(json, 'id')
  return {
    /** The rows have no `articleText`. */
    list(
      { clientIds, lacks, ...request }: ArticlesRequest,
      abandoned?: Promise<void>,
    ): Promise<List<Article>> {
      const filters = lacks.map((lack) => [ASKED_BY[lack], 'false'])
      const query = { clientId: clientIds.join(','), ...Object.fromEntries(filters) }
      return getList(listPath('/articles', request, query), abandoned)
    },
    /** How many articles lack what. */
    async counts({ name, clientIds }: CountsRequest, abandoned?: Promise<void>) {
      const answer = await send({
        method: 'GET',
        path: `/articles/admin/counts?${queryOf({ name, clientId: clientIds.join(',') })}`,
        ...(abandoned && { abandoned }),
      })
      return known<ArticleCounts>(accepted(answer).json, 'notComplete', 'number')
    },
    /** The article with its text. */
    read: async (articleId: string) => articleIn(await call('GET', path(articleId))),
    create: async (article: ArticleCreate) => articleIn(await call('POST', '/articles', article)),
    modify: async (articleId: string, changes: ArticleSettings) =>
      articleIn(await call('PATCH', adminPath(articleId), changes)),
    remove: async (articleId: string) => void (await call('DELETE', path(articleId))),
    /** Takes a deletion back. */
    restore: async (articleId: string) =>
      void (await call('POST', `${adminPath(articleId)}/restore`)),
  }
}
