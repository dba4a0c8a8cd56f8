import { diffNumbers } from '../../domain/diff.ts'

/** For each item of the base its place in a side, or NONE where the side no longer has it. Rising. */
export type Matches = Int32Array
export const NONE = -1

/** The whole numbers from `from` up to `to`, which is not among them. */
export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, step) => from + step)

export type Alignment = {
  mine: Matches
  theirs: Matches
  /** For each item of `mine` that it added the place of the same addition in `theirs`, or NONE. */
  added: Matches
}

/** What the numbers that are aligned mean. */
export type Items = {
  /** Items of more weight are matched first. A small whole number. */
  weightOf(key: number): number
  /** Begins a row of items, and so belongs to the item behind it. */
  isHead(key: number): boolean
}

/**
 * Matches both sides to the base, `theirs` in knowledge of `mine`: where several matches are equally long, as when a
 * word was added next to its like, the one is taken that also finds most of what `mine` added in `theirs`. So a change
 * that `theirs` has already is found there whatever its words repeat. Deterministic and bounded: long rows
 * that differ much are matched by their shortest edit script alone.
 */
export function alignBoth(
  base: Int32Array,
  mine: Int32Array,
  theirs: Int32Array,
  items: Items,
): Alignment {
  const ours = matchesOf(base, mine)
  const others = matchesOf(base, theirs)
  const added = new Int32Array(mine.length).fill(NONE)
  let cells = CELLS_MAX
  for (const { at, end, mine: left, theirs: right } of windowsOf(ours, others, mine, theirs)) {
    const [o, a, b] = [base.subarray(at, end), mine.subarray(...left), theirs.subarray(...right)]
    const size = (o.length + a.length) * Math.max(a.length, b.length)
    const isRefined = size <= WINDOW_CELLS_MAX && size <= cells
    if (isRefined) cells -= size
    const local = {
      mine: ours.subarray(at, end).map((place) => shifted(place, -left[0])),
      theirs: others.subarray(at, end).map((place) => shifted(place, -right[0])),
    }
    const found = isRefined ? alignWindow(o, a, b, items) : coarse(o, a, b, local, items)
    ours.set(
      found.mine.map((place) => shifted(place, left[0])),
      at,
    )
    others.set(
      found.theirs.map((place) => shifted(place, right[0])),
      at,
    )
    added.set(
      found.added.map((place) => shifted(place, right[0])),
      left[0],
    )
  }
  return { mine: ours, theirs: others, added }
}

/** Work for one window, and for all of a text: about 20 ms on an ordinary device. */
const WINDOW_CELLS_MAX = 400_000
const CELLS_MAX = 4_000_000

const shifted = (place: number, by: number): number => (place === NONE ? NONE : place + by)

/** The shortest edit scripts as they are. */
function coarse(
  base: Int32Array,
  mine: Int32Array,
  theirs: Int32Array,
  found: { mine: Matches; theirs: Matches },
  items: Items,
): Alignment {
  attachHeads(base, found.mine, mine, items)
  attachHeads(base, found.theirs, theirs, items)
  return { ...found, added: new Int32Array(mine.length).fill(NONE) }
}

function matchesOf(base: Int32Array, side: Int32Array): Matches {
  const matches = new Int32Array(base.length)
  let [at, from] = [0, 0]
  const keep = (end: number): void => {
    while (at < end) matches[at++] = from++
  }
  for (const hunk of diffNumbers(base, side)) {
    keep(hunk.at)
    matches.fill(NONE, hunk.at, hunk.end)
    at = hunk.end
    from = hunk.to
  }
  keep(base.length)
  return matches
}

type Range = [from: number, to: number]
type Window = { at: number; end: number; mine: Range; theirs: Range }

/** So many items in a row that all three have are taken for the same ones at both of their ends. */
const CALM = 8

/** The stretches that lie between long rows of items that all three have, with a part of those rows at both ends. */
function windowsOf(ours: Matches, others: Matches, mine: Int32Array, theirs: Int32Array): Window[] {
  const length = ours.length
  const windows: Window[] = []
  const placeIn = (matches: Matches, at: number, side: Int32Array): number =>
    at < length ? (matches[at] ?? 0) : side.length
  let start = 0
  const add = (end: number): void => {
    const [left, right] = [
      [start === 0 ? 0 : placeIn(ours, start, mine), placeIn(ours, end, mine)],
      [start === 0 ? 0 : placeIn(others, start, theirs), placeIn(others, end, theirs)],
    ] as [Range, Range]
    const isChanged = end - start !== left[1] - left[0] || end - start !== right[1] - right[0]
    if (isChanged || hasGap(ours, start, end) || hasGap(others, start, end))
      windows.push({ at: start, end, mine: left, theirs: right })
  }
  for (let at = 0; at < length; ) {
    let end = at
    while (end < length && isCalm(ours, others, at, end)) end += 1
    if (end - at >= 2 * CALM) {
      add(at === 0 && ours[0] === 0 && others[0] === 0 ? 0 : at + CALM)
      start = end - CALM
    }
    at = Math.max(end, at + 1)
  }
  add(length)
  return windows
}

