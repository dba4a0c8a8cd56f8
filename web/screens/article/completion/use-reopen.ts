import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useSync } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'

/** Reopens the article. A completion that was not sent yet is withdrawn; one that may have arrived is reopened. */
export function useReopen({ id, completionUnsent }: ArticleView): () => Promise<void> {
  const sync = useSync()
  return () =>
    notices.attempt('Article Error', async () => {
      if (completionUnsent && (await sync.withdrawCompletion(id))) return
      await sync.setCompleted(id, false)
    })
}
