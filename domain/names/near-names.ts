import { likenessOf } from '../keywords/word-likeness.ts'
import { foldName } from './folded-name.ts'

/** Names that may be meant by another spelling, `Harbour and Hearth` by `Harbour & Hearth Kitchens Ltd`. */

/** Folded words by which two names do not differ. */
const MINOR = new Set(
  `a and und et y e o of the der die das le la les el los de du del ltd limited inc llc llp plc gmbh ag kg ug co company corp sa sarl
  sas sl bv nv ab oy srl`.split(/\s+/),
)

type Words = { words: string[]; letters: string }

function wordsOf(name: string): Words {
  const all = foldName(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const main = all.filter((word) => !MINOR.has(word))
  const words = main.length > 0 ? main : all
  return { words, letters: words.join('') }
}

/**
 * Returns a search for the names nearest to a given one, at most `most`: first those of the same words, then those where
 * one name has all words of the other, then those that differ in a letter or two.
 */
export function nearNames<Named extends { name: string }>(named: readonly Named[], most: number) {
  const known = named.map((one) => ({ one, name: wordsOf(one.name) }))
  return (name: string): Named[] => {
    const sought = wordsOf(name)
    return known
      .map(({ one, name: other }) => ({ one, rank: rankOf(sought, other) }))
      .filter(({ rank }) => rank !== null)
      .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
      .slice(0, most)
      .map(({ one }) => one)
  }
}

/** Null when the names are not near. */
function rankOf(a: Words, b: Words): number | null {
  if (a.letters === b.letters || sameWords(a.words, b.words)) return 0
  const [few, many] = a.words.length <= b.words.length ? [a.words, b.words] : [b.words, a.words]
  if (few.some(({ length }) => length >= WORD_MIN) && few.every(isAmong(many))) return 1
  return isMistyped(a.letters, b.letters) ? 2 : null
}

/** Shorter words alone are in too many names. */
const WORD_MIN = 3

const sameWords = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.toSorted().join(' ') === b.toSorted().join(' ')

const isAmong = (words: readonly string[]) => (word: string) =>
  words.some((other) => likenessOf(other, word) !== null)

/** One letter in a name of four to seven, two in a longer one. */
function isMistyped(a: string, b: string): boolean {
  const most = Math.min(2, Math.floor(Math.min(a.length, b.length) / 4))
  return Math.abs(a.length - b.length) <= most && editsBetween(a, b, most) <= most
}

/** Letters to add, take out or replace; any number above `most` when there are more. */
function editsBetween(a: string, b: string, most: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let at = 1; at <= a.length; at += 1) {
    const next = [at]
    for (let other = 1; other <= b.length; other += 1) {
      const replaced = (row[other - 1] ?? 0) + (a[at - 1] === b[other - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[other] ?? 0) + 1, (next[other - 1] ?? 0) + 1))
    }
    if (Math.min(...next) > most) return most + 1
    row = next
  }
  return row[b.length] ?? 0
}