const isCalm = (ours: Matches, others: Matches, first: number, at: number): boolean => {
  const [left, right] = [ours[at] ?? NONE, others[at] ?? NONE]
  if (left === NONE || right === NONE) return false
  return left - (ours[first] ?? 0) === at - first && right - (others[first] ?? 0) === at - first
}

const hasGap = (matches: Matches, from: number, to: number): boolean =>
  matches.subarray(from, to).includes(NONE)

function alignWindow(
  base: Int32Array,
  mine: Int32Array,
  theirs: Int32Array,
  items: Items,
): Alignment {
  const ours = isSame(base, mine) ? inPlace(base) : heaviest(rowsOf(base, null, items), mine)
  attachHeads(base, ours, mine, items)
  if (isSame(base, theirs))
    return { mine: ours, theirs: inPlace(base), added: new Int32Array(mine.length).fill(NONE) }
  const find = (worthOf: Added['worthOf']): Found => {
    const rows = rowsOf(base, { side: mine, matches: ours, worthOf }, items)
    const places = heaviest(rows, theirs)
    attachHeads(rows.keys, places, theirs, items, (row) => rows.places[row] !== NONE)
    preferBase(rows, places)
    return foundIn(rows, places, base.length, mine.length)
  }
  const all = find(() => FIRST)
  const additions = additionsOf(ours, mine)
  const isMissing = ([from, end]: Range) => all.added.subarray(from, end).includes(NONE)
  const partial = additions.filter(isMissing)
  const elsewhere = additions.filter(
    (range) => !isMissing(range) && isElsewhere(range, all.added, mine, theirs),
  )
  const isWhole = partial.length + elsewhere.length === 0
  const worth = (place: number, most: number) => (isIn(elsewhere, place) ? 0 : most)
  const likely = isWhole ? all : find((place) => worth(place, isIn(partial, place) ? 1 : FIRST))
  const isAlone = mine.length === base.length && !ours.includes(NONE)
  const odd = isAlone ? 0 : removedAndAdded(base, likely, theirs)
  const isShared = likely.added.some((place) => place !== NONE)
  const other = odd > 0 || isShared ? find((place) => worth(place, 1)) : likely
  const isOdd = odd > removedAndAdded(base, other, theirs)
  const isLonger = editsOf(likely, theirs) > editsOf(other, theirs)
  const { matches, added } = isOdd || isLonger ? other : likely
  preferKept(mine, { mine: ours, theirs: matches, added })
  return { mine: ours, theirs: matches, added }
}

const isSame = (base: Int32Array, side: Int32Array): boolean =>
  base.length === side.length && base.every((key, at) => key === side[at])

const inPlace = (base: Int32Array): Matches => base.map((_, at) => at)

/** Counts what is matched first; what is preferred among equals is far below it. */
const FIRST = 1 << 12

/** What a side can be matched to: items with their weights, and what it adds that the one before is matched just before. */
type Rows = {
  keys: Int32Array
  weights: Int32Array
  bonuses: Int32Array
  /** The place in the base, or NONE. */
  places: number[]
  /** The place in `mine` of what `mine` added, or NONE. */
  added: number[]
}

/** What `mine` added to the base. `worthOf`: FIRST where it counts as much as the base, 1 where less, 0 where it is not matched. */
type Added = { side: Int32Array; matches: Matches; worthOf(place: number): number }

