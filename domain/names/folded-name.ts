import { fold } from '../text/folding.ts'

const LATIN_MARKS = /((?=\p{L})\p{sc=Latin})\p{M}+/gu
const CROSSED = 'øłđðħŧæœ'
const PLAIN = ['o', 'l', 'd', 'd', 'h', 't', 'ae', 'oe']

/**
 * The form of a name for search and order: `fold`, without accents of Latin letters, and `ё` as `е`. So `É` is found by
 * `e` and sorted next to it, the same in SQLite, PostgreSQL and on the page.
 */
export const foldName = (name: string): string =>
  fold(name)
    .normalize('NFD')
    .replace(LATIN_MARKS, '$1')
    .replace(/е\u0308/g, 'е')
    .normalize('NFC')
    .replace(/[øłđðħŧæœ]/g, (letter) => PLAIN[CROSSED.indexOf(letter)] ?? letter)

/** Compares names as the databases do: by code points of the folded form. */
export function compareNames(name: string, other: string): number {
  const [letters, others] = [Array.from(foldName(name)), Array.from(foldName(other))]
  const at = letters.findIndex((letter, index) => letter !== others[index])
  if (at < 0) return letters.length - others.length
  return (letters[at]?.codePointAt(0) ?? 0) - (others[at]?.codePointAt(0) ?? 0)
}
