/**
 * Shortest way from one sequence to another in the time of E. W. Myers' algorithm: length times number of
 * differences, in memory that does not grow with them. Knows nothing of texts.
 */

/** A place where two sequences differ: `before[from..to)` gave way to `after[newFrom..newTo)`; one may be empty. */
export type Difference = { from: number; to: number; newFrom: number; newTo: number }

/**
 * Where the sequences differ, in order; what stands in between is the same in both. Deterministic. The
 * fewest differences, except in stretches with hundreds of them, where a good answer comes soon.
 */
export function diff(before: readonly string[], after: readonly string[]): Difference[] {
  const numbers = new Map<string, number>()
  const [old, fresh] = [numbered(before, numbers), numbered(after, numbers)]
  // What the other sequence does not have is a difference wherever it stands: no need to look for it.
  const [oldShared, freshShared] = [sharedWith(old, fresh), sharedWith(fresh, old)]
  const sides = { old: pick(old, oldShared), fresh: pick(fresh, freshShared) }
  const kept = { old: new Uint8Array(old.length), fresh: new Uint8Array(fresh.length) }
  matches(sides, (x, y) => {
    kept.old[oldShared[x] ?? 0] = 1
    kept.fresh[freshShared[y] ?? 0] = 1
  })
  return differencesBetween(kept.old, kept.fresh)
}

/** Equal strings get equal numbers, which are faster to compare. */
function numbered(items: readonly string[], numbers: Map<string, number>): Int32Array {
  return Int32Array.from(items, (item) => {
    const number = numbers.get(item) ?? numbers.size
    numbers.set(item, number)
    return number
  })
}

/** Places of the items that the other sequence has too. */
function sharedWith(items: Int32Array, others: Int32Array): number[] {
  const known = new Set(others)
  return [...items.keys()].filter((at) => known.has(items[at] ?? -1))
}

const pick = (items: Int32Array, places: number[]): Int32Array =>
  Int32Array.from(places, (at) => items[at] ?? -1)

/** 1 is an item that stands in both sequences. */
function differencesBetween(old: Uint8Array, fresh: Uint8Array): Difference[] {
  const found: Difference[] = []
  for (let x = 0, y = 0; x < old.length || y < fresh.length; x += 1, y += 1) {
    const [from, newFrom] = [x, y]
    while (old[x] === 0) x += 1
    while (fresh[y] === 0) y += 1
    if (x > from || y > newFrom) found.push({ from, to: x, newFrom, newTo: y })
  }
  return found
}

type Sides = { old: Int32Array; fresh: Int32Array }

/** Calls back for each pair of items that stays, in no order. Halves what is different until one side is empty. */
function matches({ old, fresh }: Sides, match: (x: number, y: number) => void): void {
  function compare(from: number, to: number, newFrom: number, newTo: number): void {
    let [x, y, end, newEnd] = [from, newFrom, to, newTo]
    while (x < end && y < newEnd && old[x] === fresh[y]) match(x++, y++)
    while (x < end && y < newEnd && old[end - 1] === fresh[newEnd - 1]) match(--end, --newEnd)
    if (x === end || y === newEnd) return
    const at = middle(old.subarray(x, end), fresh.subarray(y, newEnd))
    compare(x, x + at.x, y, y + at.y)
    compare(x + at.x, end, y + at.y, newEnd)
  }
  compare(0, old.length, 0, fresh.length)
}

/** So many items were passed on each side, counted from the start of both. */
type Point = { x: number; y: number }

/**
 * How far one search came on each diagonal (x - y), in items of the old sequence; -1 where it never was.
 * One search walks from the start and one from the end, in mirrored numbers; each round allows one more
 * difference to both.
 */
type Search = { reached: Int32Array; same: (x: number, y: number) => boolean }

const ROUNDS = 256
const indexOf = (diagonal: number): number => diagonal + ROUNDS + 1

/** A point that the shortest way passes, where two searches from both ends meet. Never an end itself. */
function middle(old: Int32Array, fresh: Int32Array): Point {
  const size = { x: old.length, y: fresh.length }
  const mirrored = ({ x, y }: Point): Point => ({ x: size.x - x, y: size.y - y })
  const forward = searchWith((x, y) => old[x] === fresh[y])
  const backward = searchWith((x, y) => old[size.x - 1 - x] === fresh[size.y - 1 - y])
  for (let round = 0; round < ROUNDS; round += 1) {
    const ahead = advance(forward, backward, size, round)
    if (ahead !== null) return ahead
    const back = advance(backward, forward, size, round)
    if (back !== null) return mirrored(back)
  }
  const [ahead, back] = [furthest(forward, size), furthest(backward, size)]
  return ahead.x + ahead.y >= back.x + back.y ? ahead : mirrored(back)
}

function searchWith(same: Search['same']): Search {
  return { reached: new Int32Array(2 * ROUNDS + 3).fill(-1), same }
}

/**
 * Allows a search one more difference. Answers where it met the other one, else null. Diagonals outside
 * both sequences, and those that can get no further, are not looked at.
 */
function advance(search: Search, other: Search, size: Point, round: number): Point | null {
  const { reached, same } = search
  const least = -round + 2 * Math.max(0, round - size.y)
  const most = round - 2 * Math.max(0, round - size.x)
  for (let diagonal = least; diagonal <= most; diagonal += 2) {
    const right = reached[indexOf(diagonal - 1)] ?? -1
    const down = reached[indexOf(diagonal + 1)] ?? -1
    const isDown = diagonal === -round || (diagonal !== round && right < down)
    let x = isDown ? Math.max(0, down) : right + 1
    while (x < size.x && x - diagonal < size.y && same(x, x - diagonal)) x += 1
    reached[indexOf(diagonal)] = x
    const opposite = other.reached[indexOf(size.x - size.y - diagonal)] ?? -1
    if (opposite >= 0 && x + opposite >= size.x) return { x, y: x - diagonal }
  }
  return null
}

/** Where a search came the longest way, when looking for the shortest takes too long. */
function furthest({ reached }: Search, size: Point): Point {
  let best: Point = { x: 0, y: 0 }
  for (let diagonal = -ROUNDS; diagonal <= ROUNDS; diagonal += 1) {
    const come = reached[indexOf(diagonal)] ?? -1
    const x = Math.min(come, size.x, size.y + diagonal)
    if (come >= 0 && 2 * x - diagonal > best.x + best.y) best = { x, y: x - diagonal }
  }
  return best
}
