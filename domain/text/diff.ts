/**
 * A shortest edit script after Myers ("An O(ND) Difference Algorithm and Its Variations", 1986) in linear space. Items
 * that occur in one sequence only are set aside first: they cannot match, and in prose they are most of what was typed.
 * Very different sequences are cut at the furthest point reached, so the cost stays bounded and only the result may be
 * longer than the shortest script.
 */

/** `base[at, end)` was replaced by `side[from, to)`; either may be empty. In order, never touching. */
export type Hunk = { at: number; end: number; from: number; to: number }

/** A place where two sequences differ: `before[from..to)` was replaced by `after[newFrom..newTo)`; one may be empty. */
export type Difference = { from: number; to: number; newFrom: number; newTo: number }

/** Where the sequences differ, in order; everything between is the same in both. Deterministic. */
export function diff(before: readonly string[], after: readonly string[]): Difference[] {
  const numbers = new Map<string, number>()
  return diffNumbers(numbered(before, numbers), numbered(after, numbers)).map(
    ({ at, end, from, to }) => ({ from: at, to: end, newFrom: from, newTo: to }),
  )
}

/** Equal strings get equal numbers, which are faster to compare. */
function numbered(items: readonly string[], numbers: Map<string, number>): Int32Array {
  return Int32Array.from(items, (item) => {
    const number = numbers.get(item) ?? numbers.size
    numbers.set(item, number)
    return number
  })
}

const COST_MAX = 1_024
/** Steps of one comparison of two rows, about 20 ms on a writer's device. Beyond them, cuts are made early. */
const STEPS_MAX = 4_000_000
const COST_MAX_LATE = 32

/**
 * Compares items given as numbers from 0 on: equal items have equal numbers. Memory grows with the largest number.
 * Deterministic.
 */
export function diffNumbers(base: Int32Array, side: Int32Array): Hunk[] {
  let head = 0
  const shorter = Math.min(base.length, side.length)
  while (head < shorter && base[head] === side[head]) head += 1
  let tail = 0
  while (tail < shorter - head && base[base.length - 1 - tail] === side[side.length - 1 - tail]) {
    tail += 1
  }
  const a = shared(base, head, base.length - tail, side, head, side.length - tail)
  const b = shared(side, head, side.length - tail, base, head, base.length - tail)
  const kept: Kept = {
    base: new Uint8Array(base.length).fill(1, 0, head).fill(1, base.length - tail),
    side: new Uint8Array(side.length).fill(1, 0, head).fill(1, side.length - tail),
  }
  new Search(a.keys, b.keys).run((x, y) => {
    kept.base[at(a.places, x)] = 1
    kept.side[at(b.places, y)] = 1
  })
  return hunksOf(kept)
}

const at = (values: Int32Array, index: number): number => values[index] ?? 0

type Kept = { base: Uint8Array; side: Uint8Array }
type Part = { keys: Int32Array; places: Int32Array }

/** The members of `one[from, to)` that the other part also has, and their positions. */
function shared(
  one: Int32Array,
  from: number,
  to: number,
  other: Int32Array,
  otherFrom: number,
  otherTo: number,
): Part {
  let largest = 0
  for (let index = otherFrom; index < otherTo; index += 1)
    largest = Math.max(largest, at(other, index))
  const isKnown = new Uint8Array(largest + 1)
  for (let index = otherFrom; index < otherTo; index += 1) isKnown[at(other, index)] = 1
  const places: number[] = []
  for (let index = from; index < to; index += 1) if (isKnown[at(one, index)]) places.push(index)
  return {
    keys: Int32Array.from(places, (place) => at(one, place)),
    places: Int32Array.from(places),
  }
}

function hunksOf({ base, side }: Kept): Hunk[] {
  const hunks: Hunk[] = []
  let x = 0
  let y = 0
  while (x < base.length || y < side.length) {
    if (base[x] === 1 && side[y] === 1) {
      x += 1
      y += 1
      continue
    }
    const hunk = { at: x, end: x, from: y, to: y }
    while (x < base.length && base[x] === 0) x += 1
    while (y < side.length && side[y] === 0) y += 1
    hunks.push({ ...hunk, end: x, to: y })
  }
  return hunks
}

type Box = { left: number; right: number; top: number; bottom: number }