/** The base, and where `mine` is known what it added too, behind what it removed there. */
function rowsOf(base: Int32Array, mine: Added | null, { weightOf, isHead }: Items): Rows {
  const [keys, weights, values]: [number[], number[], number[]] = [[], [], []]
  const [places, added, inMine]: [number[], number[], number[]] = [[], [], []]
  const sides = [places, inMine]
  const add = (key: number, value: number, preference: number): void => {
    keys.push(key)
    weights.push(weightOf(key) * value + preference)
    values.push(value)
  }
  let next = 0
  const addNew = (end: number): void => {
    for (; mine && next < end; next += 1) {
      const worth = mine.worthOf(next)
      if (worth === 0) continue
      add(mine.side[next] ?? 0, worth, 1)
      places.push(NONE)
      added.push(next)
      inMine.push(next)
    }
  }
  for (const [at, key] of base.entries()) {
    const place = mine?.matches[at] ?? NONE
    if (place !== NONE) addNew(place)
    const isGoneHead = mine !== null && place === NONE && isHead(key)
    add(key, isGoneHead ? 1 : FIRST, place === NONE ? 0 : 2)
    places.push(at)
    added.push(NONE)
    inMine.push(place)
    if (place !== NONE) next = place + 1
  }
  addNew(mine?.side.length ?? 0)
  return {
    keys: Int32Array.from(keys),
    weights: Int32Array.from(weights),
    bonuses: Int32Array.from(values, (value, row) => {
      const isNext = sides.some(
        (side) => side[row] !== NONE && side[row] === (side[row - 1] ?? NONE) + 1,
      )
      if (row === 0 || !isNext) return 0
      // What `mine` typed next to a word of the base is no likelier than the base that it pushed away from it.
      const isOneText = (places[row] === NONE) === (places[row - 1] === NONE)
      return isOneText ? Math.min(value, values[row - 1] ?? 0) : 1
    }),
    places,
    added,
  }
}

/** `added`: for each item of `mine` that it added the place of the same addition in `theirs`, or NONE. */
type Found = { matches: Matches; added: Matches }

function foundIn({ places, added }: Rows, found: Matches, length: number, mine: number): Found {
  const result = {
    matches: new Int32Array(length).fill(NONE),
    added: new Int32Array(mine).fill(NONE),
  }
  for (const [row, place] of found.entries()) {
    const [at, from] = [places[row] ?? NONE, added[row] ?? NONE]
    if (at !== NONE) result.matches[at] = place
    if (from !== NONE) result.added[from] = place
  }
  return result
}

/** The stretches that `mine` added. */
function additionsOf(ours: Matches, mine: Int32Array): Range[] {
  const additions: Range[] = []
  let start = 0
  for (const place of [...ours, mine.length]) {
    if (place === NONE) continue
    if (place > start) additions.push([start, place])
    start = place + 1
  }
  return additions
}

/** Whether a sentence has no neighbour in common with the same one in `theirs`: two writers may put it in two places. */
function isElsewhere(
  [from, end]: Range,
  added: Matches,
  mine: Int32Array,
  theirs: Int32Array,
): boolean {
  const [before, after] = [(added[from] ?? 0) - 1, (added[end - 1] ?? 0) + 1]
  return end - from >= SENTENCE && mine[from - 1] !== theirs[before] && mine[end] !== theirs[after]
}

const isIn = (ranges: readonly Range[], place: number): boolean =>
  ranges.some(([from, end]) => place >= from && place < end)

/** So many items in a row are hardly typed by two writers by chance. */
const SENTENCE = 8

/**
 * Where `mine` repeated one item of the base, that item is matched and not the repetition: else the base would count as
 * removed by `theirs`, and what is there as added by `mine`.
 */
function preferBase({ keys, places, added }: Rows, found: Matches): void {
  const isAdded = (row: number): boolean => (added[row] ?? NONE) !== NONE
  for (const [row, place] of found.entries()) {
    if (place === NONE || !isAdded(row) || isAdded(row - 1) || isAdded(row + 1)) continue
    const like = [row - 1, row + 1].find(
      (at) => keys[at] === keys[row] && found[at] === NONE && places[at] !== undefined,
    )
    if (like === undefined) continue
    found[like] = place
    found[row] = NONE
  }
}

/**
 * Where `mine` typed an item next to its like in the base, either may be the one of the base: it is the one that `theirs`
 * kept. Else `theirs` would count as having removed one and added the other, and the result would have only one of the two.
 */
function preferKept(mine: Int32Array, { mine: ours, theirs, added }: Alignment): void {
  for (const [at, place] of ours.entries()) {
    if (place === NONE || theirs[at] !== NONE) continue
    const like = [1, -1]
      .map((step) => nextTo(at, step, ours, theirs, mine.length))
      .find((next) => mine[next] === mine[place] && (added[next] ?? NONE) !== NONE)
    if (like === undefined) continue
    ours[at] = like
    theirs[at] = added[like] ?? NONE
    added[like] = NONE
  }
}

/** The place in `mine` before the next item of the base that either side has, in this direction; NONE if `mine` has not. */
function nextTo(at: number, step: number, ours: Matches, theirs: Matches, length: number): number {
  let next = at + step
  while (ours[next] === NONE && theirs[next] === NONE) next += step
  const end = ours[next] ?? (step > 0 ? length : -1)
  return ours[next] === NONE ? NONE : end - step
}

