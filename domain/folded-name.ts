import { fold } from './folding.ts'

const LATIN_MARKS = /((?=\p{L})\p{sc=Latin})\p{M}+/gu
const CROSSED = 'øłđðħŧæœ'
const PLAIN = ['o', 'l', 'd', 'd', 'h', 't', 'ae', 'oe']

/**
 * The letters of a name for search and order: as `fold`, and Latin letters without their marks, `ё` as `е`. So `É` is
 * found by `e` and listed next to it, in SQLite, PostgreSQL and the page alike.
 */
export const foldName = (name: string): string =>
  fold(name)
    .normalize('NFD')
    .replace(LATIN_MARKS, '$1')
    .replace(/е\u0308/g, 'е')
    .normalize('NFC')
    .replace(/[øłđðħŧæœ]/g, (letter) => PLAIN[CROSSED.indexOf(letter)] ?? letter)

/** The order of names in the database: by the bytes of their folded letters, which is by code points. */
export function compareNames(name: string, other: string): number {
  const [letters, others] = [Array.from(foldName(name)), Array.from(foldName(other))]
  const at = letters.findIndex((letter, index) => letter !== others[index])
  if (at < 0) return letters.length - others.length
  return (letters[at]?.codePointAt(0) ?? 0) - (others[at]?.codePointAt(0) ?? 0)
}
