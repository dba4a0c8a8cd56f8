import { SUBSCRIPTS, SUPERSCRIPTS } from '../../../../domain/text/characters.ts'

const signsByLetter = (signs: string): ReadonlyMap<string, string> =>
  new Map(Array.from(signs, (sign) => [sign.normalize('NFKD'), sign]))

const SIGNS = { sup: signsByLetter(SUPERSCRIPTS), sub: signsByLetter(SUBSCRIPTS) }

/**
 * The text of a superscript or subscript without formatting: as the signs that Unicode has for it, otherwise in brackets,
 * because a number must not become a part of the word before it. Signs and endings (`4th`, `XIXe`) stay as they are.
 */
export function writtenScript(kind: keyof typeof SIGNS, text: string, before: string): string {
  const plain = text.trim()
  const signs = Array.from(plain.normalize('NFKD').replaceAll('-', '−'), (letter) =>
    SIGNS[kind].get(letter),
  )
  if (!signs.includes(undefined)) return signs.join('')
  const isMarked = /^\[.*\]$/s.test(plain) || !/[\p{L}\p{N}]/u.test(plain)
  return isMarked || isEnding(plain, before) ? plain : `[${plain}]`
}

/** A single letter behind a word in lower case is the mark of a note. */
const isEnding = (text: string, before: string): boolean =>
  /^\p{L}+$/u.test(text) && (text.length > 1 || !/\p{Ll}{2}$/u.test(before))
