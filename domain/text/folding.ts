import { EXTENDS, INVISIBLE, isApostrophe, isHyphen, kindAt, SPACE } from './characters.ts'

/**
 * Which letters are the same letter (Q40): the one rule of the keyword import, the scorecard, Find and the search in
 * lists. Letters are compared without case (`ß` as `ss`, every `i` as one) and without purely typographic forms (`ﬃ`,
 * full width), but digits and fractions as they are. All apostrophes are equal, as are hyphens, quotes and spaces. Soft
 * hyphens, invisible characters and the vowel marks of Greek, Arabic and Hebrew are left out.
 */
export type Folded = {
  text: string
  /** For each unit of `text`: start of its letter in the original. */
  from: number[]
  /** For each unit of `text`: end of its letter in the original, marks included. */
  to: number[]
}

/** The folded text with a map to the original. A letter and its marks are folded together and map to one place. */
export function foldInPlace(original: string, matchCase = false): Folded {
  const folded: Folded = { text: '', from: [], to: [] }
  for (let from = 0, end = 0; from < original.length; from = end) {
    end = endOfLetter(original, from)
    const letter = original.slice(from, end)
    const letters = foldLetter(letter, matchCase)
    const to = from + (letter.length > 1 ? letter.replace(INVISIBLE_END, '').length : 1)
    for (let at = 0; at < letters.length; at += 1) {
      folded.from.push(from)
      folded.to.push(to)
    }
    folded.text += letters
  }
  return folded
}

/** Texts of the same letters have the same folded text. */
export const fold = (text: string): string =>
  PLAIN.test(text) ? text.toLowerCase() : foldInPlace(text).text

/** Printable ASCII except the grave accent, which is folded to an apostrophe. */
const PLAIN = /^[ -_a-~]*$/

/** Longer sequences of marks are folded in pieces, because normalising takes quadratic time in their number. */
const MARKS_MAX = 32

function endOfLetter(text: string, from: number): number {
  const most = Math.min(text.length, from + MARKS_MAX)
  let end = from + ((text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1)
  while (end < most && kindAt(text, end) & EXTENDS) end += 1
  return end
}

/** Without and with case. */
const known = [new Map<string, string>(), new Map<string, string>()] as const
const KNOWN_MAX = 10_000
const LENGTH_MAX = 8

function foldLetter(letter: string, matchCase: boolean): string {
  const kept = known[matchCase ? 1 : 0]
  let letters = kept.get(letter)
  if (letters === undefined) {
    letters = withoutVowels(matchCase ? unify(letter) : withoutCase(unify(letter)))
    if (kept.size === KNOWN_MAX) kept.clear()
    if (letter.length <= LENGTH_MAX) kept.set(letter, letters)
  }
  return letters
}

const INVISIBLE_END = /\p{Default_Ignorable_Code_Point}+$/u
/** Single letters of Hangul would become syllables. */
const LETTER = /(?![\u3131-\u318e\uffa0-\uffdc])[\p{L}\uff9e\uff9f]/gu

/** The text with one form of each letter and sign, in its own case and with its marks. */
export const unify = (text: string): string =>
  text
    .replace(INVISIBLE, '')
    // Compatibility forms of a spacing mark decompose into a space and the mark.
    .replace(LETTER, (letter) => letter.normalize('NFKD').replace(/ (?=\p{M})/gu, ''))
    .normalize('NFC')
    .replace(/[^\w\n]/gu, signOf)

function signOf(sign: string): string {
  if (isApostrophe(sign)) return "'"
  if (isHyphen(sign)) return '-'
  if ('“”„‟'.includes(sign)) return '"'
  return kindAt(sign, 0) & SPACE ? ' ' : sign
}

/** Lower, upper and lower case again: `ẞ` reaches `ss` only by way of `ß` and `SS`. */
const withoutCase = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(/i\p{M}+/gu, (letter) => letter.replaceAll('\u0307', ''))
    .replaceAll('ς', 'σ')

/** Vowel marks and the Arabic tatweel. Hamza and madda are letters and stay. */
const withoutVowels = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/((?=\p{L})\p{sc=Greek})\p{M}+/gu, '$1')
    .replace(/(?![\u0653-\u0655])(?=\p{M})[\p{scx=Arabic}\p{sc=Hebrew}]|\u0640/gu, '')
    .normalize('NFC')
