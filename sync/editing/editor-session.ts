import type { ArticleDocument } from '../../domain/document.ts'
import type { LocalDatabase } from '../store/database.ts'
import type { Draft } from '../store/draft-rows.ts'
import type { Written } from './drafts.ts'

/** One text open in an editor of this tab. */
export type OpenText = {
  /** What to show first: the draft if there is one, else the last text known from the server. */
  readonly document: ArticleDocument
  /** Connects the editor; from now on texts of other tabs and merges reach it. */
  attach(editor: EditorPort): void
  /** The user changed the text. Cheap: the text is read at the next flush. */
  edited(): void
  /** Resolves when everything typed so far is in the local database. */
  flush(): Promise<void>
  /** The page is being hidden or closed: one raw synchronous write of what is not flushed yet. */
  saveExitSnapshot(): void
  close(): Promise<void>
}

/** The editor as the sync core sees it. All calls are synchronous. */
export type EditorPort = {
  read(): ArticleDocument
  /** Shows `document` by the smallest change: selection kept, not in the undo history, not an edit of the user's. */
  show(document: ArticleDocument): void
  /** True while an input method composes; `show` waits for its end. */
  isComposing(): boolean
}

export type OpenTextOptions = {
  database: LocalDatabase
  articleId: string
  tabId: string
  draft: Draft
  /** The epoch of the server's data that the draft is from, or an earlier one; null when none is known. */
  epoch: string | null
  /** The draft was written: other editors must check it, and the queue if `isMoved`. */
  written: (write: Pick<Written, 'isRecreated' | 'isMoved'>) => void
  /** The text was closed. */
  closed: () => void
  /** The page was hidden and what it showed is written. */
  left: () => void
  /** False once the user signed out: what is removed from this device then stays removed. */
  isWanted: () => boolean
}

/** An open text with what only the client calls. */
export type EditorSession = OpenText & {
  readonly articleId: string
  /** Another tab, a merge or the server wrote the draft: follow it, unless the user is in the middle of a change. */
  follow(): void
  /** Reopens a text that was closed before it could be written. Returns false when it is not closed. */
  reopen(): boolean
  /** Retries what this device or the server refused before. */
  retry(): void
}

/** An editor that is about to be removed; its present text is still to be written. */
export function lastWordOf(editor: EditorPort): EditorPort {
  const document = editor.read()
  return { read: () => document, show: () => {}, isComposing: () => true }
}
