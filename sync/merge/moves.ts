import { diffNumbers, type Hunk } from '../../domain/text/diff.ts'
import { addTo, NONE, range } from './align.ts'
import { FEW, isNewForm, type Leaf, wordsOf } from './leaves.ts'

/** A row of blocks with a number for each, the same for equal ones. */
export type Row = { leaves: Leaf[]; keys: Int32Array }

/** A side with its blocks in the order of the base, so that both sides can be merged place by place. */
export type Unmoved = Row & {
  /** For each block the place of the one that it was in the base, or NONE. */
  origins: number[]
  /** What has to be done to the base to have the order of the side. */
  moves: Move[]
  /** Whether one of the blocks has all words of this one in their order. */
  hasWordsOf(leaf: Leaf): boolean
}

/** A block of the base, and the one that comes before it on the side; NONE when it comes first. */
export type Move = { place: number; after: number }

/** The blocks that a side may have: those of the base, and between them what the other side added. */
type Known = {
  /** Each as the base and the other side have it. */
  forms: Leaf[][]
  /** For each its place in the base, NONE where the other side added it. */
  places: number[]
}

/** The base, with the forms that a side gave its blocks and the blocks that it added. */
function knownFrom(base: Row, side: Pick<Unmoved, 'leaves' | 'origins'>): Known {
  const forms: Leaf[][] = []
  const places: number[] = []
  let next = 0
  const addBase = (end: number): void => {
    for (; next < end; next += 1) {
      forms.push(base.leaves.slice(next, next + 1))
      places.push(next)
    }
  }
  for (const [index, leaf] of side.leaves.entries()) {
    const origin = side.origins[index] ?? NONE
    if (origin !== NONE) addBase(origin + 1)
    if (origin !== NONE) forms.at(-1)?.push(leaf)
    else {
      forms.push([leaf])
      places.push(NONE)
    }
  }
  addBase(base.leaves.length)
  return { forms, places }
}

/**
 * Finds blocks that left the order of the others, changed or not, and takes them back. The order that keeps most
 * text is the one that stayed. Blocks that are not known follow the one that they follow now.
 */
export function withoutMoves(base: Row, side: Row, other: Unmoved | null): Unmoved {
  const hasWordsOf = wordSearch(side.leaves)
  const hunks = diffNumbers(base.keys, side.keys)
  const isOne = !other?.origins.includes(NONE) && isOneChanged(hunks)
  const uneven = isOne ? [] : hunks.filter((hunk) => !isInPlace(hunk, base, side))
  const known = knownFrom(base, other ?? { leaves: [], origins: [] })
  const pairs = pairsOf(base, known, side, { hunks, uneven })
  const found: number[] = Array(side.leaves.length).fill(NONE)
  for (const { at, from } of pairs) found[from] = at
  const placeOf = (at = NONE): number => known.places[at] ?? NONE
  const isInOrder = pairs.every(({ from }, index) => from > (pairs[index - 1]?.from ?? NONE))
  const stayed = isInOrder ? new Set(pairs) : heaviestOrder(pairs, side.leaves.length)
  const formOf = (from: number) => base.leaves[placeOf(found[from])]
  const mayBeSplitOff = (pair: Pair) => !stayed.has(pair) || known.places[pair.at] === NONE
  const splitOff = pairs.filter(
    (pair) => mayBeSplitOff(pair) && isSplitOff(side.leaves, pair.from, formOf),
  )
  for (const { from } of splitOff) found[from] = NONE
  const away = pairs.filter((pair) => !stayed.has(pair) && !splitOff.includes(pair))
  const leaving = new Set(away.map(({ at }) => at))
  if (leaving.size === 0) return { ...side, origins: found.map(placeOf), moves: [], hasWordsOf }
  const moves: Move[] = []
  let after = NONE
  for (const at of found) {
    const place = placeOf(at)
    if (leaving.has(at) && place !== NONE) moves.push({ place, after })
    if (place !== NONE) after = place
  }
  /** Whether the block starts with another word than in the base. */
  const isChangedAtStart = (from: number): boolean => {
    const [old, now] = [formOf(from), side.leaves[from]].map((leaf) => leaf && wordsOf(leaf)[0])
    return old !== undefined && now !== old
  }
  const order = inOrder(found, isChangedAtStart)
  return {
    leaves: order.flatMap((from) => side.leaves[from] ?? []),
    keys: Int32Array.from(order, (from) => side.keys[from] ?? 0),
    origins: order.map((from) => placeOf(found[from])),
    moves,
    hasWordsOf,
  }
}

