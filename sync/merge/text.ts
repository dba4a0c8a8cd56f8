import { diffNumbers, type Hunk } from '../../domain/diff.ts'
import type { Leaf } from './leaves.ts'
import { regionsOf } from './regions.ts'
import { resolve } from './resolve.ts'
import { shares } from './shares.ts'
import { mergeTokens, type Renames } from './token-merge.ts'
import { BLOCK_KEY, blocksOf, createKeys, type Token, tokensOf } from './tokens.ts'

export type MergedText = { leaves: Leaf[]; conflict: boolean }

/** Blocks that both sides changed, merged word by word: splits and joins are edits like any other. */
export function mergeText(
  base: Leaf[],
  mine: Leaf[],
  theirs: Leaf[],
  renames: Renames,
): MergedText {
  const [o, a, b] = [tokensOf(base), tokensOf(mine), tokensOf(theirs)]
  const keysOf = createKeys()
  const [keys, mineKeys, theirKeys] = [keysOf(o), keysOf(a), keysOf(b)]
  const isRemoval = ({ at, end, from, to }: Hunk): boolean =>
    from === to && keys[at] === BLOCK_KEY && (end === keys.length || keys[end] === BLOCK_KEY)
  const ours = blockwise(diffNumbers(keys, mineKeys), keys, mineKeys)
  const others = blockwise(diffNumbers(keys, theirKeys), keys, theirKeys)
  const regions = regionsOf(keys.length, ours, others, (end, group, next) => {
    const runs = { mine: a, theirs: b }
    const run = runs[next.side].slice(next.from, next.to)
    const isSameAddition = group.some((hunk) => {
      return hunk.side !== next.side && shares(runs[hunk.side].slice(hunk.from, hunk.to), run)
    })
    if (isSameAddition) return true
    if (next.end > end) return false
    const isInside = group.some((hunk) => hunk.end === end && isRemoval(hunk)) && !run[0]?.leaf
    return isInside || group.some((hunk) => hunk.at === end)
  })
  const replaced = new Set([...replacedBy(others, ours, a), ...replacedBy(ours, others, b)])
  const isLeft = (token: Token): boolean => !replaced.has(token)
  const runs: Token[][] = []
  let conflict = false
  for (const region of regions) {
    const [left, right] = [a.slice(...region.mine), b.slice(...region.theirs)]
    if (region.changed === 'mine') runs.push(left)
    if (region.changed === 'theirs') runs.push(right)
    if (region.changed === 'nobody') {
      const same = o.slice(...region.base)
      runs.push(
        same.map((token, at) => mergeTokens(token, left[at] ?? token, right[at] ?? token, renames)),
      )
    }
    if (region.changed !== 'both') continue
    const outcome = resolve(left.filter(isLeft), right.filter(isLeft), keysOf)
    runs.push(outcome.run)
    conflict ||= outcome.conflict
  }
  return { leaves: blocksOf(runs.flat()), conflict }
}

/**
 * Words of the base that one side replaced and that stand on the other as they were, which changed nothing between
 * them: where both then added the same, only the additions are in conflict.
 */
function replacedBy(hunks: Hunk[], others: Hunk[], side: Token[]): Token[] {
  let next = 0
  let shift = 0
  return hunks.flatMap(({ at, end, from, to }) => {
    for (let hunk = others[next]; hunk && hunk.end <= at; hunk = others[next]) {
      shift = hunk.to - hunk.end
      next += 1
    }
    const isChanged = (others[next]?.at ?? end) < end
    if (from === to || isChanged) return []
    return side.slice(at + shift, end + shift).filter(({ leaf }) => !leaf)
  })
}

/**
 * An edit script in terms of blocks: where it can as well begin with a block it does, and blocks that were
 * removed are removed one by one, so that an edit in one of them keeps that one only.
 */
function blockwise(hunks: Hunk[], base: Int32Array, side: Int32Array): Hunk[] {
  let free = 0
  return hunks.flatMap((hunk, index) => {
    const room = [
      hunk.at - free - 1,
      (hunks[index + 1]?.at ?? base.length + 1) - hunk.end - 1,
    ] as const
    const shifted = shift(hunk, base, side, room)
    free = shifted.end
    return shifted.from === shifted.to ? removals(shifted, base) : [shifted]
  })
}

function shift(
  hunk: Hunk,
  base: Int32Array,
  side: Int32Array,
  room: readonly [number, number],
): Hunk {
  const isInsertion = hunk.at === hunk.end
  if (!isInsertion && hunk.from !== hunk.to) return hunk
  const [keys, from, to] = isInsertion
    ? ([side, hunk.from, hunk.to] as const)
    : ([base, hunk.at, hunk.end] as const)
  const by = stepsToBlock(keys, from, to, room)
  return { at: hunk.at + by, end: hunk.end + by, from: hunk.from + by, to: hunk.to + by }
}

function stepsToBlock(
  keys: Int32Array,
  from: number,
  to: number,
  [before, after]: readonly [number, number],
): number {
  let best = keys[from] === BLOCK_KEY ? 0 : null
  for (let by = 1; by <= before && keys[from - by] === keys[to - by]; by += 1) {
    if (keys[from - by] === BLOCK_KEY) best = -by
  }
  if (best !== null) return best
  for (let by = 1; by <= after && keys[from + by - 1] === keys[to + by - 1]; by += 1) {
    if (keys[from + by] === BLOCK_KEY) return by
  }
  return 0
}

function removals({ at, end, from, to }: Hunk, base: Int32Array): Hunk[] {
  if (base[at] !== BLOCK_KEY) return [{ at, end, from, to }]
  const starts: number[] = []
  for (let index = at; index < end; index += 1) if (base[index] === BLOCK_KEY) starts.push(index)
  return starts.map((start, index) => ({ at: start, end: starts[index + 1] ?? end, from, to }))
}
