import { isApostrophe, isHyphen, kindAt, SPACE, WORD } from './characters.ts'

/**
 * The words of a block and the gaps between them, as the search for keywords compares them: lower case,
 * composed, curly apostrophes straight, runs of white space one space. A gap has nothing but spaces,
 * apostrophes, hyphens and line breaks.
 *
 * Normalising strips all other signs from keywords (`node.js` becomes `nodejs`), so a text is read in two
 * ways (Q40): with its signs removed, which can join words, and with its signs as spaces.
 */
export type BlockWords = {
  words: string[]
  /** gaps[n] stands before words[n]; one more stands at the end. */
  gaps: string[]
  /** Place of each word in the text; the end is exclusive. */
  from: number[]
  to: number[]
  /** Whether the other way of reading gives other words or gaps. */
  ambiguous: boolean
}

export type Signs = 'removed' | 'spaces'

export function readWords(text: string, signs: Signs): BlockWords {
  const block: BlockWords = { words: [], gaps: [], from: [], to: [], ambiguous: false }
  const folded = foldedInPlace(text)
  for (let from = 0, to = 0; ; ) {
    from = endOfRun(text, to, 0)
    addGap(block, text, to, from, signs)
    if (from === text.length) break
    to = endOfRun(text, from, WORD)
    addWord(block, folded?.slice(from, to) ?? fold(text.slice(from, to)), from, to)
  }
  if (signs === 'removed' && block.ambiguous) block.words = block.words.map(withoutSigns)
  return block
}

/** Index behind the characters from `index` on that all are of words, or all are not. */
function endOfRun(text: string, index: number, kind: number): number {
  let end = index
  while (end < text.length && (kindAt(text, end) & WORD) === kind) end += 1
  return end
}

function addGap(block: BlockWords, text: string, from: number, to: number, signs: Signs): void {
  const atStart = from === 0
  const atEnd = to === text.length
  if (to - from === 1 && text.charAt(from) === ' ' && !atStart && !atEnd) {
    block.gaps.push(' ')
    return
  }
  const raw = text.slice(from, to)
  let [removed, spaces] = [gapOf(raw, ''), gapOf(raw, ' ')]
  if (atStart) [removed, spaces] = [removed.trimStart(), spaces.trimStart()]
  if (atEnd) [removed, spaces] = [removed.trimEnd(), spaces.trimEnd()]
  if (removed !== spaces) block.ambiguous = true
  block.gaps.push(signs === 'removed' ? removed : spaces)
}

function gapOf(raw: string, sign: '' | ' '): string {
  let gap = ''
  for (let index = 0; index < raw.length; index += 1) {
    const next = gapCharacter(raw, index, sign)
    if (next !== ' ' || !gap.endsWith(' ')) gap += next
  }
  return gap
}

function gapCharacter(raw: string, index: number, sign: '' | ' '): string {
  const character = raw.charAt(index)
  if (character === '\n') return character
  if (isApostrophe(character)) return "'"
  if (isHyphen(character)) return '-'
  return kindAt(raw, index) & SPACE ? ' ' : sign
}

/** A word that only removed signs part from the one before becomes one with it. */
function addWord(block: BlockWords, word: string, from: number, to: number): void {
  const last = block.words.length - 1
  if (word.includes('_')) block.ambiguous = true
  if (last >= 0 && block.gaps.at(-1) === '') {
    block.gaps.pop()
    block.words[last] += word
    block.to[last] = to
  } else {
    block.words.push(word)
    block.from.push(from)
    block.to.push(to)
  }
}

/** An underscore inside a word is a sign like others, at the edge of one it is a part of it. */
const withoutSigns = (word: string): string => fold(word).replace(/(?<=[^_])_+(?=[^_])/g, '')

/** The forms of sigma are one letter. */
const fold = (word: string): string => word.normalize('NFC').toLowerCase().replaceAll('ς', 'σ')

/** The folded text when every character kept its place in it, which is nearly always; else null. */
function foldedInPlace(text: string): string | null {
  if (text.normalize('NFC') !== text) return null
  const folded = text.toLowerCase().replaceAll('ς', 'σ')
  return folded.length === text.length ? folded : null
}
