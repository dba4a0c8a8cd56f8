import type { Hunk } from '../../domain/diff.ts'

/** A range in each of the three sequences. */
export type Region = {
  base: Range
  mine: Range
  theirs: Range
  changed: 'nobody' | 'mine' | 'theirs' | 'both'
}
export type Range = [from: number, to: number]

export type Sided = Hunk & { side: 'mine' | 'theirs' }
/** Whether `next`, which begins exactly where the region so far ends, belongs to it. */
type Touching = (end: number, so: Sided[], next: Sided) => boolean

/** Both edit scripts over one base as a row of regions that covers all three sequences, in order. */
export function regionsOf(
  length: number,
  mine: Hunk[],
  theirs: Hunk[],
  touching: Touching,
): Region[] {
  const hunks = [
    ...mine.map((hunk): Sided => ({ ...hunk, side: 'mine' })),
    ...theirs.map((hunk): Sided => ({ ...hunk, side: 'theirs' })),
  ].sort((a, b) => a.at - b.at || a.end - b.end)
  const regions: Region[] = []
  const past = { base: 0, mine: 0, theirs: 0 }
  const add = (end: number, hunksIn: Sided[]): void => {
    const ends = { mine: endIn('mine'), theirs: endIn('theirs') }
    function endIn(side: 'mine' | 'theirs'): number {
      const last = hunksIn.findLast((hunk) => hunk.side === side)
      return last ? last.to + end - last.end : past[side] + end - past.base
    }
    regions.push({
      base: [past.base, end],
      mine: [past.mine, ends.mine],
      theirs: [past.theirs, ends.theirs],
      changed: changedBy(hunksIn),
    })
    Object.assign(past, ends, { base: end })
  }
  for (let index = 0; index < hunks.length; ) {
    const group: Sided[] = []
    let [start, end] = [hunks[index]?.at ?? 0, hunks[index]?.at ?? 0]
    if (start > past.base) add(start, [])
    for (let next = hunks[index]; next !== undefined; next = hunks[index]) {
      const isApart = next.at > end || (next.at === end && !touching(end, group, next))
      if (group.length > 0 && isApart) break
      group.push(next)
      end = Math.max(end, next.end)
      index += 1
    }
    start = end
    add(start, group)
  }
  if (past.base < length) add(length, [])
  return regions
}

function changedBy(hunks: Sided[]): Region['changed'] {
  const isMine = hunks.some(({ side }) => side === 'mine')
  const isTheirs = hunks.some(({ side }) => side === 'theirs')
  if (isMine && isTheirs) return 'both'
  return isMine ? 'mine' : isTheirs ? 'theirs' : 'nobody'
}
