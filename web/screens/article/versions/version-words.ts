import type { Version } from '../../../../sync/history/versions.ts'
import type { LocalRevReason } from '../../../../sync/store/database.ts'

/** The user who saved this text; null when the server names none. */
export const keptBy = ({ server }: Version): string | null =>
  server === null ? 'This computer' : server.author

/** Why it was kept, in plain words. */
export const keptBecause = ({ reason }: Version): string => REASONS[reason] ?? 'Saved'

const OF_SERVER: Record<string, string | undefined> = {
  created: 'Original',
  autosave: 'Saved',
  merge: 'Changes from elsewhere merged',
  plain: 'Changed by another app',
  restore: 'Restored',
}

const OF_THIS_COMPUTER: Record<LocalRevReason, string> = {
  checkpoint: 'Saved',
  'pre-merge-mine': 'Before changes from elsewhere were merged',
  'pre-merge-theirs': 'Changes from elsewhere before they were merged',
  'other-history': 'Before the server was restored',
  blocked: 'Not accepted by the server',
  orphan: 'Kept when the article was no longer available',
  'exit-snapshot': 'Saved when the page was closed',
}

const REASONS: Record<string, string | undefined> = { ...OF_SERVER, ...OF_THIS_COMPUTER }
