import { followLetters, type Kept, keptLetters, type Letters } from '../text/kept-letters.ts'

/**
 * Where a note is in a text that was changed since. All positions are letters of `plainText`. The same on the page and
 * on the server.
 */

/** The words that a note is about, and how to find them again in a later text. */
export type NoteAnchor = {
  quote: string
  /** The letters around the quote, at most `CONTEXT_LENGTH` on each side. */
  before: string
  after: string
  /** Index of the paragraph or heading in which the quote begins. */
  block: number
  /** Version of the text that the note was written about. Words that were not saved yet are in no version. */
  textVersion: number
}

export const CONTEXT_LENGTH = 32

type WordsPlace = { kind: 'words'; from: number; to: number; isChanged: boolean }

/** `words`: the quote, or what is left of it where `isChanged`. `block`: only its paragraph is known. */
export type NotePlace = WordsPlace | { kind: 'block'; from: number; to: number } | { kind: 'gone' }

/** Null when nothing that can be seen is selected. */
export function anchorOf(text: string, selected: Letters, textVersion: number): NoteAnchor | null {
  const words = trimmed(text, selected)
  if (!words) return null
  const { from, to } = words
  return {
    quote: text.slice(from, to),
    before: text.slice(Math.max(0, from - CONTEXT_LENGTH), from),
    after: text.slice(to, to + CONTEXT_LENGTH),
    block: lineAt(text, from),
    textVersion,
  }
}

/**
 * Returns a function that finds the place of a note in `text`. `textOf` returns the plain text of a version, or null where
 * it is not known here: the words are then found by the quote and the letters around it. Each version is compared once.
 */
export function notePlacer(
  text: string,
  textOf: (textVersion: number) => string | null,
): (anchor: NoteAnchor) => NotePlace {
  const comparisons = new Map<number, Comparison | null>()
  const compared = (version: number): Comparison | null => {
    const known = comparisons.get(version)
    if (known !== undefined) return known
    const anchored = textOf(version)
    const comparison = anchored === null ? null : { anchored, kept: keptLetters(anchored, text) }
    comparisons.set(version, comparison)
    return comparison
  }
  return (anchor) =>
    onlyPlace(anchor, text) ?? comparedPlace(anchor, text, compared(anchor.textVersion))
}

/** The anchored text, and what the present one still has of it. */
type Comparison = { anchored: string; kept: readonly Kept[] }

/** Fewer letters than this are often in a text by chance. */
const DISTINCT_LENGTH = 24
/** Letters next to a quote that show that it is the one, where its version is not known. */
const NEIGHBOUR_LENGTH = 8
/** As DISTINCT_LENGTH, for letters that follow each other, without white space. */
const RUN_LENGTH = 16

/** Where the quote is with all letters around it, if that is one place only. */
function onlyPlace(anchor: NoteAnchor, text: string): NotePlace | null {
  const whole = anchor.before + anchor.quote + anchor.after
  if (whole.length < DISTINCT_LENGTH) return null
  const at = text.indexOf(whole)
  if (at < 0 || text.indexOf(whole, at + 1) >= 0) return null
  return quoteAt(anchor, text, at + anchor.before.length)
}

function comparedPlace(anchor: NoteAnchor, text: string, comparison: Comparison | null): NotePlace {
  const start = comparison && anchoredPlace(anchor, comparison.anchored)
  if (!comparison || !start) return quotedPlace(anchor, text, null) ?? { kind: 'gone' }
  const left = followLetters(comparison.kept, [start])
  const [first] = left
  if (first && first.to - first.from === anchor.quote.length)
    return quoteAt(anchor, text, first.from)
  return (
    quotedPlace(anchor, text, elsewhere(comparison.kept, start)) ??
    changedPlace(anchor, text, comparison.kept, start) ??
    (first && keptBlock(text, comparison, start)) ?? { kind: 'gone' }
  )
}

/** Null where the words were not in that version yet. */
function anchoredPlace(anchor: NoteAnchor, anchored: string): Letters | null {
  const { quote, before, after, block } = anchor
  const distance = (at: number) => Math.abs(lineAt(anchored, at) - block)
  const [nearest] = placesOf(before + quote + after, anchored)
    .map((at) => at + before.length)
    .sort((a, b) => distance(a) - distance(b))
  return nearest === undefined ? null : { from: nearest, to: nearest + quote.length }
}

/**
 * Where the whole quote is, in letters most of which are not those of other words (`taken`; null where that is not known). Of several places the one next
 * to the most letters that were before or after it; its paragraph, or null, where they are equal.
 */
function quotedPlace(
  anchor: NoteAnchor,
  text: string,
  taken: readonly Letters[] | null,
): NotePlace | null {
  const { quote, before, after, block } = anchor
  const isWhole = (at: number) => !quoteAt(anchor, text, at).isChanged
  const around = (at: number): number =>
    Math.max(sameEnd(text.slice(0, at), before), sameStart(text.slice(at + quote.length), after))
  const found = placesOf(quote, text)
    .filter((at) => isWhole(at) && !isTaken(taken ?? [], { from: at, to: at + quote.length }))
    .map((from) => ({ from, around: around(from) }))
    .filter(({ around }) => around + 2 * quote.length >= DISTINCT_LENGTH)
    .filter(({ around }) => taken !== null || around >= NEIGHBOUR_LENGTH)
    .sort((a, b) => b.around - a.around)
  const [best, next] = found
  if (!best) return null
  if (!next || best.around > next.around) return quoteAt(anchor, text, best.from)
  const equal = found.filter((place) => place.around === best.around)
  const inBlock = equal.find(({ from }) => lineAt(text, from) === block)
  return inBlock ? { kind: 'block', ...blockAt(text, inBlock.from) } : null
}

