import type { Dates } from '../../../../domain/calendar/dates.ts'
import type {
  RecordedSitting,
  Share,
  WritingRecord,
} from '../../../../domain/writing/writing-record.ts'
import { counted, wordsOf } from '../../../ui/words/figure.ts'
import { changeWords, type ShownWords } from '../versions/version-words.ts'

/** 'From 14 kept versions: 4 sittings on 3 days.' */
export function introWords(
  { versions, sittings }: WritingRecord,
  { date }: Pick<Dates, 'date'>,
): string {
  const days = new Set(sittings.map(({ from }) => date(from))).size
  return `From ${counted(versions, 'kept version')}: ${counted(sittings.length, 'sitting')} on ${counted(days, 'day')}.`
}

/** How a sitting changed the text. Null: not at all. */
export function sittingChange({ added, removed, isPruned }: RecordedSitting): ShownWords | null {
  const change = changeWords({ added, removed, formatting: false })
  if (!change || !isPruned) return change
  return { shown: `at least ${change.shown}`, read: `at least ${change.read}` }
}

export const shareWords = ({ percent, isUnderOne }: Share): string =>
  isUnderOne ? 'under 1%' : `${percent}%`

/** '96 words between the versions from 10:31 and 10:41 on 22 November.' */
export function stepWords(
  { words, from, to }: NonNullable<WritingRecord['largestStep']>,
  dayOf: (at: number) => string,
  { time }: Pick<Dates, 'time'>,
): string {
  const [day, dayAfter] = [dayOf(from), dayOf(to)]
  const times =
    day === dayAfter
      ? `${time(from)} and ${time(to)} on ${day}`
      : `${day}, ${time(from)} and ${dayAfter}, ${time(to)}`
  return `${wordsOf(words)} between the versions from ${times}.`
}

export const PRUNING_NOTE =
  'Versions are thinned out with time, so a step can hold several changes.'

/** What 'at least' means, or null where no sitting has it. `isWhole`: no kept version is missing in the record. */
export function atLeastNote({ sittings }: WritingRecord, isWhole: boolean): string | null {
  if (!sittings.some((sitting) => sitting.isPruned && sittingChange(sitting))) return null
  const missing = isWhole ? 'were deleted' : 'are not on this computer'
  return `‘At least’ marks sittings of which versions ${missing}.`
}

/** What a record says that has some of the kept versions only. */
export function partWords({ versions }: WritingRecord, isOffline: boolean): string {
  const why = isOffline ? 'You are offline.' : 'Couldn’t load all versions.'
  if (versions > 1)
    return `${why} This is from the ${counted(versions, 'version')} on this computer.`
  return `${why} ${versions === 1 ? 'Only 1 version' : 'No version'} of this text is on this computer.`
}
