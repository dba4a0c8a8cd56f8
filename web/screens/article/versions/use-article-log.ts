import { useState } from 'react'
import type { LogEntry } from '../../../../domain/wire/log.ts'
import { useDatabase, useSend } from '../../../app/app-context.tsx'
import { Refused } from '../../../remote/http.ts'
import { abandonedBy } from '../../../remote/lists.ts'
import { readArticleLog } from '../../../remote/log.ts'
import { useAbortableEffect } from '../../../ui/use-abortable-effect.ts'
import { refusalWords } from '../../../ui/words/refusal-words.ts'
import { useLocalQuery } from '../../../use-local-query.ts'

const PAGE_SIZE = 50

export type ArticleLog = {
  /** Newest first; null until the first response. */
  entries: LogEntry[] | null
  /** There are older ones. */
  hasMore: boolean
  showMore: () => void
  isLoading: boolean
  isOffline: boolean
  /** The server's own words; null unless it refused. */
  refusal: string | null
}

type State = Omit<ArticleLog, 'showMore'>
const BEGINNING: State = {
  entries: null,
  hasMore: false,
  isLoading: true,
  isOffline: false,
  refusal: null,
}

/** The log of an article: asked for when it is opened, when the article changed, and when the server responds again. */
export function useArticleLog(articleId: string): ArticleLog {
  const database = useDatabase()
  const send = useSend()
  const [state, setState] = useState(BEGINNING)
  const [wanted, setWanted] = useState(PAGE_SIZE)
  const reason = useLocalQuery(async () => {
    const article = await database.articles.get(articleId)
    const connection = await database.meta.get('connection')
    return `${article?.version} ${connection?.value}`
  }, [database, articleId])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change or a new connection is a reason to ask
  useAbortableEffect(
    (signal) => {
      const asked = readArticleLog(send, articleId, wanted, abandonedBy(signal))
      setState((before) => ({ ...before, isLoading: true }))
      asked.then(
        ({ results, totalResults }) => {
          if (signal.aborted) return
          const hasMore = totalResults > results.length
          setState({ ...BEGINNING, entries: results, hasMore, isLoading: false })
        },
        (error: unknown) => {
          if (signal.aborted) return
          const refusal = error instanceof Refused ? refusalWords(error.message) : null
          setState((before) => ({
            ...before,
            isLoading: false,
            isOffline: refusal === null,
            refusal,
          }))
        },
      )
      return undefined
    },
    [send, articleId, wanted, reason],
  )
  return { ...state, showMore: () => setWanted((count) => count + PAGE_SIZE) }
}
