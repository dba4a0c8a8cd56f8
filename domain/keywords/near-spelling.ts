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
