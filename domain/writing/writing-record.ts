import { wordChange } from '../text/changed-words.ts'
import { createReader } from '../text/numbered-text.ts'
import { createOrigins } from './origins.ts'
import { areOfOneSitting } from './sittings.ts'
import { wordsOfLine } from './words-of-line.ts'

/** A kept version of a text. */
export type KeptVersion = {
  /** In milliseconds since 1970. */
  at: number
  /** The server numbers the versions one by one; null for a text that it does not have yet. */
  textVersion: number | null
  /** Null where none is known. */
  author: string | null
  /** Number of the hand-in of this text; null where it was not handed in. */
  handIn: number | null
  /** How many it has. */
  words: number
  text: string
}

/** One of the sittings in which a text was written. */
export type RecordedSitting = {
  /** Times of its first and its last version. */
  from: number
  to: number
  authors: string[]
  handIns: number[]
  /** Number of words after it, and how it changed the text as a whole. */
  words: number
  added: number
  removed: number
  /** Versions of it were deleted: it added and removed at least these words. */
  isPruned: boolean
  /** How much of the final text was first there in it; null where that has no words. */
  share: Share | null
}

/** A whole number; the shares of a record sum to 100. `isUnderOne`: more than nothing, rounded to 0. */
export type Share = { percent: number; isUnderOne: boolean }

/** How a text was written, as far as its kept versions say. */
export type WritingRecord = {
  /** How many were kept. */
  versions: number
  /** The oldest first. */
  sittings: RecordedSitting[]
  /** The most words that were new from one version to the next, and the times of both; null where none were. */
  largestStep: { words: number; from: number; to: number } | null
}

type Writing = Omit<RecordedSitting, 'share' | 'added' | 'removed'> & {
  before: string
  text: string
}

/** Takes the versions of a text one after another, the oldest first. */
export function createWritingRecord() {
  const read = createReader(wordsOfLine)
  const origins = createOrigins()
  const sittings: Writing[] = []
  let versions = 0
  let last: KeptVersion | null = null
  let largestStep: WritingRecord['largestStep'] = null

  /** The sitting of a version, which it begins or continues. */
  function sittingOf({ at, text }: KeptVersion): Writing {
    const open = sittings.at(-1)
    if (open && areOfOneSitting(open.to, at)) return open
    const span = { from: at, to: at, words: 0, isPruned: false, before: open?.text ?? '', text }
    const begun: Writing = { ...span, authors: [], handIns: [] }
    sittings.push(begun)
    return begun
  }

  return {
    take(version: KeptVersion): void {
      const { at, textVersion, author, handIn, words, text } = version
      const sitting = sittingOf(version)
      const newWords = origins.take(read(text), sittings.length - 1)
      if (last && newWords > (largestStep?.words ?? 0))
        largestStep = { words: newWords, from: last.at, to: at }
      if (textVersion !== null && textVersion !== (last?.textVersion ?? 0) + 1)
        sitting.isPruned = true
      if (author !== null && !sitting.authors.includes(author)) sitting.authors.push(author)
      if (handIn !== null) sitting.handIns.push(handIn)
      Object.assign(sitting, { to: at, words, text })
      versions += 1
      last = version
    },
    finish(): WritingRecord {
      const counts = sittings.map(() => 0)
      for (const sitting of origins.current()) counts[sitting] = (counts[sitting] ?? 0) + 1
      const shares = sharesOf(counts)
      return {
        versions,
        sittings: sittings.map(({ before, text, ...sitting }, index) => ({
          ...sitting,
          ...wordChange(before, text),
          share: shares[index] ?? null,
        })),
        largestStep,
      }
    },
  }
}

/** Whole percentages that sum to 100: those with the largest fractions are rounded up. Empty where all counts are 0. */
export function sharesOf(counts: readonly number[]): Share[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return []
  const exact = counts.map((count) => (100 * count) / total)
  const down = exact.map(Math.floor)
  const missing = 100 - down.reduce((sum, percent) => sum + percent, 0)
  const fraction = (index: number) => (exact[index] ?? 0) - (down[index] ?? 0)
  const roundedUp = new Set(
    [...counts.keys()].sort((a, b) => fraction(b) - fraction(a)).slice(0, missing),
  )
  return down.map((floor, index) => {
    const percent = roundedUp.has(index) ? floor + 1 : floor
    return { percent, isUnderOne: percent === 0 && (counts[index] ?? 0) > 0 }
  })
}
