import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useSync } from '../../../app/app-context.tsx'

/**
 * Reopens the article. A completion that was not sent yet is withdrawn; one that may have arrived is reopened. Throws where
 * this device cannot queue it.
 */
export function useReopen({ id, completionUnsent }: ArticleView): () => Promise<void> {
  const sync = useSync()
  return async () => {
    if (completionUnsent && (await sync.withdrawCompletion(id))) return
    await sync.setCompleted(id, false)
  }
}
