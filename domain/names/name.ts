import { NAME_MAX, SEARCH_MAX } from '../limits.ts'

/** Normalisation of names of users, clients and articles, and of searches for them. */

/**
 * Characters removed from both ends: whitespace, direction marks and overrides, word joiners. Not variation selectors
 * and zero-width joiners, because a name can end with them.
 */
const UNSEEN = /[\s\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

/** Removes whitespace and invisible characters from both ends. */
export function trimUnseen(text: string): string {
  // An anchored regular expression would take quadratic time on long runs of spaces.
  let [from, to] = [0, text.length]
  while (from < to && UNSEEN.test(text.charAt(from))) from += 1
  while (from < to && UNSEEN.test(text.charAt(to - 1))) to -= 1
  return text.slice(from, to)
}

const JOINERS = /[\u2060\ufeff]/g
const DIRECTION_MARKS = /[\u061c\u200e\u200f]/g
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const WORD_BREAKS = /\u200b/g
const UNSPACED =
  /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}\p{sc=Javanese}\p{sc=Balinese}]/u

/**
 * A name as it is stored: NFC, without invisible characters, except those that the script requires: direction marks in
 * right-to-left text, word breaks in scripts without spaces.
 */
export function cleanName(text: string): string {
  let name = trimUnseen(text).replace(JOINERS, '')
  if (!RIGHT_TO_LEFT.test(name)) name = name.replace(DIRECTION_MARKS, '')
  if (!UNSPACED.test(name)) name = name.replace(WORD_BREAKS, '')
  return normalised(name, NAME_MAX)
}

/** No character of NFC has more than four code units in other forms. */
const DECOMPOSED_MAX = 4

/**
 * The text in NFC. Text longer than `max` in every Unicode form is returned unchanged, because normalising takes
 * quadratic time in the number of marks.
 */
export const normalised = (text: string, max: number): string =>
  text.length > max * DECOMPOSED_MAX ? text : text.normalize('NFC')

/** Direction overrides, embeddings and isolates, which can reorder the letters of a name on screen. */
export const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/

/** Control characters, line breaks and lone surrogates. */
export const CONTROLS = /[\p{Cc}\p{Cs}\u2028\u2029]/u

/** Normalises the text of a search to characters that a name can contain. Empty: no search. */
export const searchText = (text: string): string =>
  trimUnseen(text.slice(0, SEARCH_MAX).replace(/[\p{Cc}\p{Cs}]+/gu, ' '))
