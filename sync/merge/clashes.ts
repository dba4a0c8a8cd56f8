import { addTo, NONE } from './align.ts'
import { type Change, isRemoval, meeting, type Side } from './changes.ts'
import type { Leaf } from './leaves.ts'
import { linkedGone } from './links.ts'
import { hasWords, openWords, SENTENCE_WORDS } from './runs.ts'
import { endsSentence, isCapital, type Token } from './tokens.ts'

/** Whether a block of a side, wherever it is, has all words of this one in their order. */
export type WordSearch = (leaf: Leaf) => boolean

type Borders = {
  hasWordsOf: Record<'mine' | 'theirs', WordSearch>
  /** Where mine continues a run of which the base has the beginning. */
  continued: ReadonlySet<number>
  /** Whether no sentence goes over this place of the base. */
  isBetween(at: number): boolean
  /** As in `merge3`. */
  isByAnother?: boolean
}

/** `isRestored`: one side's removals were taken back, because the other wrote there. */
export type Clashes = { regions: Region[]; isRestored: boolean }

/**
 * Where the changes of both overlap or touch within a sentence. A sentence or block that one only removed and the other wrote
 * in stays, so its removal is taken from the side; all else is a region that the result has as each side has it.
 */
export function clashesOf(
  o: Token[],
  left: Side,
  right: Side,
  { hasWordsOf, ...borders }: Borders,
): Clashes {
  const { isBetween } = borders
  const { restored, clashes } = judge(o, left, right, borders)
  for (const [side, other, hasWords] of [
    [left, right, hasWordsOf.mine],
    [right, left, hasWordsOf.theirs],
  ] as const) {
    for (const change of writtenInRemoved(o, side, other, hasWords)) restored.add(change)
    for (const { from, to } of linkedGone(o, side, other)) {
      const changes = side.own.filter(({ at, end }) => at < to && end > from)
      if (changes.every(isRemoval)) for (const one of changes) restored.add(one)
      else clashes.push({ start: from, end: to })
    }
  }
  for (const side of [left, right]) side.own = side.own.filter((change) => !restored.has(change))
  const regions = regionsOf(o, clashes, [...left.all, ...right.all], isBetween)
  return { regions, isRestored: restored.size > 0 }
}

/** Whether a line begins at a place, or the text ends. */
export const isLineBorder = (o: Token[], at: number): boolean =>
  at >= o.length || o[at]?.leaf != null

export function isBetweenSentences(o: Token[], at: number): boolean {
  const before = o[at - 1]
  return !before || isLineBorder(o, at) || before.leaf !== null || endsSentence(before)
}

/** Where changes of both meet in a sentence. */
type Clash = { start: number; end: number }

/**
 * Decides changes that overlap or touch within a sentence, a removal of the beginning of a sentence that the other side
 * continues, and changes that both complete a sentence of which the base contains the first words.
 */
function judge(
  o: Token[],
  left: Side,
  right: Side,
  { continued, isBetween, isByAnother }: Omit<Borders, 'hasWordsOf'>,
) {
  const restored = new Set<Change>()
  const clashes: Clash[] = []
  for (const [a, b] of meeting(left.own, right.own)) {
    const [from, to] = [Math.max(a.at, b.at), Math.min(a.end, b.end)]
    if (b.at < b.end && b.end === a.at && continued.has(a.end)) {
      if (isRemoval(b)) restored.add(b)
      else clashes.push(clashOf(a, b))
      continue
    }
    const isWithin = [a, b].some(({ at, end }) => at < from && from < end)
    if (from === to && !isWithin && isBetween(from)) {
      // Both users may have typed the same few words, so each form of the sentence is kept.
      if (isByAnother && continued.has(from) && isRest(b.tokens[0])) {
        let start = from - 1
        while (!isBetween(start)) start -= 1
        if (from - start < SENTENCE_WORDS && isCapital(o[start])) clashes.push({ start, end: from })
      }
      continue
    }
    const isOver = from < to || isWithin
    if (isRemoval(a) || isRemoval(b)) {
      // A removal next to what the other wrote is made; one of what the other wrote in is not.
      if (!isOver || (isRemoval(a) && isRemoval(b))) continue
      const [removal, other] = isRemoval(a) ? [a, b] : [b, a]
      const isReplaced = other.at <= removal.at && removal.end <= other.end
      if (isReplaced || !hasWords(other.tokens)) continue
      if (isBetween(removal.at) && isBetween(removal.end)) restored.add(removal)
      else clashes.push(clashOf(a, b))
    } else if (from < to || (hasWords(a.tokens) && hasWords(b.tokens))) clashes.push(clashOf(a, b))
  }
  return { restored, clashes }
}

