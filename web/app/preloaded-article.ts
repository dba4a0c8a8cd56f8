import type { OpenText } from '../../sync/editing/editor-session.ts'
import type { Clock } from '../../sync/ports.ts'
import type { ArticleView } from '../../sync/status/article-view.ts'
import type { SyncClient } from '../../sync/sync-client.ts'

/** The article that a page begins with and its text, loaded before the page is rendered. */
export type PreloadedArticle = {
  /** Resolves when both are loaded, or cannot be. */
  open(client: SyncClient, articleId: string): Promise<void>
  /** Both, once they are loaded. The text stays available to `take`. */
  opened(client: SyncClient, articleId: string): LoadedArticle | null
  /** For the first caller that asks for this article; null for every later one, which opens it itself. */
  take(client: SyncClient, articleId: string): Promise<OpenText | null> | null
}

type LoadedArticle = { text: OpenText | null; view: ArticleView | undefined }

/** After this time the text is closed, because the page that it was opened for has been left. */
const UNTAKEN_MS = 10_000

export function createPreloadedArticle({ after }: Pick<Clock, 'after'>): PreloadedArticle {
  let kept: Kept | null = null
  let isLate = false

  const keptFor = (client: SyncClient, articleId: string): Kept | null =>
    kept?.client === client && kept.articleId === articleId ? kept : null

  function take(client: SyncClient, articleId: string) {
    isLate = true
    const taken = keptFor(client, articleId)
    if (taken) kept = null
    return taken?.opening ?? null
  }

  return {
    async open(client, articleId) {
      // An earlier caller has already opened the text; a second copy would become outdated.
      if (isLate) return
      const opening = client.open(articleId)
      const own: Kept = { client, articleId, opening, opened: null }
      kept = own
      after(UNTAKEN_MS, () => {
        if (kept === own) void take(client, articleId)?.then(close, () => {})
      })
      // A failure is reported to the caller of `take`.
      const found = await Promise.all([opening, client.view(articleId)]).catch(() => null)
      if (found) own.opened = { text: found[0], view: found[1] }
    },
    opened: (client, articleId) => keptFor(client, articleId)?.opened ?? null,
    take,
  }
}

type Kept = {
  client: SyncClient
  articleId: string
  opening: Promise<OpenText | null>
  opened: LoadedArticle | null
}

const close = (text: OpenText | null) => void text?.close()
