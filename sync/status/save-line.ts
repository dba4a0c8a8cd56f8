import { AUTOSAVE_MAX_WAIT_MS } from '../../domain/limits.ts'
import type { DraftRow, OutboxRow } from '../store/database.ts'

/** The save line of an article: the state on this device, from committed rows only. */
export type SaveLine =
  /** Acknowledged by the server and nothing newer. */
  | 'saved'
  | 'saving'
  /** Kept on this computer, waiting for the connection. */
  | 'on-this-computer'
  /** The exit snapshot of a closed page, for which the database has no room. */
  | 'no-room'
  /** The local write itself failed. */
  | 'not-saved'
  /** The local write failed, but the server has every word. */
  | 'sent-only'

export function saveLineOf(text: {
  inMemory: boolean
  noRoom: boolean
  unsent: boolean
  stuck: boolean
}): SaveLine {
  if (text.inMemory) return 'not-saved'
  if (text.noRoom) return 'no-room'
  if (!text.unsent) return 'saved'
  return text.stuck ? 'on-this-computer' : 'saving'
}

/** Saving that takes longer is shown by its actual state. */
const SAVING_MS = 5_000

/** So coarse that the page does not render at every save of a writer. */
const A_SECOND_MS = 1_000

/**
 * Until when 'saving' may be shown, in milliseconds since 1970, to the second. It ends also while typing continues,
 * once the first of these words should have arrived long ago.
 */
export function savingUntilOf(draft: DraftRow | undefined, entries: readonly OutboxRow[]): number {
  const oldest = Math.min(
    ...entries
      .filter(({ kind }) => kind === 'text')
      .map(({ firstEditAt }) => firstEditAt + AUTOSAVE_MAX_WAIT_MS),
  )
  const since = Math.min(draft?.editedAt ?? oldest, oldest)
  return Math.floor((since + SAVING_MS) / A_SECOND_MS) * A_SECOND_MS
}
