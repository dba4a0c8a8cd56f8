import type { ArticleRow, LocalDatabase } from './database.ts'
import { type Draft, readDraft } from './draft-rows.ts'
import { openDraft } from './drafts.ts'
import { forgetUnshown, hasUnshown } from './elsewhere.ts'
import { knownEpoch } from './epoch.ts'

/** What an editor begins with, all of one moment. */
export type Opening = {
  /** Null when this computer has no text of the article. */
  draft: Draft | null
  /** The history of the server's data that its numbers are from. */
  epoch: string | null
  article: ArticleRow | undefined
}

/** A text that was opened here before is only read: who writes waits for all who write, and for the disk. */
export async function readOpening(database: LocalDatabase, articleId: string): Promise<Opening> {
  const { articles, docs, drafts, texts, meta } = database
  const known = await database.transaction('r', drafts, texts, meta, articles, async () => {
    const [draft, epoch, article, unshown] = await Promise.all([
      readDraft(database, articleId),
      knownEpoch(database),
      articles.get(articleId),
      hasUnshown(database, articleId),
    ])
    return draft && !unshown ? { draft, epoch, article } : null
  })
  if (known) return known
  return database.transaction('rw', articles, docs, drafts, texts, meta, async () => {
    await forgetUnshown(database, articleId)
    const [draft, epoch, article] = await Promise.all([
      openDraft(database, articleId),
      knownEpoch(database),
      articles.get(articleId),
    ])
    return { draft, epoch, article }
  })
}
