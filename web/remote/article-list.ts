import type { ArticleListAnswer, ArticleListBody } from '../../domain/wire/article-lists.ts'
import type { Send } from '../../sync/ports.ts'
import { createCheckedList } from './checked-list.ts'

export type ListBody = Pick<ArticleListBody, 'articles' | 'clients' | 'source'>

export type ArticleLists = ReturnType<typeof createArticleLists>

/** The calls that create or change many articles from one list. */
export const createArticleLists = (send: Send) =>
  createCheckedList<ListBody, ArticleListAnswer>(
    send,
    '/articles/list',
    ({ articles, unknownClients }) => Array.isArray(articles) && Array.isArray(unknownClients),
  )
