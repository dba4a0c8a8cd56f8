import { kindAt, UNSPACED } from '../text/characters.ts'
import { fold } from '../text/folding.ts'
import { type BlockWords, readKeyword } from './block-words.ts'
import type { Range } from './keyword-use.ts'

/**
 * Why words do not count as a keyword, the best reason first, and whether the keyword in place of such words still makes a
 * sentence.
 */
export const IS_REPLACEABLE = {
  hyphen: true,
  'no hyphen': true,
  apostrophe: true,
  'no apostrophe': true,
  'one word': true,
  'two words': true,
  'line break': true,
  accent: true,
  'other form': false,
  'one letter': true,
  'other order': false,
  'words between': false,
  'other order, word between': false,
  'two paragraphs': false,
}
export type NearKind = keyof typeof IS_REPLACEABLE
export const NEAR_KINDS = Object.keys(IS_REPLACEABLE) as NearKind[]

/** Words of one block that nearly are a keyword. */
export type NearWords = Range & {
  kind: NearKind
  /** Words between as they are written, one or two; otherwise none. */
  between: readonly string[]
  /** Where the words of the keyword begin in the text; -1 for one that begins within a word. */
  starts: readonly number[]
  /** Whether an added 's' is at their end. */
  isPlural: boolean
}

/** A keyword that is looked for. */
export type Sought = Pick<BlockWords, 'words' | 'gaps'> & {
  keyword: string
  /** Where its words begin in `keyword`. */
  starts: readonly number[]
  /** An added 's' counts, but not after a sign or a letter of a script without spaces. */
  mayBePlural: boolean
}

export function readSought(text: string): Sought {
  const keyword = text.replace(/\s+/gu, ' ').trim()
  const { words, gaps, from: starts } = readKeyword(keyword)
  const mayBePlural = !gaps.at(-1) && !isUnspaced(words.at(-1))
  return { keyword, words, gaps, starts, mayBePlural }
}

export const isUnspaced = (word = ''): boolean => (kindAt(word, 0) & UNSPACED) > 0

/** Fewer letters of a script without spaces are often parts of two other words. */
export const UNSPACED_MIN = 4

/** One reading of a text, with what is between its words as it is written. */
export type Reading = BlockWords & { text: string }

/** What is written before a word. */
export const writtenGap = ({ text, from, to }: Reading, word: number): string =>
  text.slice(to[word - 1] ?? 0, from[word])

/** The signs of a written gap, without spaces, apostrophes and hyphens. */
export const signsOf = (gap: string): string => fold(gap).replace(/[ '\n-]/g, '')

/** Whether a written gap has no sign, or one that joins its words, as in `and/or`: no comma and no end of a sentence. */
export const isClose = (gap: string): boolean => signsOf(gap) === '' || !/\s/u.test(gap)

/** Whether a sentence ends within these words, although no space follows. */
export const hasJoinedSentences = (written: string): boolean =>
  /\p{Ll}[.!?…:;]+\p{Lu}/u.test(written)
