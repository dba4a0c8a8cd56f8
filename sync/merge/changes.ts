import { type Matches, NONE } from './align.ts'
import { contains, isSame, joined, type Run } from './runs.ts'
import { endsSentence, type Token } from './tokens.ts'

/**
 * What one side did at one place: `base[at, end)` became `tokens`, which are `side[from, to)`. A run when nothing was
 * replaced (at === end), a removal when there are no tokens.
 */
export type Change = { at: number; end: number; from: number; to: number; tokens: Run }

export const isRemoval = ({ tokens }: Change): boolean => tokens.length === 0

/** One side's tokens, and what it changed: `all`, and `own`, which the other side has not. */
export type Side = { tokens: Token[]; matches: Matches; all: Change[]; own: Change[] }

export function changesOf(tokens: Token[], matches: Matches): Change[] {
  const changes: Change[] = []
  let [at, from] = [0, 0]
  for (let end = 0; end <= matches.length; end += 1) {
    const to = end === matches.length ? tokens.length : (matches[end] ?? NONE)
    if (to === NONE) continue
    if (end > at || to > from) changes.push({ at, end, from, to, tokens: tokens.slice(from, to) })
    at = end + 1
    from = to + 1
  }
  return changes
}

/**
 * Whether one of two runs at a position of the base contains only the first words of the other one's sentence. Both runs are
 * kept, because its writer may complete the sentence differently.
 */
export type AreBegun = (at: number, run: Run, other: Run) => boolean

/**
 * Returns the changes that do not consist of changes which the other side made too, and whether one of them has such a
 * change in it and another one. `own` and `others` are the smallest changes of the two sides.
 */
export function withoutKnown(
  changes: Change[],
  own: Change[],
  others: Change[],
): [rest: Change[], isPartly: boolean] {
  const known = new Set<Change>()
  for (const [a, b] of meeting(own, others)) if (isSameChange(a, b)) known.add(a)
  let next = 0
  let isPartly = false
  const rest = changes.filter(({ at, end, from, to }) => {
    // Words may be at another place of the base than the change that has them.
    const isBefore = (part: Change) => part.end < at && part.to <= from
    const isBehind = (part: Change) => part.at > end && part.from >= to
    while (own[next] && isBefore(own[next] as Change)) next += 1
    let last = next
    while (own[last] && !isBehind(own[last] as Change)) last += 1
    const parts = own.slice(next, last)
    const unknown = parts.filter((part) => !known.has(part))
    isPartly ||= unknown.length > 0 && unknown.length < parts.length
    const isWithin = parts.every(
      (part) => part.at >= at && part.end <= end && part.from >= from && part.to <= to,
    )
    return parts.length === 0 || unknown.length > 0 || !isWithin
  })
  return [rest, isPartly]
}

/** Takes each change that both sides made from one of them: what is contained in the other's, or equal. */
export function withoutShared(
  mine: Change[],
  theirs: Change[],
  areBegun: AreBegun,
): [Change[], Change[]] {
  const [ours, others] = [new Set(mine), new Set(theirs)]
  for (const [a, b] of meeting(mine, theirs)) {
    if (a.at === b.end && a.end === b.at && areBegun(a.at, a.tokens, b.tokens)) continue
    if (isSameChange(a, b)) {
      ours.delete(a)
      b.tokens = joined(a.tokens, b.tokens)
    } else if (isCovered(a, b) && contains(b.tokens, a.tokens)) ours.delete(a)
    else if (isCovered(b, a) && contains(a.tokens, b.tokens)) others.delete(b)
  }
  return [[...ours], [...others]]
}

const isSameChange = (a: Change, b: Change): boolean =>
  a.at === b.at && a.end === b.end && isSame(a.tokens, b.tokens)

/** A removal is contained in a longer one. */
const isCovered = (one: Change, other: Change): boolean =>
  other.at <= one.at &&
  one.end <= other.end &&
  (isRemoval(one) ? isRemoval(other) : one.at === one.end && other.at === other.end)

/** The pairs of changes of two sides that overlap or touch. */
export function* meeting(mine: Change[], theirs: Change[]): Generator<[Change, Change]> {
  let first = 0
  for (const a of mine) {
    while (theirs[first] && (theirs[first] as Change).end < a.at) first += 1
    for (let next = first; next < theirs.length; next += 1) {
      const b = theirs[next] as Change
      if (b.at > a.end) break
      if (b.end >= a.at) yield [a, b]
    }
  }
}

/** The place of what a change put in: after what it replaced, or before lines if it continues the line before them. */
export const placeOfRun = ({ at, end, tokens }: Change, base: Token[]): number =>
  base[at]?.leaf && !tokens[0]?.leaf ? at : end

/**
 * Whole lines and finished sentences that were replaced are removals, one for each, and a run after them, or before them
 * if it continues the line before them; each removed line or sentence is a removal of its own. `isBetween` is true where no
 * sentence is divided.
 */
export function inUnits(
  changes: Change[],
  base: Token[],
  isBetween: (at: number) => boolean,
): Change[] {
  const isWhole = ({ at, end }: Change): boolean => {
    const [first, last] = [base[at], base[end - 1]]
    const isFinished = first?.leaf != null || (last !== undefined && endsSentence(last))
    return isFinished && isBetween(at) && isBetween(end)
  }
  return changes.flatMap((change) => {
    const { at, end, tokens, from, to } = change
    if (at === end) return [change]
    const isReplacement = tokens.length > 0
    if (isReplacement && !isWhole(change)) return [change]
    const removals: Change[] = []
    let start = at
    for (let next = at + 1; next <= end; next += 1) {
      if (next < end && !isBetween(next)) continue
      removals.push({ at: start, end: next, from, to: from, tokens: [] })
      start = next
    }
    if (!isReplacement) return removals
    const place = placeOfRun(change, base)
    const run = { at: place, end: place, from, to, tokens }
    return place === at ? [run, ...removals] : [...removals, run]
  })
}