/**
 * Whether a block has the words that the block before or behind it had at this end in the base. It was split off there, and
 * did not move: an equal block of the base, as one of a common word, is another one.
 */
function isSplitOff(
  leaves: Leaf[],
  from: number,
  formOf: (from: number) => Leaf | undefined,
): boolean {
  const textOf = (leaf: Leaf | undefined) => (leaf ? wordsOf(leaf).join(' ') : '')
  const own = textOf(leaves[from])
  return (
    textOf(formOf(from - 1)) === `${textOf(leaves[from - 1])} ${own}` ||
    textOf(formOf(from + 1)) === `${own} ${textOf(leaves[from + 1])}`
  )
}

/** The order of the base after both sides' moves; of two moves of one block, `theirs`. */
export function orderAfter(length: number, theirs: Move[], mine: Move[]): number[] {
  const next = Array.from({ length: length + 1 }, (_, place) => place)
  const before = Array.from({ length: length + 2 }, (_, place) => place - 1)
  const link = (left: number, right: number): void => {
    next[left + 1] = right
    before[right + 1] = left
  }
  const apply = ({ place, after }: Move): void => {
    if (after === place) return
    link(before[place + 1] ?? NONE, next[place + 1] ?? length)
    const behind = next[after + 1] ?? length
    link(after, place)
    link(place, behind)
  }
  for (let place = NONE; place < length; place += 1) link(place, place + 1)
  const settled = new Set(theirs.map(({ place }) => place))
  for (const move of theirs) apply(move)
  for (const move of mine) if (!settled.has(move.place)) apply(move)
  const order: number[] = []
  for (let place = next[0] ?? length; place < length; place = next[place + 1] ?? length) {
    order.push(place)
  }
  return order
}

/** A known block and the one of the side that it is; its weight is its length. */
export type Pair = Found & { weight: number }
type Found = { at: number; from: number }

/** In the order of what is known. */
function pairsOf(
  base: Row,
  known: Known,
  side: Row,
  { hunks, uneven }: { hunks: Hunk[]; uneven: Hunk[] },
): Pair[] {
  const indexOf = new Int32Array(base.keys.length)
  for (const [at, place] of known.places.entries()) if (place !== NONE) indexOf[place] = at
  const pairs: Pair[] = []
  const add = ({ at, from }: Found): void => {
    pairs.push({ at, from, weight: 1 + (side.leaves[from]?.text.length ?? 0) })
  }
  const changed = new Set(uneven)
  let [place, next] = [0, 0]
  const keep = (end: number): void => {
    while (place < end) add({ at: indexOf[place++] ?? NONE, from: next++ })
  }
  for (const hunk of hunks) {
    keep(changed.has(hunk) ? hunk.at : hunk.end)
    place = hunk.end
    next = hunk.to
  }
  keep(base.keys.length)
  const gone = uneven.flatMap(({ at, end }) => [...indexOf.subarray(at, end)])
  const fresh = uneven.flatMap(({ from, to }) => range(from, to))
  if (gone.length === 0 || fresh.length === 0) return pairs
  const left = { at: new Set(gone), from: new Set(fresh) }
  const take = (found: Found[]): void => {
    for (const pair of found) {
      left.at.delete(pair.at)
      left.from.delete(pair.from)
      add(pair)
    }
  }
  take(samePairs(known, [...left.at], side, [...left.from]))
  take(alikePairs(known, [...left.at], side, [...left.from]))
  take(neighbourPairs(pairs, known, side))
  return pairs.sort((a, b) => a.at - b.at)
}

/** Whether the only difference is one block that was changed in place, so that no block was moved. */
const isOneChanged = ([hunk, ...more]: Hunk[]): boolean =>
  hunk?.end === (hunk?.at ?? 0) + 1 && hunk.to === hunk.from + 1 && more.length === 0

/** Whether each block clearly has a new form in its old place: both begin and end alike. */
function isInPlace({ at, end, from, to }: Hunk, base: Row, side: Row): boolean {
  if (end - at !== to - from) return false
  return base.leaves.slice(at, end).every((old, step) => {
    const now = side.leaves[from + step]
    return now !== undefined && isNewForm(old, now)
  })
}