/** From the first to the last letter that is left, if that is most of the quote and little else. */
function changedPlace(
  anchor: NoteAnchor,
  text: string,
  kept: readonly Kept[],
  start: Letters,
): NotePlace | null {
  const left = followLetters(kept, [start])
    .filter(({ from, to }) => WORD.test(text.slice(from, to)))
    .flatMap((part) => trimmed(text, part) ?? [])
  const [first, last] = [left[0], left.at(-1)]
  if (!first || !last) return null
  const span = { from: first.from, to: last.to }
  const quoted = visibleIn(anchor.quote, [{ from: 0, to: anchor.quote.length }])
  const isMost = visibleIn(text, left) * 3 >= quoted * 2 && visibleIn(text, [span]) <= quoted * 2
  if (!isMost || !isInRun(text, kept, start)) return null
  return { kind: 'words', ...inWholeWords(anchor, text, span), isChanged: true }
}

/**
 * The paragraph with the longest run of those letters near the quote that are left of its paragraph. A short run shows it
 * only where no other paragraph of the anchored text had it.
 */
function keptBlock(text: string, { anchored, kept }: Comparison, start: Letters): NotePlace | null {
  const block = blockAt(anchored, start.from)
  const near = {
    from: Math.max(block.from, start.from - CONTEXT_LENGTH),
    to: Math.min(block.to, start.to + CONTEXT_LENGTH),
  }
  const [longest] = followLetters(kept, [near]).sort((a, b) => b.to - b.from - (a.to - a.from))
  const length = longest ? visibleIn(text, [longest]) : 0
  if (!longest || length < RUN_LENGTH) return null
  const run = text.slice(longest.from, longest.to).trim()
  const isOfOther = placesOf(run, anchored).some((at) => at < block.from || at >= block.to)
  return isOfOther && length < DISTINCT_LENGTH
    ? null
    : { kind: 'block', ...blockAt(text, longest.from) }
}

/** Letters that were typed at an end of a quoted word belong to it. */
function quoteAt(anchor: NoteAnchor, text: string, from: number): WordsPlace {
  const quoted = { from, to: from + anchor.quote.length }
  const whole = inWholeWords(anchor, text, quoted)
  const isChanged = whole.from !== quoted.from || whole.to !== quoted.to
  return { kind: 'words', ...whole, isChanged }
}

/** Whole words, unless the quote itself begins or ends within one. */
function inWholeWords(
  { quote, before, after }: NoteAnchor,
  text: string,
  { from, to }: Letters,
): Letters {
  let [start, end] = [from, to]
  if (!isInWord(before + quote, before.length)) while (isInWord(text, start)) start -= 1
  if (!isInWord(quote + after, quote.length)) while (isInWord(text, end)) end += 1
  return { from: start, to: end }
}

const WORD = /[\p{L}\p{M}\p{N}]/u
const isInWord = (text: string, at: number): boolean =>
  WORD.test(text[at - 1] ?? '') && WORD.test(text[at] ?? '')

/** Whether some of these letters are left in a run that is too long to be there by chance. */
const isInRun = (text: string, kept: readonly Kept[], letters: Letters): boolean =>
  kept.some(
    ({ from, to, newFrom }) =>
      from < letters.to &&
      to > letters.from &&
      visibleIn(text, [{ from: newFrom, to: newFrom + to - from }]) >= RUN_LENGTH,
  )

/** Where the letters outside of `start` are now. */
const elsewhere = (kept: readonly Kept[], start: Letters): Letters[] =>
  followLetters(kept, [
    { from: 0, to: start.from },
    { from: start.to, to: Number.POSITIVE_INFINITY },
  ])

function isTaken(taken: readonly Letters[], { from, to }: Letters): boolean {
  const shared = taken.map((part) => Math.min(part.to, to) - Math.max(part.from, from))
  return shared.reduce((sum, length) => sum + Math.max(0, length), 0) * 2 > to - from
}

function placesOf(words: string, text: string): number[] {
  const found: number[] = []
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) found.push(at)
  return found
}

function sameStart(a: string, b: string): number {
  let length = 0
  while (length < b.length && a[length] === b[length]) length += 1
  return length
}

function sameEnd(a: string, b: string): number {
  let length = 0
  while (length < b.length && a.at(-1 - length) === b.at(-1 - length)) length += 1
  return length
}

/** Without white space at its ends; null when there is nothing else. */
function trimmed(text: string, { from, to }: Letters): Letters | null {
  const words = text.slice(from, to)
  const start = from + words.length - words.trimStart().length
  const end = from + words.trimEnd().length
  return start < end ? { from: start, to: end } : null
}

/** The number of letters in these parts of the text, without white space. */
const visibleIn = (text: string, parts: readonly Letters[]): number =>
  parts.reduce((sum, { from, to }) => sum + text.slice(from, to).replace(/\s/gu, '').length, 0)

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length - 1

function blockAt(text: string, at: number): Letters {
  const from = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  return { from, to: end < 0 ? text.length : end }
}
