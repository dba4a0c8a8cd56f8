/**
 * What a character is to the word count and to the search for keywords. Kept per code unit: both rules look at every
 * character of a paragraph on every keystroke.
 */

/** Any white space of Unicode. */
export const SPACE = 1
/** Letter, mark, digit or underscore: next to one of these, a keyword is only a part of a word (Q40). */
export const WORD = 2
/** Letter or digit: a token without any is no word (Q34). */
export const ALPHANUMERIC = 4
/** Letter, mark or digit of a script that puts no spaces between words. */
export const UNSPACED = 8
/** An unspaced letter that is a word of its own: Han or Kana. */
export const IDEOGRAPH = 16
/** Belongs to the character before it: a mark, a part of a Hangul syllable, or one that is drawn as nothing. */
export const EXTENDS = 32
/** An em dash or a horizontal bar: separates words like white space (Q34). */
export const DASH = 64

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
  if (isApostrophe(character)) return 0
  if (/\p{Default_Ignorable_Code_Point}/u.test(character)) return EXTENDS
  // Voice marks of half-width Kana, which Unicode counts as letters.
  if (/[\p{M}\uff9e\uff9f]/u.test(character)) return EXTENDS | WORD | scriptOf(character)
  if (/[\p{L}\p{N}]/u.test(character)) return WORD | ALPHANUMERIC | scriptOf(character)
  if (character === '_') return WORD
  return DASHES.includes(character) ? DASH : 0
}

function scriptOf(character: string): number {
  // Vowels and final consonants of Hangul, and a vowel of Kirat Rai, become one letter with what is before them.
  if (/[\u1160-\u11ff\ud7b0-\ud7ff\u{16d67}]/u.test(character)) return EXTENDS
  if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ーｰ]/u.test(character)) return UNSPACED | IDEOGRAPH
  return /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u.test(character) ? UNSPACED : 0
}

/** Soft hyphens, selectors and others that are drawn as nothing. */
export const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/** Something that can be seen: neither white space nor a character that is drawn as nothing. */
export const VISIBLE = /[^\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Digits, signs and letters that Unicode has above the line, and the same ones below it. */
export const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ'
export const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙᵢ'

/**
 * Straight, curly, reversed and low; accents and primes that keyboards offer for it; modifier letters (which Unicode
 * counts as letters); Greek, Armenian, Hebrew and full width.
 */
const APOSTROPHES = "'‘’‚‛´`′‵ʹʻʼʽˈˊˋꞋꞌ΄᾽᾿՚׳＇｀"
/** Typed, Unicode, non-breaking, small, full width and Hebrew. Dashes are no hyphens. */
const HYPHENS = '-‐‑﹣－־'
/** Em dash and horizontal bar. */
export const DASHES = '\u2014\u2015'

export const isApostrophe = (character: string): boolean => APOSTROPHES.includes(character)
export const isHyphen = (character: string): boolean => HYPHENS.includes(character)