/** Blocks of equal text that are gone in one place and there in another, in their order. */
function samePairs({ forms }: Known, gone: number[], side: Row, fresh: number[]): Found[] {
  const places = new Map<string, number[]>()
  for (const from of fresh.toReversed()) addTo(places, side.leaves[from]?.content ?? '', from)
  return gone.flatMap((at) => {
    const texts = forms[at]?.filter((leaf) => wordsOf(leaf).length > 0) ?? []
    // What the other side wrote into an empty block does not make it known.
    if (texts[0] !== forms[at]?.[0]) return []
    const found = texts.map(({ content }) => places.get(content)).find((rest) => rest?.length)
    const from = found?.pop()
    return from === undefined ? [] : [{ at, from }]
  })
}

/** Blocks without a pair that are like each other on both sides of one: short ones, rules, and what both sides added. */
function neighbourPairs(pairs: Found[], { forms }: Known, side: Row): Found[] {
  const [old, now] = [new Set(pairs.map(({ at }) => at)), new Set(pairs.map(({ from }) => from))]
  const added: Found[] = []
  const extend = ({ at, from }: Found, step: number): void => {
    for (let by = step; ; by += step) {
      const [leaves, other] = [forms[at + by], side.leaves[from + by]]
      const isTaken = old.has(at + by) || now.has(from + by)
      if (isTaken || !leaves || !other || !leaves.some((leaf) => isKin(leaf, other))) return
      old.add(at + by)
      now.add(from + by)
      added.push({ at: at + by, from: from + by })
    }
  }
  for (const pair of pairs) {
    extend(pair, 1)
    extend(pair, -1)
  }
  return added
}

/** Whether neighbours of one block are one block too: equal, with a word in three in common, or begun where nothing was. */
function isKin(leaf: Leaf, other: Leaf): boolean {
  if (leaf.text === '' || other.text === '') return leaf.type === other.type
  if (leaf.content === other.content) return true
  const [words, others] = [new Set(wordsOf(leaf)), new Set(wordsOf(other))]
  const shared = [...words].filter((word) => others.has(word)).length
  return shared > 0 && shared >= KIN * Math.min(words.size, others.size)
}

const KIN = 0.3

/** Share of the pairs of words of the longer block that makes two blocks one block, edited. */
const ALIKE = 0.2
/** The same for blocks that would have to be moved. */
const CLOSE = 0.5
/** So many pairs of words have to be left of a block into which much was written. */
const MOST_FROM = 3
/** What occurs in more blocks than this says nothing. */
const COMMON = 16
/** A text in which more words than this came or went was not moved about but replaced. */
const WORDS_MAX = 20_000

/**
 * Gone and fresh blocks that have pairs of neighbouring words in common: those that are in order together, and of the
 * others those that are closest. Each is used once. A gone block is also known by the form that the other side gave it, and
 * one of the base by more than half of its pairs, however much was written into it.
 */
function alikePairs({ forms, places }: Known, gone: number[], side: Row, fresh: number[]): Found[] {
  const old = gone.map((place) => {
    const [first, ...others] = forms[place] ?? []
    const differing = others.filter(({ content }) => content !== first?.content)
    return { place, grams: [...(first ? [first] : []), ...differing].map(gramsOf) }
  })
  const now = fresh.flatMap((place) => {
    const leaf = side.leaves[place]
    return leaf ? [{ place, grams: gramsOf(leaf) }] : []
  })
  const all = [...old.flatMap(({ grams }) => grams), ...now.map(({ grams }) => grams)]
  const words = all.reduce((sum, grams) => sum + grams.size, 0)
  if (old.length === 0 || now.length === 0 || words > WORDS_MAX) return []
  const holders = new Map<string, number[]>()
  for (const [index, { grams }] of now.entries()) {
    for (const gram of grams) addTo(holders, gram, index)
  }
  const candidatesOf = (place: number, grams: Set<string>) => {
    const votes = new Map<number, number>()
    for (const gram of grams) {
      const found = holders.get(gram) ?? []
      if (found.length > COMMON) continue
      for (const index of found) votes.set(index, (votes.get(index) ?? 0) + 1)
    }
    return [...votes].flatMap(([index, count]) => {
      const other = now[index]
      if (!other) return []
      const longer = Math.max(grams.size, other.grams.size)
      const isMostKept = places[place] !== NONE && count >= MOST_FROM && count * 2 > grams.size
      if (count < ALIKE * longer && !isMostKept) return []
      if (!hasKept(forms[place] ?? [], side.leaves[other.place])) return []
      return [{ at: place, from: other.place, weight: count, isClose: count >= CLOSE * longer }]
    })
  }
  // The last block of each source first, so that it is never followed by another one of the same source.
  const candidates = old.flatMap(({ place, grams }) =>
    grams.flatMap((one) => candidatesOf(place, one)).sort((a, b) => b.from - a.from),
  )
  const inOrder = heaviestOrder(candidates, side.leaves.length)
  const [left, right] = [new Set(gone), new Set(fresh)]
  return [
    ...inOrder,
    ...candidates.filter(({ isClose }) => isClose).sort((a, b) => b.weight - a.weight),
  ].filter(({ at, from }) => {
    if (!left.has(at) || !right.has(from)) return false
    left.delete(at)
    return right.delete(from)
  })
}

