import { fold } from '../text/folding.ts'
import { readings } from './block-words.ts'
import { createKeywordMatcher, type KeywordMatcher, type Range } from './keyword-use.ts'
import { otherOrders } from './near-order.ts'
import { otherWords } from './near-other-words.ts'
import { acrossBlocks } from './near-paragraphs.ts'
import { sameLetters } from './near-spelling.ts'
import {
  hasJoinedSentences,
  IS_REPLACEABLE,
  NEAR_KINDS,
  type NearKind,
  type NearWords,
  type Reading,
  readSought,
  type Sought,
} from './near-words.ts'

export type { NearKind } from './near-words.ts'

/**
 * A place that nearly is a keyword and does not count. It has one reason only: words that differ in two ways are no near
 * miss, because no reason is better than a wrong one.
 */
export type NearMiss = {
  kind: NearKind
  /** Words between, as they are written. */
  between: readonly string[]
  /** One, or two in blocks that follow each other. `block` is the number of text blocks before. */
  ranges: readonly (Range & { block: number })[]
  /** What to write in place of the near words; null where that would be no sentence any more. */
  replacement: string | null
}

type Candidate = NearWords & { ranges: NearMiss['ranges'] }

/**
 * The near misses of one keyword in the texts of all blocks of a document, in their order. They overlap neither each
 * other nor a place that counts. Reads the whole document, so it is for a card that opens and not for a key.
 */
export function nearMisses(texts: readonly string[], keyword: string): NearMiss[] {
  const sought = readSought(keyword)
  if (sought.words.length === 0) return []
  const matcher = createKeywordMatcher([keyword])
  const blocks = texts.map((text) => readings(text).map((block): Reading => ({ ...block, text })))
  const candidates = [
    ...blocks.flatMap((block, at) => block.flatMap((reading) => nearIn(sought, reading, at))),
    ...acrossBlocks(
      sought,
      blocks.map((block) => block.at(-1)),
    ),
  ]
  return bestOf(candidates, texts, matcher).map((candidate) => ({
    kind: candidate.kind,
    between: candidate.between,
    ranges: candidate.ranges,
    replacement: replacementOf(sought, candidate, texts, matcher),
  }))
}

function nearIn(sought: Sought, reading: Reading, block: number): Candidate[] {
  const near = [
    ...sameLetters(sought, reading),
    ...otherWords(sought, reading),
    ...otherOrders(sought, reading),
  ]
  return near
    .filter(({ from, to }) => !hasJoinedSentences(reading.text.slice(from, to)))
    .map((words) => ({ ...words, ranges: [{ block, from: words.from, to: words.to }] }))
}

/** The best reason of each place, and the fewest words between. */
function bestOf(
  candidates: readonly Candidate[],
  texts: readonly string[],
  matcher: KeywordMatcher,
): Candidate[] {
  const taken = texts.map((text) => {
    const letters = new Uint8Array(text.length)
    // Most blocks do not use it, which a count finds out faster.
    const used = matcher.find(text).length > 0 ? matcher.ranges(text, 0) : []
    for (const { from, to } of used) letters.fill(1, from, to)
    return letters
  })
  const rank = ({ kind, between }: Candidate) => NEAR_KINDS.indexOf(kind) * 3 + between.length
  const best = candidates
    .toSorted((a, b) => rank(a) - rank(b))
    .filter(({ ranges }) => {
      const areFree = ranges.every(
        ({ block, from, to }) => !taken[block]?.subarray(from, to).includes(1),
      )
      if (areFree) for (const { block, from, to } of ranges) taken[block]?.fill(1, from, to)
      return areFree
    })
  const blockOf = ({ ranges }: Candidate) => ranges[0]?.block ?? 0
  return best.sort((a, b) => blockOf(a) - blockOf(b) || a.from - b.from)
}

function replacementOf(
  sought: Sought,
  near: Candidate,
  texts: readonly string[],
  matcher: KeywordMatcher,
): string | null {
  const text = texts[near.ranges[0]?.block ?? 0] ?? ''
  const written = text.slice(near.from, near.to)
  // A possessive: 'the garden’s wall' is not 'the gardens wall'.
  const isPossessive = near.kind === 'apostrophe' && fold(written).endsWith("'s")
  if (!IS_REPLACEABLE[near.kind] || isPossessive) return null
  const exact = withCapitals(sought, near, text)
  const replaced = text.slice(0, near.from) + exact + text.slice(near.to)
  const end = near.from + exact.length
  const isUsed = matcher
    .ranges(replaced, 0)
    .some(({ from, to }) => from >= near.from && from < end && to <= end)
  return isUsed ? exact : null
}

/** The keyword with an 's' and the capitals of the near words. */
function withCapitals({ keyword, starts }: Sought, near: NearWords, text: string): string {
  const written = text.slice(near.from, near.to)
  const exact = near.isPlural ? `${keyword}s` : keyword
  if (isInCapitals(written)) return exact.toUpperCase()
  const capitals = starts.filter((_, word) => {
    const start = near.starts[word] ?? -1
    return start >= 0 && /^\p{Lu}/u.test(text.slice(start))
  })
  return Array.from({ length: exact.length }, (_, at) => {
    const unit = exact.charAt(at)
    return capitals.includes(at) ? unit.toUpperCase() : unit
  }).join('')
}

const isInCapitals = (written: string): boolean =>
  /\p{Lu}.*\p{Lu}/su.test(written) && !/\p{Ll}/u.test(written)
