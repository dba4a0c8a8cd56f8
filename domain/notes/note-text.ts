import { OVERRIDES } from '../names/name.ts'

const LINE_ENDS = /\r\n?|[\u2028\u2029]/gu
/** Control characters but the tab and the line end, and halves of a surrogate pair. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cs}]/gu
const ALL_OVERRIDES = new RegExp(OVERRIDES, 'gu')

/** A note as it is stored: lines end with '\n', without characters that are not seen and without blanks at its ends. */
export const noteText = (text: string): string =>
  text.replace(LINE_ENDS, '\n').replace(UNSEEN, '').replace(ALL_OVERRIDES, '').trim()