/** Whether the word continues the sentence before it; one with a capital may begin another sentence. */
const isRest = (word: Token | undefined): boolean => word?.leaf === null && !isCapital(word)

const clashOf = (a: Change, b: Change): Clash => ({
  start: Math.min(a.at, b.at),
  end: Math.max(a.end, b.end),
})

/**
 * The removals of blocks that `side` removed whole, or emptied within a sentence, and `other` wrote in. Where the words, as
 * they were or as the other has them, are in another block of the side that removed them, it moved them there.
 */
function writtenInRemoved(o: Token[], side: Side, other: Side, hasWordsOf: WordSearch): Change[] {
  const begins = beginsOf(o)
  const written = new Set(
    other.own.flatMap(({ at, tokens }) => {
      const isAtEnd = isLineBorder(o, at)
      const inLine = isAtEnd ? tokens.slice(0, openWords(tokens)) : tokens
      return hasWords(inLine) ? [begins[isAtEnd ? at - 1 : at] ?? NONE] : []
    }),
  )
  const removed = new Map<number, Change[]>()
  for (const change of side.own.filter(isRemoval)) {
    const begin = begins[change.at] ?? NONE
    if (written.has(begin)) addTo(removed, begin, change)
  }
  return [...removed].flatMap(([begin, changes]) => {
    const end = changes.at(-1)?.end ?? begin
    const size = changes.reduce((sum, one) => sum + one.end - one.at, 0)
    const start = changes[0]?.at ?? begin
    const isEmptied = start === begin + 1 && !endsSentence(o[end - 1] as Token)
    const isAll = (start === begin || isEmptied) && size === end - start
    const isWhole = isAll && isLineBorder(o, end)
    const leaf = o[begin]?.leaf
    const now = other.tokens[other.matches[begin] ?? NONE]?.leaf
    const isMoved = (leaf && hasWordsOf(leaf)) || (now && hasWordsOf(now))
    return isWhole && !isMoved ? changes : []
  })
}

/** For each token the begin of its line. */
function beginsOf(tokens: Token[]): number[] {
  let begin = 0
  return tokens.map(({ leaf }, at) => {
    if (leaf) begin = at
    return begin
  })
}

/** Part of the base that the result has as each side has it: sentences of one line, or whole lines. */
export type Region = { start: number; end: number; isLines: boolean }

function regionsOf(
  o: Token[],
  clashes: Clash[],
  changes: Change[],
  isBetween: Borders['isBetween'],
): Region[] {
  const widened = (start: number, end: number): Region => {
    let [from, to] = [start, end]
    while (!isBetween(from)) from -= 1
    while (!isBetween(to)) to += 1
    let line = from
    while (line < to && !isLineBorder(o, line)) line += 1
    if (line === to) return { start: from, end: to, isLines: false }
    while (!isLineBorder(o, from)) from -= 1
    while (!isLineBorder(o, to)) to += 1
    return { start: from, end: to, isLines: true }
  }
  const complete = (region: Region): Region => {
    const { start, end } = region
    const inside = changes.filter(
      (one) => (one.at < end && one.end > start) || (start < one.at && one.at < end),
    )
    const from = Math.min(start, ...inside.map(({ at }) => at))
    const to = Math.max(end, ...inside.map((one) => one.end))
    const wide = widened(from, to)
    const isSame = wide.start === start && wide.end === end && wide.isLines === region.isLines
    return isSame ? region : complete(wide)
  }
  const found: Region[] = []
  for (const clash of clashes) {
    const last = found.at(-1)
    const isWithin = last && last.start < clash.start && clash.end < last.end
    if (!isWithin) found.push(complete(widened(clash.start, clash.end)))
  }
  const regions: Region[] = []
  for (const region of found.sort((a, b) => a.start - b.start)) {
    const last = regions.at(-1)
    if (last && region.start < last.end)
      regions[regions.length - 1] = complete({
        ...last,
        end: Math.max(last.end, region.end),
        isLines: last.isLines || region.isLines,
      })
    else regions.push(region)
  }
  return regions
}
