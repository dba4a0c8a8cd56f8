import { useState } from 'react'
import { type ArticleRecord, readArticleRecord } from '../../../../sync/status/article-record.ts'
import { useSync } from '../../../app/app-context.tsx'
import { useAbortableEffect } from '../../../ui/use-abortable-effect.ts'
import { useLocalQuery } from '../../../use-local-query.ts'

export type Record = {
  /** What this computer has; null until it is read. */
  known: ArticleRecord | null
  /** The server has more, and could not be asked for it. */
  isBehind: boolean
  tryAgain: () => void
}

/** Receipts and notes of an article, asked for when the server has others. */
export function useRecord(articleId: string, isOffline: boolean): Record {
  const sync = useSync()
  const { database } = sync
  const known = useLocalQuery(() => readArticleRecord(database, articleId), [database, articleId])
  const [failed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const isStale = known?.isStale === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt or a new connection is another request
  useAbortableEffect(
    (signal) => {
      setFailed(false)
      if (!isStale) return
      const end = (isDone: boolean) => !signal.aborted && setFailed(!isDone)
      sync.refreshRecord(articleId).then(end, () => end(false))
    },
    [sync, articleId, isStale, attempt, isOffline],
  )
  return {
    known: known ?? null,
    isBehind: isStale && failed,
    tryAgain: () => setAttempt((count) => count + 1),
  }
}