/**
 * Whether a block has more than half of the words that all forms of a known block have. Another form without words says
 * nothing; what the other side wrote into an empty block does not make it known.
 */
function hasKept(forms: Leaf[], block: Leaf | undefined): boolean {
  const [first = [], ...rest] = forms.map(wordsOf)
  if (first.length === 0 || !block) return false
  const others = rest.filter((words) => words.length > 0).map((words) => new Set(words))
  const kept = [...new Set(first)].filter((word) => others.every((words) => words.has(word)))
  const words = new Set(wordsOf(block))
  return kept.filter((word) => words.has(word)).length * 2 > kept.length
}

/** Pairs of neighbouring words: single ones are common to most prose of one language. */
function gramsOf(leaf: Leaf): Set<string> {
  const words = wordsOf(leaf)
  return new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`))
}

/** The heaviest of the pairs that are in order on both sides, by a tree of the best sums up to a place. */
export function heaviestOrder<P extends Pair>(pairs: P[], length: number): Set<P> {
  const sums = new Float64Array(length + 1)
  const lasts = new Int32Array(length + 1).fill(NONE)
  const before = new Int32Array(pairs.length).fill(NONE)
  let [top, topSum] = [NONE, 0]
  for (const [index, { from, weight }] of pairs.entries()) {
    let [sum, last] = [0, NONE]
    for (let node = from; node > 0; node -= node & -node) {
      if ((sums[node] ?? 0) > sum) [sum, last] = [sums[node] ?? 0, lasts[node] ?? NONE]
    }
    before[index] = last
    sum += weight
    for (let node = from + 1; node <= length; node += node & -node) {
      if (sum > (sums[node] ?? 0)) [sums[node], lasts[node]] = [sum, index]
    }
    if (sum > topSum) [top, topSum] = [index, sum]
  }
  const order = new Set<P>()
  for (let index = top; index !== NONE; index = before[index] ?? NONE) {
    const pair = pairs[index]
    if (pair) order.add(pair)
  }
  return order
}

/**
 * Returns the places of a side with the known blocks in the order of the base. New blocks stay with the known block before them,
 * or with the one after them if `isChangedAtStart`, because they were then typed together with its start or split off from it.
 */
function inOrder(found: number[], isChangedAtStart: (from: number) => boolean): number[] {
  const units = new Map<number, number[]>()
  let unit: number[] = []
  let fresh: number[] = []
  units.set(NONE, unit)
  for (const [from, at] of found.entries()) {
    fresh.push(from)
    if (at === NONE) continue
    if (fresh.length === 1 || !isChangedAtStart(from))
      unit.push(...fresh.splice(0, fresh.length - 1))
    unit = fresh
    units.set(at, unit)
    fresh = []
  }
  unit.push(...fresh)
  return [...units].sort(([a], [b]) => a - b).flatMap(([, places]) => places)
}

/** The index of words is made when it is first asked for: most merges do not need it. */
function wordSearch(leaves: Leaf[]): (leaf: Leaf) => boolean {
  let places: Map<string, Leaf[]> | null = null
  return (wanted) => {
    const words = wordsOf(wanted)
    if (words.length === 0) return false
    places ??= placesOfWords(leaves)
    let fewest = leaves
    for (const word of words) {
      const found = places.get(word) ?? []
      if (found.length < fewest.length) fewest = found
    }
    if (words.length < FEW && fewest.length > 1) return false
    return fewest.some((leaf) => isWithin(words, wordsOf(leaf)))
  }
}

function placesOfWords(leaves: Leaf[]): Map<string, Leaf[]> {
  const places = new Map<string, Leaf[]>()
  for (const leaf of leaves) for (const word of new Set(wordsOf(leaf))) addTo(places, word, leaf)
  return places
}

function isWithin(some: string[], all: string[]): boolean {
  let found = 0
  for (const word of all) if (word === some[found]) found += 1
  return found === some.length
}