/** The matches in order that weigh most together; of equal ones those that come first. */
function heaviest({ keys, weights, bonuses }: Rows, side: Int32Array): Matches {
  const [height, width] = [keys.length + 1, side.length + 1]
  const best = new Int32Array(height * width)
  /** The best of those that match here. */
  const matched = new Int32Array(height * width).fill(IMPOSSIBLE)
  for (let row = keys.length - 1; row >= 0; row -= 1) {
    const [key, weight, bonus] = [keys[row], weights[row] ?? 0, bonuses[row + 1] ?? 0]
    let here = row * width + side.length - 1
    for (let place = side.length - 1; place >= 0; place -= 1, here -= 1) {
      const skipped = Math.max(best[here + 1] ?? 0, best[here + width] ?? 0)
      if (key !== side[place]) {
        best[here] = skipped
        continue
      }
      const after = here + width + 1
      const value = weight + Math.max(best[after] ?? 0, (matched[after] ?? 0) + bonus)
      matched[here] = value
      best[here] = Math.max(value, skipped)
    }
  }
  const matches = new Int32Array(keys.length).fill(NONE)
  let [row, place, isNext] = [0, 0, false]
  while (row < keys.length && place < side.length) {
    const here = row * width + place
    if (isNext || best[here] === matched[here]) {
      matches[row] = place
      const after = here + width + 1
      const bonus = bonuses[row + 1] ?? 0
      isNext = (matched[after] ?? 0) + bonus >= (best[after] ?? 0)
      row += 1
      place += 1
    } else if (best[here] === best[here + width]) row += 1
    else place += 1
  }
  return matches
}

const IMPOSSIBLE = -(2 ** 30)

/**
 * How many items of the base would count as removed by the side and added by it again. Where two writers added the same
 * in two places, matching the additions puts what is between them out of order, which shows in this number.
 */
function removedAndAdded(base: Int32Array, found: Found, side: Int32Array): number {
  const taken = new Set([...found.matches, ...found.added])
  const added = new Map<number, boolean>()
  for (const [place, key] of side.entries()) added.set(key, !added.has(key) && !taken.has(place))
  const counts = new Map<number, number>()
  for (const key of base) counts.set(key, (counts.get(key) ?? 0) + 1)
  const isOdd = (key: number, at: number): boolean =>
    found.matches[at] === NONE && counts.get(key) === 1 && added.get(key) === true
  return base.filter(isOdd).length
}

/**
 * How many items the side removed from the base and added to it, without those that `mine` added too. The explanation with
 * fewer edits is right: where `mine` pasted a sentence into itself, words that `theirs` kept of the base look like its
 * addition, and the rest of the base like removed.
 */
function editsOf({ matches, added }: Found, side: Int32Array): number {
  const isFound = (place: number): boolean => place !== NONE
  const kept = matches.filter(isFound).length
  return matches.length - kept + side.length - kept - added.filter(isFound).length
}

/**
 * The head of a row is matched to the head of the row that the first of its matched items is in, instead of another one
 * that could be as well, and to none where neither row is empty and they have nothing in common: those are two rows.
 * `isOfBase` is false for items between those of the base.
 */
function attachHeads(
  base: Int32Array,
  matches: Matches,
  side: Int32Array,
  { isHead }: Items,
  isOfBase = (_at: number): boolean => true,
): void {
  const holders = new Int32Array(side.length).fill(NONE)
  for (const [at, place] of matches.entries()) if (place !== NONE) holders[place] = at
  const headOf = (row: Int32Array, others: Int32Array, at: number): number => {
    let head = at - 1
    while (head >= 0 && !isHead(row[head] ?? 0)) {
      if (others[head] !== NONE) return NONE
      head -= 1
    }
    return head
  }
  for (let at = matches.length - 1; at > 0; at -= 1) {
    const place = matches[at] ?? NONE
    if (place === NONE || isHead(base[at] ?? 0)) continue
    const [head, other] = [headOf(base, matches, at), headOf(side, holders, place)]
    if (head === NONE || other === NONE || matches[head] === other) continue
    const [now, holder] = [matches[head] ?? NONE, holders[other] ?? NONE]
    if (now !== NONE) holders[now] = NONE
    if (holder !== NONE) matches[holder] = NONE
    matches[head] = other
    holders[other] = head
  }
  const endOf = (row: Int32Array, head: number): number => {
    let end = head + 1
    while (end < row.length && !isHead(row[end] ?? 0)) end += 1
    return end
  }
  for (const [head, place] of matches.entries()) {
    if (place === NONE || !isHead(base[head] ?? 0)) continue
    const [end, last] = [endOf(base, head), endOf(side, place)]
    let isEmpty = last === place + 1
    if (!isEmpty) isEmpty = !base.subarray(head + 1, end).some((_, at) => isOfBase(head + 1 + at))
    const isShared = matches.subarray(head + 1, end).some((at) => at > place && at < last)
    if (!isEmpty && !isShared) matches[head] = NONE
  }
}
