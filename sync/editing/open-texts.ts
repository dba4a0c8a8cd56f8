import type { Ports } from '../ports.ts'
import type { LocalDatabase } from '../store/database.ts'
import type { Retry } from '../store/with-retry.ts'
import { type EditorSession, type OpenText, openText } from './editor-session.ts'
import { type Opening, readOpening } from './opening.ts'
import type { Recovery } from './recovery.ts'

/** The texts that are open in editors of this tab. */
export type OpenTexts = {
  articleIds(): string[]
  /** Opens the text for writing. Null when this computer has no copy of it. */
  open(articleId: string): Promise<OpenText | null>
  /** The draft was written elsewhere: its editors follow it. */
  follow(articleId: string): void
  followAll(): void
  /** Writes every open text to the local database. */
  flush(): Promise<void>
  saveExitSnapshot(): void
  /** Retries what this device or the server refused before. */
  retry(): void
}

export type OpenTextsOptions = {
  database: LocalDatabase
  userId: string
  tabId: string
  retrying: Retry
  recovery: Pick<Recovery, 'opened' | 'openRestored'>
  /** The queue's next due time has changed. */
  queueMoved: () => void
  /** The page was hidden and what it showed is written. */
  left: () => void
  /** False once the user signed out. */
  isWanted: () => boolean
}

export function createOpenTexts(ports: Ports, options: OpenTextsOptions): OpenTexts {
  const { database, userId, tabId } = options
  const texts = new Set<EditorSession>()
  let opened = 0

  function follow(articleId: string, writer?: EditorSession): void {
    for (const text of texts) if (text !== writer && text.articleId === articleId) text.follow()
  }

  function openWith(articleId: string, { draft, epoch, article }: Opening): OpenText | null {
    if (!draft) return null
    // Skips what reads the database: an editor saves directly when that is what failed.
    const text = openText(ports, {
      database,
      articleId,
      userId,
      // One id per text: the exit snapshot of one must not replace another's.
      tabId: `${tabId}.${++opened}`,
      draft,
      epoch,
      written({ isRecreated, isMoved }) {
        // The page continues to show an article whose rows were deleted, and reads its state from them.
        if (isRecreated && article) void database.articles.add(article).catch(() => {})
        ports.bus.post({ kind: 'text-written', articleId })
        follow(articleId, text)
        if (isMoved) options.queueMoved()
      },
      closed: () => texts.delete(text),
      left: options.left,
      isWanted: options.isWanted,
    })
    texts.add(text)
    return text
  }

  return {
    articleIds: () => [...new Set([...texts].map(({ articleId }) => articleId))],
    async open(articleId) {
      await options.recovery.opened()
      // No row has its latest words yet.
      const closed = [...texts].find((text) => text.articleId === articleId && text.reopen())
      if (closed) return closed
      const known = await options.retrying.run(() => readOpening(database, articleId))
      return openWith(articleId, known ?? (await options.recovery.openRestored(articleId)))
    },
    follow,
    followAll() {
      for (const text of texts) text.follow()
    },
    async flush() {
      await Promise.all([...texts].map((text) => text.flush()))
    },
    saveExitSnapshot() {
      for (const text of texts) text.saveExitSnapshot()
    },
    retry() {
      for (const text of texts) text.retry()
    },
  }
}
