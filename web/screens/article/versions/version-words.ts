import type { ChangedWords } from '../../../../domain/text/changed-words.ts'
import type { Version } from '../../../../sync/history/versions.ts'
import type { LocalRevReason } from '../../../../sync/store/database.ts'
import { figure, wordsOf } from '../../../ui/words/figure.ts'

/** The user who saved this text; null when the server names none. */
export const keptBy = ({ server }: Version): string | null =>
  server === null ? 'This computer' : server.author

/** What kind of version it is; empty for one that was simply saved. */
export const kindOf = ({ isPresent, reason }: Version): string =>
  [isPresent && 'Current version', KINDS[reason]].filter(Boolean).join(' · ')

const OF_SERVER: Record<string, string | undefined> = {
  created: 'Original',
  merge: 'Merged',
  plain: 'Changed by another app',
  restore: 'Restored',
}

const OF_THIS_COMPUTER: Record<LocalRevReason, string> = {
  checkpoint: '',
  'pre-merge-mine': 'Before changes from elsewhere were merged',
  'pre-merge-theirs': 'Changes from elsewhere before they were merged',
  'other-history': 'Before the server was restored',
  blocked: 'Not accepted by the server',
  orphan: 'Kept when the article was no longer available',
  'exit-snapshot': 'Saved when the page was closed',
}

const KINDS: Record<string, string | undefined> = { ...OF_SERVER, ...OF_THIS_COMPUTER }

/** How a version differs from the one before it, as a sign and for who has it read out. Null: not at all. */
export function changeWords({ added, removed, formatting }: ChangedWords) {
  if (formatting) return { shown: 'formatting', read: 'formatting changed' }
  const parts = [
    ...(added > 0 ? [{ shown: `+${figure(added)}`, read: `${wordsOf(added)} added` }] : []),
    ...(removed > 0
      ? [
          {
            shown: `−${figure(removed)}`,
            read: `${added > 0 ? figure(removed) : wordsOf(removed)} removed`,
          },
        ]
      : []),
  ]
  if (parts.length === 0) return null
  return {
    shown: parts.map(({ shown }) => shown).join(' '),
    read: parts.map(({ read }) => read).join(', '),
  }
}
