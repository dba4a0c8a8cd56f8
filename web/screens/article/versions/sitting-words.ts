import type { Dates } from '../../../../domain/calendar/dates.ts'
import { enumerated } from '../../../../domain/names/enumerated.ts'
import type { Version } from '../../../../sync/history/versions.ts'
import { reasonWords, type ShownWords } from './version-words.ts'

/** '13:52–14:40', or '13:52' where both have the same minute. */
export function spanWords(
  { from, to }: { from: number; to: number },
  { time }: Pick<Dates, 'time'>,
): ShownWords {
  const [start, end] = [time(from), time(to)]
  if (start === end) return { shown: start, read: start }
  return { shown: `${start}–${end}`, read: `${start} to ${end}` }
}

/** The authors of a sitting in a line: one with the whole name, two with their first names, or one and how many more. */
export function authorWords(authors: readonly (string | null)[]): ShownWords {
  const names = [...new Set(authors)].filter((name) => name !== null)
  const firstNames = names.map((name) => name.split(' ')[0] ?? name)
  const areDistinct = new Set(firstNames).size === names.length
  const short = names.length > 1 && areDistinct ? firstNames : names
  const shown = short.length > 2 ? `${short[0]} and ${short.length - 1} more` : short.join(', ')
  return { shown, read: enumerated(short) }
}

/** What stays visible of the versions of a folded sitting. */
export type Mark = { kind: 'hand-in' | 'merge' | 'other' | 'more'; words: string }

/** Each once, hand-ins first. */
export function marksOf(versions: readonly Pick<Version, 'reason' | 'server'>[]): Mark[] {
  const handIns = versions.flatMap(({ server }) =>
    server?.handIn ? [handInMark(server.handIn)] : [],
  )
  const others = versions.map(({ reason }) => markOf(reason))
  const byWords = new Map([...handIns, ...others].map((mark) => [mark.words, mark]))
  return [...byWords.values()].filter(({ words }) => words !== '')
}

export const handInMark = (handIn: number): Mark => ({
  kind: 'hand-in',
  words: `Handed in, hand-in ${handIn}`,
})

const markOf = (reason: string): Mark =>
  reason === 'pre-merge-mine' || reason === 'pre-merge-theirs'
    ? { kind: 'merge', words: 'Before a merge' }
    : { kind: 'other', words: reasonWords(reason) }

/** Two, and how many there are beyond them. */
export function shownMarks(marks: readonly Mark[]): Mark[] {
  if (marks.length <= 2) return [...marks]
  return [...marks.slice(0, 2), { kind: 'more', words: `and ${marks.length - 2} more` }]
}
