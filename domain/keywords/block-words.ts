import {
  ALPHANUMERIC,
  kindAt,
  SUBSCRIPTS,
  SUPERSCRIPTS,
  UNSPACED,
  WORD,
} from '../text/characters.ts'
import { type Folded, foldInPlace } from '../text/folding.ts'

/**
 * The words of a block and the gaps between them, as the keyword search compares them: folded, and runs of white space
 * as one space. A gap contains only spaces, apostrophes, hyphens and line breaks. In a script without spaces between
 * words, each letter with its marks is a word here, with an empty gap before it, because a keyword may begin and end at
 * any of them.
 */
export type BlockWords = {
  words: string[]
  /** gaps[n] precedes words[n]; one more is at the end. */
  gaps: string[]
  /** Place of each word in the text; the end is exclusive. */
  from: number[]
  to: number[]
}

/** Superscripts and subscripts at the end of a word. */
const NOTES = new RegExp(
  `(?<=\\p{L}\\p{M}*)[${SUPERSCRIPTS}${SUBSCRIPTS}]+(?![\\p{L}\\p{M}\\p{N}_])`,
  'gu',
)

/**
 * Superscripts at the end of a word are part of it (`m²`) or the number of a note (`enough¹`), so a text with some is read
 * twice: as it is, and with signs in their place.
 */
export function readings(text: string): BlockWords[] {
  const withoutNotes = text.replace(NOTES, (notes) => '*'.repeat(notes.length))
  const read = readingsOfSigns(text)
  return withoutNotes === text ? read : [...read, ...readingsOfSigns(withoutNotes)]
}

/**
 * Normalising strips all other signs from keywords (`node.js` becomes `nodejs`), so a text is read in two ways (Q40):
 * with its signs removed, which can join words, and with its signs as spaces. One reading where both are the same.
 */
function readingsOfSigns(text: string): BlockWords[] {
  const folded = foldInPlace(text)
  const [removed, spaces] = [withSigns(folded, ''), withSigns(folded, ' ')]
  const joined = wordsOf(withoutUnderscores(removed))
  return removed.text === spaces.text && !removed.text.includes('_')
    ? [joined]
    : [joined, wordsOf(spaces)]
}

/** Words and gaps of a keyword, whose signs normalising has removed. */
export const readKeyword = (keyword: string): BlockWords =>
  wordsOf(withoutUnderscores(withSigns(foldInPlace(keyword.replace(/\s+/gu, ' ')), '')))

/** The folded text with each sign as `sign`, one space for a run of them, and none at the ends. */
function withSigns(folded: Folded, sign: '' | ' '): Folded {
  const read: Folded = { text: '', from: [], to: [] }
  // Not read from the text: looking into a text that grows copies all of it.
  let last = ' '
  for (let at = 0; at < folded.text.length; at += 1) {
    const unit = folded.text.charAt(at)
    const isKept = kindAt(folded.text, at) & WORD || "'-\n".includes(unit)
    const next = isKept || unit === ' ' ? unit : sign
    if (next === ' ' && last === ' ') continue
    append(read, next, folded, at)
    last = next || last
  }
  return { ...read, text: read.text.trimEnd() }
}

function append(to: Folded, unit: string, from: Folded, at: number): void {
  if (unit === '') return
  to.text += unit
  to.from.push(from.from[at] ?? 0)
  to.to.push(from.to[at] ?? 0)
}

/** An underscore inside a word is a sign like others; at its edge it is part of the word. */
function withoutUnderscores(folded: Folded): Folded {
  if (!folded.text.includes('_')) return folded
  const read: Folded = { text: '', from: [], to: [] }
  const inside = new Set<number>()
  for (const { index, 0: run } of folded.text.matchAll(/(?<=[^_ '\n-])_+(?=[^_ '\n-])/g)) {
    for (let at = index; at < index + run.length; at += 1) inside.add(at)
  }
  for (let at = 0; at < folded.text.length; at += 1) {
    if (!inside.has(at)) append(read, folded.text.charAt(at), folded, at)
  }
  return read
}

function wordsOf({ text, from, to }: Folded): BlockWords {
  const block: BlockWords = { words: [], gaps: [], from: [], to: [] }
  for (let start = 0, end = 0; ; ) {
    start = end
    while (start < text.length && !(kindAt(text, start) & WORD)) start += 1
    block.gaps.push(text.slice(end, start))
    if (start === text.length) return block
    end = endOfWord(text, start)
    block.words.push(text.slice(start, end))
    block.from.push(from[start] ?? 0)
    block.to.push(to[end - 1] ?? 0)
  }
}

/** In a script without spaces a word is one letter with its marks. */
function endOfWord(text: string, start: number): number {
  const isUnspaced = kindAt(text, start) & UNSPACED
  let end = start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1)
  for (; end < text.length; end += 1) {
    const kind = kindAt(text, end)
    if (!(kind & WORD)) break
    if (isUnspaced ? kind & ALPHANUMERIC || text[end] === '_' : isUnspacedLetter(kind)) break
  }
  return end
}

const isUnspacedLetter = (kind: number): boolean =>
  (kind & UNSPACED) > 0 && (kind & ALPHANUMERIC) > 0
