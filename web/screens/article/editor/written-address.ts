import { readTypedAddress } from '../../../../domain/text/link-address.ts'

/** A scheme, `www.` or an e-mail address. A name with a dot may be a word, as `Node.js` is. */
const CLEAR = /^(?:https?:|mailto:|www\.|[^/]+@)/iu
const OPENING = /^[\p{Ps}\p{Pi}"'<]+/u
const CLOSING = /[\p{Pe}\p{Pf}"'>.,;:!?…]+$/u

/** Whether a word is the beginning of what will be a clear address. */
export const beginsAddress = (word: string): boolean => CLEAR.test(word.replace(OPENING, ''))

/**
 * Reads the address that a word of a text is, without the punctuation around it. Returns null for a word that is not
 * clearly one. `text`: the address as it is written.
 */
export function writtenAddress(word: string): { text: string; href: string } | null {
  const opened = word.replace(OPENING, '')
  let text = opened.replace(CLOSING, '')
  // A closing bracket belongs to the address if its opening one does.
  if (opened[text.length] === ')' && text.lastIndexOf('(') > text.lastIndexOf(')')) text += ')'
  const href = CLEAR.test(text) ? readTypedAddress(text) : null
  return href === null ? null : { text, href }
}
