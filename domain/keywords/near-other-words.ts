import {
  isClose,
  type NearKind,
  type NearWords,
  type Reading,
  type Sought,
  writtenGap,
} from './near-words.ts'
import { type Likeness, likenessOf } from './word-likeness.ts'

/** Places where the words are in order and together, but with other accents, in other forms or with another letter. */
export function otherWords(sought: Sought, reading: Reading): NearWords[] {
  const [wanted = ''] = sought.words
  const mayBePlural = sought.words.length === 1 && sought.mayBePlural
  /** A text repeats most of its words. */
  const mayBegin = new Map<string, boolean>()
  return reading.words.flatMap((word, first) => {
    const begins = mayBegin.get(word) ?? likenessOfWord(word, wanted, mayBePlural).likeness !== null
    mayBegin.set(word, begins)
    return (begins && otherWordsAt(sought, reading, first)) || []
  })
}

function otherWordsAt(sought: Sought, reading: Reading, first: number): NearWords | null {
  const { words, gaps } = reading
  const likenesses: Likeness[] = []
  const starts: number[] = []
  let isPlural = false
  let at = first
  for (const [place, wanted] of sought.words.entries()) {
    const isLast = place === sought.words.length - 1
    if (place > 0) {
      const isPossessive = isPluralPossessive(reading, first, at, sought.gaps[place])
      if (isPossessive) likenesses.push('other form')
      else if (gaps[at] !== sought.gaps[place]) return null
      if (!isClose(writtenGap(reading, at))) return null
    }
    const alike = likenessOfWord(words[at] ?? '', wanted, isLast && sought.mayBePlural)
    if (alike.likeness === null) return null
    isPlural = alike.isPlural
    likenesses.push(alike.likeness)
    starts.push(reading.from[at] ?? 0)
    at += 1
    if (!isLast && gaps[at] === "'" && words[at] === 's' && sought.words[place + 1] !== 's') {
      likenesses.push('other form')
      at += 1
    }
  }
  const kind = kindOf(likenesses, sought)
  if (kind === null) return null
  const [from, to] = [reading.from[first] ?? 0, reading.to[at - 1] ?? 0]
  return { kind, from, to, between: [], starts, isPlural }
}

/** Whether `gardens' ` is before the word `at`, and no quote that ends there. */
const isPluralPossessive = (
  { words, gaps }: Reading,
  first: number,
  at: number,
  wanted = '',
): boolean =>
  gaps[at] === `'${wanted}` && !!words[at - 1]?.endsWith('s') && !gaps[first]?.endsWith("'")

function likenessOfWord(word: string, wanted: string, mayBePlural: boolean) {
  const likeness = likenessOf(word, wanted)
  if (!mayBePlural || likeness === 'same' || !word.endsWith('s'))
    return { likeness, isPlural: false }
  const ofSingular = likenessOf(word.slice(0, -1), wanted)
  const isPlural =
    ofSingular === 'same' || ofSingular === 'accent' || (ofSingular === 'one letter' && !likeness)
  return { likeness: isPlural ? ofSingular : likeness, isPlural }
}

/** A shorter word alone is often a word of its own with another accent, as `thé` and `the`. */
const ACCENT_MIN = 4

function kindOf(likenesses: readonly Likeness[], { words }: Sought): NearKind | null {
  const other = likenesses.filter((likeness) => likeness !== 'same')
  const kind = other[0] ?? 'same'
  if (kind === null || kind === 'same' || other.some((one) => one !== kind)) return null
  if (kind === 'one letter' && other.length > 1) return null
  const isCertain = other.length < words.length || words.some(({ length }) => length >= ACCENT_MIN)
  return kind === 'accent' && !isCertain ? null : kind
}
