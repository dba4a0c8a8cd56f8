import { diffNumbers, type Hunk } from '../../domain/diff.ts'
import { type Leaf, wordsOf } from './leaves.ts'

/** A row of blocks with a number for each, the same for equal ones. */
export type Row = { leaves: Leaf[]; keys: Int32Array }

/** What became of the blocks of `base` in `side`. */
export type Alignment = {
  /** Edited blocks have hunks of their own where blocks were moved: they are the same block for sure. */
  hunks: Hunk[]
  /** Old place to new place of the blocks that left the order of the others, changed or not. */
  moved: Map<number, number>
  /** The same of those that stayed in it, if any moved. */
  stayed: Map<number, number>
}

/** A run of blocks that both have, equal or (one block) alike. */
type Pair = { at: number; from: number; length: number; weight: number; isEqual: boolean }

/**
 * A shortest edit script would sooner keep two rules in order than one long paragraph that was edited. So
 * changed blocks that are alike are paired too, and the order that keeps most words is the one that stayed.
 */
export function align(base: Row, side: Row): Alignment {
  const hunks = diffNumbers(base.keys, side.keys)
  const uneven = hunks.filter((hunk) => !isInPlace(hunk, base, side))
  const gone = uneven.flatMap(({ at, end }) => range(at, end))
  const fresh = uneven.flatMap(({ from, to }) => range(from, to))
  const alike = likenesses(base, gone, side, fresh, ALIKE)
  const pairs = [...equalPairs(hunks, base), ...alikePairs(alike, base)]
  const unmoved = { hunks, moved: new Map(), stayed: new Map() }
  if (alike.size === 0 || pairs.length > PAIRS_MAX) return unmoved
  const order = heaviestOrder(pairs.sort((a, b) => a.at - b.at))
  if (order.length === pairs.length) return unmoved
  const moved = placesOf(pairs.filter((pair) => !order.includes(pair)))
  return { hunks: hunksBetween(order, moved, base, side), moved, stayed: placesOf(order) }
}

const placesOf = (pairs: Pair[]): Map<number, number> =>
  new Map(
    pairs.flatMap(({ at, from, length }) =>
      range(0, length).map((step): [number, number] => [at + step, from + step]),
    ),
  )

/** Whether each block clearly has a new form in its old place: both begin and end alike. */
function isInPlace({ at, end, from, to }: Hunk, base: Row, side: Row): boolean {
  if (end - at !== to - from) return false
  return range(0, end - at).every((step) => {
    const [old, now] = [base.leaves[at + step]?.text ?? '', side.leaves[from + step]?.text ?? '']
    return sameEnds(old, now) >= ALIKE * Math.max(old.length, now.length)
  })
}

/** Characters that two texts have in common at their beginning and end. */
function sameEnds(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1
  return head + tail
}

/** Share of the words of the longer block that make two blocks one block, edited. */
const ALIKE = 0.3
/** Ordering them is quadratic; a text with more changes than this was not moved about but rewritten. */
const PAIRS_MAX = 2_000

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, step) => from + step)

function equalPairs(hunks: Hunk[], base: Row): Pair[] {
  const length = base.keys.length
  return [...hunks, { at: length, end: length, from: 0, to: 0 }]
    .map(({ at }, index) => {
      const { end, to } = hunks[index - 1] ?? { end: 0, to: 0 }
      const run = base.leaves.slice(end, at)
      const weight = run.reduce((sum, leaf) => sum + 1 + leaf.text.length, 0)
      return { at: end, from: to, length: at - end, weight, isEqual: true }
    })
    .filter((pair) => pair.length > 0)
}

const alikePairs = (alike: Map<number, number>, { leaves }: Row): Pair[] =>
  [...alike].map(([at, from]) => {
    return { at, from, length: 1, weight: 1 + (leaves[at]?.text.length ?? 0), isEqual: false }
  })