/** Searches the longest path through a box from both corners at once and splits it where they meet. */
class Search {
  private readonly a: Int32Array
  private readonly b: Int32Array
  /** Furthest x on each diagonal x - y, from the top left and from the bottom right. */
  private readonly forward: Int32Array
  private readonly backward: Int32Array
  private readonly zero: number
  private steps = 0

  constructor(a: Int32Array, b: Int32Array) {
    this.a = a
    this.b = b
    this.zero = b.length + 1
    this.forward = new Int32Array(a.length + b.length + 3)
    this.backward = new Int32Array(a.length + b.length + 3)
  }

  /** Calls `match` for each pair that is kept. */
  run(match: (x: number, y: number) => void): void {
    const open: Box[] = [{ left: 0, right: this.a.length, top: 0, bottom: this.b.length }]
    for (let box = open.pop(); box !== undefined; box = open.pop()) {
      let { left, right, top, bottom } = box
      while (left < right && top < bottom && this.isSame(left, top)) match(left++, top++)
      while (left < right && top < bottom && this.isSame(right - 1, bottom - 1)) {
        match(--right, --bottom)
      }
      if (left === right || top === bottom) continue
      const [x, y] = this.meeting({ left, right, top, bottom })
      open.push({ left, right: x, top, bottom: y }, { left: x, right, top: y, bottom })
    }
  }

  private isSame(x: number, y: number): boolean {
    return this.a[x] === this.b[y]
  }

  private meeting(box: Box): [x: number, y: number] {
    const { left, right, top, bottom } = box
    const { forward, backward, zero } = this
    const [first, last] = [left - bottom, right - top]
    const isOdd = ((left - top - (right - bottom)) & 1) !== 0
    let [fromStart, toStart] = [left - top, left - top]
    let [fromEnd, toEnd] = [right - bottom, right - bottom]
    forward[zero + fromStart] = left
    backward[zero + fromEnd] = right
    for (let cost = 1; ; cost += 1) {
      if (fromStart > first) forward[zero + --fromStart - 1] = -1
      else fromStart += 1
      if (toStart < last) forward[zero + ++toStart + 1] = -1
      else toStart -= 1
      for (let diagonal = toStart; diagonal >= fromStart; diagonal -= 2) {
        const x = this.advance(diagonal, box)
        const isCrossed = isOdd && fromEnd <= diagonal && diagonal <= toEnd
        if (isCrossed && at(backward, zero + diagonal) <= x) return [x, x - diagonal]
      }
      if (fromEnd > first) backward[zero + --fromEnd - 1] = FAR
      else fromEnd += 1
      if (toEnd < last) backward[zero + ++toEnd + 1] = FAR
      else toEnd -= 1
      for (let diagonal = toEnd; diagonal >= fromEnd; diagonal -= 2) {
        const x = this.retreat(diagonal, box)
        const isCrossed = !isOdd && fromStart <= diagonal && diagonal <= toStart
        if (isCrossed && x <= at(forward, zero + diagonal)) return [x, x - diagonal]
      }
      this.steps += toStart - fromStart + toEnd - fromEnd
      const most = this.steps > STEPS_MAX ? COST_MAX_LATE : COST_MAX
      if (cost >= most) return this.furthest(fromStart, toStart, box)
    }
  }

  private advance(diagonal: number, { right, bottom }: Box): number {
    const index = this.zero + diagonal
    const [below, above] = [at(this.forward, index - 1), at(this.forward, index + 1)]
    let x = below >= above ? below + 1 : above
    while (x < right && x - diagonal < bottom && this.isSame(x, x - diagonal)) x += 1
    this.forward[index] = x
    return x
  }

  private retreat(diagonal: number, { left, top }: Box): number {
    const index = this.zero + diagonal
    const [below, above] = [at(this.backward, index - 1), at(this.backward, index + 1)]
    let x = below < above ? below : above - 1
    while (x > left && x - diagonal > top && this.isSame(x - 1, x - diagonal - 1)) x -= 1
    this.backward[index] = x
    return x
  }

  /** The point on the paths from the top left that is closest to the bottom right. */
  private furthest(from: number, to: number, { right, bottom }: Box): [x: number, y: number] {
    let best: [number, number] = [0, 0]
    for (let diagonal = from; diagonal <= to; diagonal += 2) {
      const x = Math.min(at(this.forward, this.zero + diagonal), right, bottom + diagonal)
      if (2 * x - diagonal > best[0] + best[1]) best = [x, x - diagonal]
    }
    return best
  }
}

const FAR = 2 ** 31 - 1
