import {
  type ArticleDocument,
  type ArticleText,
  asDocument,
  normalForm,
} from '../../domain/document.ts'
import type { Row } from './alignment.ts'
import { treeOf } from './build.ts'
import { doublesIn } from './doubles.ts'
import { keyOf, type Leaf, leavesOf } from './leaves.ts'
import { type Aligned, withoutContestedMoves } from './moves.ts'
import { regionsOf, type Sided } from './regions.ts'
import { shares } from './shares.ts'
import { mergeText } from './text.ts'
import { noteRenames, type Renames } from './token-merge.ts'
import { tokensOf } from './tokens.ts'

/** `conflict` when both sides changed the same place, so that somebody should look at it. */
export type Merge = { document: ArticleDocument; conflict: boolean }

/**
 * Merges two texts that grew from `base`. Every word that either side added is in the result, and every word of
 * `base` that neither side removed; a conflict may undo a removal, never an addition. The result is a document
 * that the editor and the server take. Pure and deterministic; `theirs` is the server's and comes first.
 */
export function merge3(base: ArticleText, mine: ArticleText, theirs: ArticleText): Merge {
  const rowOf = createRows()
  const [o, a, b] = [rowOf(base), rowOf(mine), rowOf(theirs)]
  if (isSame(a, o) || isSame(a, b)) return { document: normalForm(theirs), conflict: false }
  if (isSame(b, o)) return { document: normalForm(mine), conflict: false }
  const { leaves, conflict, renames } = mergeRows(o, ...withoutContestedMoves(o, a, b))
  const content = treeOf(leaves, renames)
  return { document: normalForm(content.length > 0 ? { type: 'doc', content } : {}), conflict }
}

/** Equal blocks of the rows that it makes have equal keys. */
function createRows(): (text: ArticleText) => Row {
  const known = new Map<string, number>()
  return (text) => {
    const leaves = leavesOf(asDocument(text))
    const keys = Int32Array.from(leaves, (leaf) => {
      const name = keyOf(leaf)
      const key = known.get(name) ?? known.size
      known.set(name, key)
      return key
    })
    return { leaves, keys }
  }
}

const isSame = ({ keys }: Row, other: Row): boolean =>
  keys.length === other.keys.length && keys.every((key, place) => key === other.keys[place])

type MergedRow = { leaves: Leaf[]; conflict: boolean; renames: Renames }

/** Blocks that one side changed are that side's; those that both changed are merged word by word. */
function mergeRows(
  base: Row,
  { row: mine, ...left }: Aligned,
  { row: theirs, ...right }: Aligned,
): MergedRow {
  const renames: Renames = new Map()
  const runs = { mine: mine.leaves, theirs: theirs.leaves }
  const runOf = ({ side, from, to }: Sided) => tokensOf(runs[side].slice(from, to))
  const touching = (end: number, group: Sided[], next: Sided): boolean =>
    (next.end === end && group.some(({ at }) => at === end)) ||
    group.some((hunk) => hunk.side !== next.side && shares(runOf(hunk), runOf(next)))
  const parts = regionsOf(base.keys.length, left.hunks, right.hunks, touching).map(
    ({ changed, ...ranges }) => {
      const o = base.leaves.slice(...ranges.base)
      const a = mine.leaves.slice(...ranges.mine)
      const b = theirs.leaves.slice(...ranges.theirs)
      if (changed === 'both') return { changed, o, a, b, ...mergeText(o, a, b, renames) }
      noteRenames(o, a, b, renames)
      return { changed, o, a, b, leaves: changed === 'mine' ? a : b, conflict: false }
    },
  )
  const changed = parts.filter((part) => part.changed !== 'nobody')
  const double = doublesIn(
    changed.flatMap(({ leaves }) => leaves),
    changed.flatMap(({ o }) => o),
    [changed.flatMap(({ a }) => a), changed.flatMap(({ b }) => b)],
  )
  return {
    leaves: parts.flatMap(({ leaves }) => leaves).flatMap((leaf) => double.get(leaf) ?? [leaf]),
    conflict: parts.some(({ conflict }) => conflict),
    renames,
  }
}
