import { Dexie } from 'dexie'
import type { ArticleRow, LocalDatabase } from '../store/database.ts'
import { type Draft, draftIn, openDraftIn } from '../store/draft-rows.ts'
import { knownEpoch } from '../store/epoch.ts'
import { articlesLeft } from '../store/exit-snapshots.ts'
import { transact } from '../store/transaction.ts'
import { hasUnshown, markShownIn } from './remote-changes.ts'

/** The initial state of an editor, read in one transaction. */
export type Opening = {
  /** Null when this computer has no text of the article. */
  draft: Draft | null
  /** The epoch of the server's data that its versions are from. */
  epoch: string | null
  article: ArticleRow | undefined
}

/**
 * The opening of a text that was opened here before and has no exit snapshot or unshown remote change; null for any
 * other. It only reads: a write would wait for all other writes, and for the disk.
 */
export async function readOpening(
  database: LocalDatabase,
  articleId: string,
): Promise<Opening | null> {
  if (articlesLeft(database).has(articleId)) return null
  const names = ['drafts', 'texts', 'meta', 'articles', 'exitSnapshots'] as const
  return transact(database, 'r', names, async (tables) => {
    const [draft, epoch, article, unshown, left] = await Promise.all([
      draftIn(tables, articleId),
      knownEpoch(tables),
      tables.articles.get(articleId),
      hasUnshown(tables, articleId),
      tables.exitSnapshots
        .where(WHOSE)
        .between([articleId, Dexie.minKey], [articleId, Dexie.maxKey])
        .count(),
    ])
    return draft && !unshown && left === 0 ? { draft, epoch, article } : null
  })
}

const WHOSE = '[articleId+tabId]'

/** The opening of any text: creates its draft when there is none. */
export async function openAnew(
  database: LocalDatabase,
  articleId: string,
  userId: string,
): Promise<Opening> {
  const names = ['articles', 'docs', 'drafts', 'texts', 'meta'] as const
  return transact(database, 'rw', names, async (tables) => {
    // All of them were made before.
    await markShownIn(tables, articleId, { openedAt: Number.POSITIVE_INFINITY, userId })
    const [draft, epoch, article] = await Promise.all([
      openDraftIn(tables, articleId),
      knownEpoch(tables),
      tables.articles.get(articleId),
    ])
    return { draft, epoch, article }
  })
}
