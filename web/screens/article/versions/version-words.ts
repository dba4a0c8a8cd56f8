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
    reasonWords(reason),
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

/** Why a version was kept; empty for one that was simply saved. */
export const reasonWords = (reason: string): string => KINDS[reason] ?? ''

/** The time of a version, with seconds where another one of its sitting has the same minute. */
export function timeIn(
  sitting: readonly Pick<Version, 'at'>[],
  { at }: Pick<Version, 'at'>,
  { time, timeWithSeconds }: Pick<Dates, 'time' | 'timeWithSeconds'>,
): string {
  const minute = minuteOf(at)
  const isRepeated = sitting.filter((version) => minuteOf(version.at) === minute).length > 1
  return isRepeated ? timeWithSeconds(at) : time(at)
}

const minuteOf = (at: number): number => Math.floor(at / 60_000)

/** Words as a sign, and as they are read out. */
export type ShownWords = { shown: string; read: string }

/** How a version differs from the one before it, or null: not at all. */
export function changeWords({ added, removed, formatting }: ChangedWords): ShownWords | null {
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
export function differenceWords(words: number): ShownWords | null {
  if (words === 0) return null
  return words > 0
    ? { shown: `+${figure(words)}`, read: `${wordsOf(words)} more` }
    : { shown: `−${figure(-words)}`, read: `${wordsOf(-words)} fewer` }
}