/** The heaviest of the pairs that are in order on both sides. `pairs` are in the order of the base. */
function heaviestOrder(pairs: Pair[]): Pair[] {
  const best: { weight: number; before: number }[] = []
  for (const [index, pair] of pairs.entries()) {
    let [weight, before] = [0, -1]
    for (const [earlier, { from, length }] of pairs.slice(0, index).entries()) {
      const sum = best[earlier]?.weight ?? 0
      if (from + length <= pair.from && sum > weight) [weight, before] = [sum, earlier]
    }
    best.push({ weight: weight + pair.weight, before })
  }
  const order: Pair[] = []
  let last = best.reduce(
    (top, { weight }, index) => (weight > (best[top]?.weight ?? 0) ? index : top),
    0,
  )
  for (let pair = pairs[last]; pair !== undefined; pair = pairs[last]) {
    order.unshift(pair)
    last = best[last]?.before ?? -1
  }
  return order
}

/**
 * The edit script that keeps the equal ones of these pairs. Blocks that are merely alike have a hunk each where
 * nothing but such blocks came or went; else they may have been split or joined, and stay in one hunk.
 */
function hunksBetween(order: Pair[], moved: Map<number, number>, base: Row, side: Row): Hunk[] {
  const [leaving, arriving] = [new Set(moved.keys()), new Set(moved.values())]
  const hunks: Hunk[] = []
  let [at, from] = [0, 0]
  let alike: Pair[] = []
  for (const pair of [...order, lastPair(base, side)]) {
    if (!pair.isEqual) {
      alike.push(pair)
      continue
    }
    const gap = { at, end: pair.at, from, to: pair.from }
    const gone = range(at, pair.at).filter((place) => !leaving.has(place))
    const fresh = range(from, pair.from).filter((place) => !arriving.has(place))
    const isPlain = gone.length === alike.length && fresh.length === alike.length
    hunks.push(...(isPlain ? piecesOf(gap, alike) : [gap]).filter(isFilled))
    alike = []
    at = pair.at + pair.length
    from = pair.from + pair.length
  }
  return hunks
}

const lastPair = (base: Row, side: Row): Pair => ({
  at: base.keys.length,
  from: side.keys.length,
  length: 0,
  weight: 0,
  isEqual: true,
})

const isFilled = ({ at, end, from, to }: Hunk): boolean => end > at || to > from

function piecesOf(gap: Hunk, alike: Pair[]): Hunk[] {
  let { at, from } = gap
  const pieces = alike.flatMap((pair) => {
    const before = { at, end: pair.at, from, to: pair.from }
    at = pair.at + 1
    from = pair.from + 1
    return [before, { at: pair.at, end: at, from: pair.from, to: from }]
  })
  return [...pieces, { ...gap, at, from }]
}

/**
 * For each of the `old` places the one of the `fresh` places whose block is most like it, if it has at least
 * `share` of the words of the longer one. Each is used once. Words that stand in many blocks say nothing.
 */
export function likenesses(
  base: Row,
  old: number[],
  side: Row,
  fresh: number[],
  share: number,
): Map<number, number> {
  if (old.length === 0 || fresh.length === 0) return new Map()
  const index = new Map<string, number[]>()
  for (const place of fresh) {
    for (const word of wordsAt(side, place)) {
      const places = index.get(word)
      if (places) places.push(place)
      else index.set(word, [place])
    }
  }
  const isTelling = (word: string): boolean => (index.get(word)?.length ?? 0) <= COMMON
  const sizes = new Map(
    fresh.map((place) => [place, [...wordsAt(side, place)].filter(isTelling).length]),
  )
  const found = new Map<number, number>()
  const taken = new Set<number>()
  for (const place of old) {
    const words = [...wordsAt(base, place)].filter(isTelling)
    const votes = new Map<number, number>()
    for (const now of words.flatMap((word) => index.get(word) ?? [])) {
      if (!taken.has(now)) votes.set(now, (votes.get(now) ?? 0) + 1)
    }
    const [best] = [...votes].sort((a, b) => b[1] - a[1] || a[0] - b[0])
    if (!best || best[1] < share * Math.max(words.length, sizes.get(best[0]) ?? 0)) continue
    found.set(place, best[0])
    taken.add(best[0])
  }
  return found
}

const COMMON = 16

const wordsAt = ({ leaves }: Row, place: number): Set<string> => {
  const leaf = leaves[place]
  return new Set(leaf && wordsOf(leaf))
}
