import type { LocalDatabase } from './database.ts'
import type { Draft } from './draft-rows.ts'
import type { Written } from './drafts.ts'
import type { OpenText } from './sync-client.ts'

export type OpenTextOptions = {
  database: LocalDatabase
  articleId: string
  tabId: string
  draft: Draft
  /** The history of the server's data that the draft is from, or an earlier one; null when none is known. */
  epoch: string | null
  /** The draft was written: other editors must look, and the queue if `isMoved`. `anew`: its rows had been cleared away. */
  written: (write: Pick<Written, 'anew' | 'isMoved'>) => void
  /** The text is open no longer. */
  closed: () => void
  /** The page was hidden and what it showed is written. */
  left: () => void
  /** False once the person left: what is removed from this computer then stays removed. */
  isWanted: () => boolean
}

/** An open text with what only the client calls. */
export type TrackedText = OpenText & {
  readonly articleId: string
  /** Another tab, a merge or the server wrote the draft: follow it, unless the user is in the middle of a change. */
  follow(): void
  /** Goes on with a text that was closed before it could be written. False when it is not closed. */
  reopen(): boolean
  /** What this computer or the server would not take may be taken now. */
  retry(): void
}
