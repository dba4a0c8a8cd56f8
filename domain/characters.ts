/**
 * What a character is to the word count and to the search for keywords. Answers are kept per code unit:
 * both rules look at every character of a paragraph on every keystroke.
 */

/** Any white space of Unicode. */
export const SPACE = 1
/** Letter, mark, digit or underscore: with one of these beside it, a keyword is only a part of a word (Q40). */
export const WORD = 2
/** Letter or digit: a token without any is no word (Q34). */
export const ALPHANUMERIC = 4

const known = new Uint8Array(0x10000)
const KNOWN = 0x80

/** Bits of the character at `index`, the same for both halves of a surrogate pair. */
export function kindAt(text: string, index: number): number {
  const unit = text.charCodeAt(index)
  const kind = known[unit]
  return kind ? kind & ~KNOWN : learn(text, index, unit)
}

function learn(text: string, index: number, unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdfff) return kindOf(pairAt(text, index))
  const kind = kindOf(text.charAt(index))
  known[unit] = kind | KNOWN
  return kind
}

/** The pair that has a half at `index`; a half alone is only itself. */
function pairAt(text: string, index: number): string {
  const before = text.codePointAt(index - 1) ?? 0
  return String.fromCodePoint(before > 0xffff ? before : (text.codePointAt(index) ?? 0))
}

function kindOf(character: string): number {
  if (/[\s\u0085]/u.test(character)) return SPACE
  if (isApostrophe(character) || /\p{Variation_Selector}/u.test(character)) return 0
  if (/[\p{L}\p{N}]/u.test(character)) return WORD | ALPHANUMERIC
  return /[\p{M}_]/u.test(character) ? WORD : 0
}

/** Something that can be seen: neither white space nor a character that is drawn as nothing. */
export const VISIBLE = /[^\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Straight, curly, reversed, modifier letter (which Unicode counts as a letter) and full width. */
const APOSTROPHES = "'‘’‛ʼ＇"
/** Typed, Unicode, non-breaking, small and full width. Dashes are no hyphens. */
const HYPHENS = '-‐‑﹣－'

export const isApostrophe = (character: string): boolean => APOSTROPHES.includes(character)
export const isHyphen = (character: string): boolean => HYPHENS.includes(character)
