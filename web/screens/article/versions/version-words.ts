import type { Dates } from '../../../../domain/calendar/dates.ts'
import type { ChangedWords } from '../../../../domain/text/changed-words.ts'
import type { Version } from '../../../../sync/history/versions.ts'
import type { LocalRevReason } from '../../../../sync/store/database.ts'
import { figure, wordsOf } from '../../../ui/words/figure.ts'

/** The user who saved this text; null when the server names none, and where the kind says it. */
export const keptBy = ({ server, isPresent }: Version): string | null =>
  server === null && !isPresent ? 'This computer' : (server?.author ?? null)

/** What kind of version it is; empty for one that was simply saved. */
export const kindOf = ({ isPresent, hasPresentText, reason, server }: Version): string =>
  [
    isPresent && (server === null ? 'Current version, on this computer' : 'Current version'),
    !isPresent && hasPresentText && 'Same text',
    KINDS[reason],
  ]
    .filter(Boolean)
    .join(' · ')

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

/** The times of the versions of one day, with seconds where one before or after it has the same minute. */
export function timesOf(
  versions: readonly Pick<Version, 'at'>[],
  { time, timeWithSeconds }: Pick<Dates, 'time' | 'timeWithSeconds'>,
): string[] {
  const minutes = versions.map(({ at }) => time(at))
  return versions.map(({ at }, index) => {
    const minute = time(at)
    const isRepeated = minute === minutes[index - 1] || minute === minutes[index + 1]
    return isRepeated ? timeWithSeconds(at) : minute
  })
}

/** A change as a sign and for who has it read out. */
export type ShownChange = { shown: string; read: string }

/** How a version differs from the one before it, or null: not at all. */
export function changeWords({ added, removed, formatting }: ChangedWords): ShownChange | null {
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

/** How many words a version has more or fewer than the one before it, where only their numbers are known. */
export function differenceWords(words: number): ShownChange | null {
  if (words === 0) return null
  return words > 0
    ? { shown: `+${figure(words)}`, read: `${wordsOf(words)} more` }
    : { shown: `−${figure(-words)}`, read: `${wordsOf(-words)} fewer` }
}
