import { type Alignment, align, likenesses, type Row } from './alignment.ts'

/**
 * A block that one side moved while the other wrote in it would stand twice: written on in its old place, and
 * in the new one. So such a move is taken back and the words merge in the old place; of two moves of one
 * block, the server's stays.
 */
export function withoutContestedMoves(base: Row, mine: Row, theirs: Row): [Aligned, Aligned] {
  const [left, right] = [mine, theirs].map((row) => ({ row, ...align(base, row) })) as [
    Aligned,
    Aligned,
  ]
  const ours = withoutMoves(base, left, right)
  return [ours, withoutMoves(base, right, ours)]
}

export type Aligned = Alignment & { row: Row }

function withoutMoves(base: Row, side: Aligned, other: Aligned): Aligned {
  const changed = other.hunks.flatMap(({ at, end }) => placesIn(side.moved, at, end))
  if (changed.length === 0) return side
  const fresh = other.hunks.flatMap(({ from, to }) =>
    Array.from({ length: to - from }, (_, step) => from + step),
  )
  const written = likenesses(base, changed, other.row, fresh, TRACE)
  const back = new Map([...side.moved].filter(([place]) => written.has(place)))
  if (back.size === 0) return side
  const row = putBack(side.row, side.stayed, back)
  return { row, ...align(base, row) }
}

/** Share of the words of a block that show that something of it is left. */
const TRACE = 0.2

const placesIn = (moved: Map<number, number>, at: number, end: number): number[] =>
  [...moved.keys()].filter((place) => place >= at && place < end)

/** `back` maps the old place of a block to the one that it has in `side` now. */
function putBack(side: Row, stayed: Map<number, number>, back: Map<number, number>): Row {
  const leaving = new Set(back.values())
  const after = new Map<number, number[]>()
  for (const [place, now] of [...back].sort(([a], [b]) => a - b)) {
    const before = Math.max(-1, ...[...stayed].filter(([old]) => old < place).map(([, is]) => is))
    after.set(before, [...(after.get(before) ?? []), now])
  }
  const order = [...(after.get(-1) ?? [])]
  for (const place of side.leaves.keys()) {
    if (!leaving.has(place)) order.push(place)
    order.push(...(after.get(place) ?? []))
  }
  return {
    leaves: order.flatMap((place) => side.leaves[place] ?? []),
    keys: Int32Array.from(order, (place) => side.keys[place] ?? 0),
  }
}
