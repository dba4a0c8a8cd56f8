import { diffNumbers } from '../../domain/text/diff.ts'

/** For each item of the base its place in a side, or NONE where the side no longer has it. Rising. */
export type Matches = Int32Array
export const NONE = -1

/** The whole numbers from `from` up to `to`, which is not among them. */
export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, step) => from + step)

/** Each a row of items; `match` finds those of one row in another. */
export type Match<Row> = (from: Row, to: Row) => Matches

/**
 * Matches both sides to the base. Where the way from the base to one side is as short over the other side, the one has
 * what the other changed, and it is matched through it: so a change that a side has already is found there, whatever
 * its words repeat. Deterministic.
 */
export function alignBoth<Row extends { length: number }>(
  base: Row,
  mine: Row,
  theirs: Row,
  match: Match<Row>,
): { mine: Matches; theirs: Matches } {
  const [ours, others] = [match(base, mine), match(base, theirs)]
  const [left, right] = [editsOf(ours, mine), editsOf(others, theirs)]
  if (left === 0 || right === 0) return { mine: ours, theirs: others }
  const across = match(mine, theirs)
  const between = editsOf(across, theirs)
  if (left + between <= right) return { mine: ours, theirs: through(ours, across) }
  if (right + between <= left)
    return { mine: through(others, inverse(across, theirs.length)), theirs: others }
  return { mine: ours, theirs: others }
}

/** Adds an item to the list that a map has for a key. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

/** By the shortest edit script. */
export function matchNumbers(base: Int32Array, side: Int32Array): Matches {
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

/** How many items were removed and added. */
function editsOf(matches: Matches, side: { length: number }): number {
  let kept = 0
  for (const place of matches) if (place !== NONE) kept += 1
  return matches.length + side.length - 2 * kept
}

export const through = (first: Matches, second: Matches): Matches =>
  first.map((place) => second[place] ?? NONE)

export function inverse(matches: Matches, length: number): Matches {
  const holders = new Int32Array(length).fill(NONE)
  for (let at = 0; at < matches.length; at += 1) {
    const place = matches[at] ?? NONE
    if (place !== NONE) holders[place] = at
  }
  return holders
}
