import {
  isClose,
  isUnspaced,
  type NearKind,
  type NearWords,
  type Reading,
  type Sought,
  signsOf,
  UNSPACED_MIN,
  writtenGap,
} from './near-words.ts'
import { type Likeness, likenessOf } from './word-likeness.ts'

/** Places where all letters are those of the keyword, but joined or separated in another way. */
export function sameLetters(sought: Sought, reading: Reading): NearWords[] {
  const letters = sought.words.join('')
  return reading.words.flatMap((_, first) => {
    const last = lastOfLetters(letters, sought.mayBePlural, reading, first)
    return last === null ? [] : (joinedOtherwise(sought, letters, reading, first, last) ?? [])
  })
}

/** The word with which the letters end that begin at `first`. */
function lastOfLetters(
  letters: string,
  mayBePlural: boolean,
  { words }: Reading,
  first: number,
): number | null {
  let read = ''
  for (let last = first; last < words.length; last += 1) {
    read += words[last]
    if (read === letters || (mayBePlural && read === `${letters}s`)) return last
    if (!letters.startsWith(read)) return null
  }
  return null
}

/** What remains of a contraction is mostly another word. */
const CONTRACTED = /^(?:cant|hell|id|ill|its|lets|shed|shell|wed|well|were|wont)$/

function joinedOtherwise(
  sought: Sought,
  letters: string,
  reading: Reading,
  first: number,
  last: number,
): NearWords | null {
  const wanted = gapsByOffset(sought, 0, sought.words.length - 1)
  const written = gapsByOffset(reading, first, last)
  const kinds = kindsOfGaps(wanted, written, reading, letters.length)
  if (kinds?.length === 0) kinds.push(...kindsOfEdges(sought, reading, first, last))
  const kind = kinds?.[0]
  if (kind === undefined || kinds?.some((other) => other !== kind)) return null
  if (kind === 'two words' && (kinds?.length !== 1 || !areTwoWords(sought, reading, first, last)))
    return null
  if (kind === 'apostrophe' && reading.gaps[first]?.endsWith("'")) return null
  if (kind.endsWith('apostrophe') && CONTRACTED.test(letters)) return null
  const length = reading.words.slice(first, last + 1).join('').length
  const starts = [...wanted.keys()].map((offset) => {
    const word = written.get(offset)?.word
    return word === undefined ? -1 : (reading.from[word] ?? -1)
  })
  return {
    kind,
    from: reading.from[first] ?? 0,
    to: reading.to[last] ?? 0,
    between: [],
    starts: [reading.from[first] ?? 0, ...starts],
    isPlural: length > letters.length,
  }
}

const TWO_WORDS_MIN = 5

/** A short keyword without others next to it is often two words by chance: `area`, `are a`. */
function areTwoWords({ words }: Sought, reading: Reading, first: number, last: number): boolean {
  const [word = ''] = words
  if (words.length > 1 || isUnspaced(word)) return true
  const written = reading.words.slice(first, last + 1)
  return word.length >= TWO_WORDS_MIN && written.every(({ length }) => length > 1)
}

type Gaps = ReadonlyMap<number, { gap: string; word: number }>

/** Null when a difference is of no kind. */
function kindsOfGaps(wanted: Gaps, written: Gaps, reading: Reading, letters: number) {
  const kinds: NearKind[] = []
  for (const offset of new Set([...wanted.keys(), ...written.keys()])) {
    const [gap, is] = [wanted.get(offset)?.gap ?? '', written.get(offset)]
    const between = is ? writtenGap(reading, is.word) : ''
    if (!isClose(between)) return null
    if (gap === (is?.gap ?? '')) continue
    const isInUnspaced = isUnspaced(is && reading.words[is.word - 1])
    if (gap === '' && isInUnspaced && letters < UNSPACED_MIN) return null
    const kind = kindOfGap(gap, is?.gap ?? '', isInUnspaced)
    if (kind === null || (kind !== 'no hyphen' && signsOf(between) !== '')) return null
    kinds.push(kind)
  }
  return kinds
}

/** The gaps before the words after `first`, by the letters before each. */
function gapsByOffset(
  { words, gaps }: Pick<Reading, 'words' | 'gaps'>,
  first: number,
  last: number,
) {
  const byOffset = new Map<number, { gap: string; word: number }>()
  let offset = 0
  for (let word = first; word <= last; word += 1) {
    if (word > first) byOffset.set(offset, { gap: gaps[word] ?? '', word })
    offset += (words[word] ?? '').length
  }
  return byOffset
}

/** Where the keyword has the gap `wanted` and the text has `gap`, null when both differ in more than one way. */
function kindOfGap(wanted: string, gap: string, isBetweenUnspaced: boolean): NearKind | null {
  if (gap.includes('\n')) {
    const line = gap.replaceAll(' ', '').replace(/\n+/, '\n')
    const lines = wanted === ' ' || isBetweenUnspaced ? ['\n'] : ['-\n']
    if (wanted === '-') lines.push('\n')
    return lines.includes(line) && !wanted.includes("'") ? 'line break' : null
  }
  const [hasWanted, has] = [wanted.includes("'"), gap.includes("'")]
  const [plainWanted, plain] = [wanted.replaceAll("'", ''), gap.replaceAll("'", '')]
  if (hasWanted && !has)
    return plain === plainWanted || plainWanted === '' ? apostropheOr(plain, 'no apostrophe') : null
  if (has && !hasWanted)
    return plain === plainWanted || plain === '' ? apostropheOr(plain, 'apostrophe') : null
  if (wanted === '-') return gap === ' ' || gap === '' ? 'no hyphen' : null
  if (gap === '-') return plainWanted === ' ' || plainWanted === '' ? 'hyphen' : null
  if (plainWanted === ' ' && plain === '') return 'one word'
  return plainWanted === '' && plain === ' ' ? 'two words' : null
}

const apostropheOr = (gap: string, kind: NearKind): NearKind | null =>
  gap.includes('-') ? null : kind

/** A keyword may begin or end with an apostrophe or a hyphen. */
function kindsOfEdges({ gaps }: Sought, reading: Reading, first: number, last: number): NearKind[] {
  const edges = [gaps[0] ?? '', gaps.at(-1) ?? '']
  const written = [reading.gaps[first] ?? '', reading.gaps[last + 1] ?? '']
  return edges.flatMap((edge, at): NearKind[] => {
    const sign = edge.includes("'") ? "'" : '-'
    if (edge === '' || written[at]?.includes(sign)) return []
    return [sign === "'" ? 'no apostrophe' : 'no hyphen']
  })
}

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
