import { areForms } from './word-forms.ts'

/** How a folded word of a text is like one of a keyword; null when it is not. */
export type Likeness = 'same' | 'accent' | 'other form' | 'one letter' | null

export function likenessOf(word: string, wanted: string): Likeness {
  if (word === wanted) return 'same'
  if (withoutAccents(word) === withoutAccents(wanted)) return 'accent'
  if (areForms(word, wanted)) return 'other form'
  return wanted.length >= LONG_WORD && isOneLetterOff(word, wanted) ? 'one letter' : null
}

/** In shorter words one other letter mostly is another word. */
const LONG_WORD = 6

/**
 * Within the word: another first letter mostly is another word (`warden`), and another last one an ending. Digits and
 * marks are no letters.
 */
function isOneLetterOff(word: string, wanted: string): boolean {
  const [short, long] = word.length < wanted.length ? [word, wanted] : [wanted, word]
  if (long.length - short.length > 1) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start += 1
  let end = 0
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end += 1
  const differing = [short, long].map((text) => text.slice(start, text.length - end))
  return start > 0 && end > 0 && differing.every((letters) => /^\p{L}?$/u.test(letters))
}

const STRUCK: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ħ: 'h', ŧ: 't' }

/** Without accents of Latin and Cyrillic letters; `й`, `ў` and `ї` are letters of their own. */
function withoutAccents(word: string): string {
  if (/^[\0-\x7f]*$/.test(word)) return word
  return word
    .normalize('NFD')
    .replace(/(?<![иу])\u0306|(?<!і)\u0308|[\u0300-\u0305\u0307\u0309-\u036f]/g, '')
    .replace(/[øłđħŧ]/g, (letter) => STRUCK[letter] ?? letter)
    .normalize('NFC')
}
