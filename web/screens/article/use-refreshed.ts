import { useState } from 'react'
import { useSync } from '../../app/app-context.tsx'
import { useAbortableEffect } from '../../ui/use-abortable-effect.ts'

export type Refreshed = {
  /** The server has more, and could not be asked for it. */
  isBehind: boolean
  tryAgain: () => void
}

/** Asks for receipts, notes and plan of the article while the server is known to have others (`isStale`). */
export function useRefreshed(articleId: string, isStale: boolean, isOffline: boolean): Refreshed {
  const sync = useSync()
  const [failed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
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
  return { isBehind: isStale && failed, tryAgain: () => setAttempt((count) => count + 1) }
}
