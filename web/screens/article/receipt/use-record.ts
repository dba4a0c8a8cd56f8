import { type ArticleRecord, readArticleRecord } from '../../../../sync/status/article-record.ts'
import { useDatabase } from '../../../app/app-context.tsx'
import { useLocalQuery } from '../../../use-local-query.ts'
import { type Refreshed, useRefreshed } from '../use-refreshed.ts'

/** `known`: what this computer has; null until it is read. */
export type Record = Refreshed & { known: ArticleRecord | null }

/** Receipts and notes of an article, asked for when the server has others. */
export function useRecord(articleId: string, isOffline: boolean): Record {
  const database = useDatabase()
  const known = useLocalQuery(() => readArticleRecord(database, articleId), [database, articleId])
  const refreshed = useRefreshed(articleId, known?.isStale === true, isOffline)
  return { known: known ?? null, ...refreshed }
}
