import type { Clock } from '../sync/ports.ts'
import type { SyncClient } from '../sync/sync-client.ts'
import type { OpenText } from '../sync/tracked-text.ts'

/** The text of the article that a page begins with, opened while the page around it is drawn. */
export type EarlyText = {
  open(client: SyncClient, articleId: string): void
  /** For the first who asks for this article; null for everybody else, who opens it anew. */
  take(client: SyncClient, articleId: string): Promise<OpenText | null> | null
}

/** By then whoever it was opened for has gone elsewhere. */
const UNTAKEN_MS = 10_000

export function createEarlyText({ after }: Pick<Clock, 'after'>): EarlyText {
  let kept: { client: SyncClient; articleId: string; opening: Promise<OpenText | null> } | null =
    null
  let isLate = false

  function take(client: SyncClient, articleId: string) {
    isLate = true
    if (kept?.client !== client || kept.articleId !== articleId) return null
    const { opening } = kept
    kept = null
    return opening
  }

  return {
    open(client, articleId) {
      // Whoever asked before has opened it already: a second one would grow old beside it.
      if (isLate) return
      const opening = client.open(articleId)
      kept = { client, articleId, opening }
      // Whoever takes it hears of it.
      opening.catch(() => {})
      after(UNTAKEN_MS, () => {
        if (kept?.opening === opening) void take(client, articleId)?.then(close, () => {})
      })
    },
    take,
  }
}

const close = (text: OpenText | null) => void text?.close()
