import {
  type ArticleDocument,
  type ArticleText,
  asDocument,
  normalForm,
} from '../../domain/text/document.ts'
import { type Addresses, createAddresses } from './addresses.ts'
import { alignBoth, matchNumbers, NONE } from './align.ts'
import { treeOf } from './build.ts'
import type { WordSearch } from './clashes.ts'
import { type Leaf, leavesOf } from './leaves.ts'
import { mendRuns } from './mend.ts'
import { type BothWrote, type MergedBlock, type MergedText, mergeWords } from './merge-words.ts'
import { orderAfter, type Row, type Unmoved, withoutMoves } from './moves.ts'
import { noteRenames, type Renames } from './token-merge.ts'
import { type Token, textsIn, tokensOf } from './tokens.ts'
import type { KnownRuns, TypedRuns } from './typed.ts'

export type { BothWrote } from './merge-words.ts'

/**
 * Optional information about the two sides. `mine`, `theirs`: the runs that the writer of the side typed. `isByAnother`:
 * `theirs` contains no edits that the writer of `mine` made after the base.
 */
export type KnownWriters = { [side in 'mine' | 'theirs']?: readonly string[] | undefined } & {
  isByAnother?: boolean
}

/** `conflict` when both sides changed the same place, so that a writer should look at it; `both`: where both wrote. */
export type Merge = { document: ArticleDocument; conflict: boolean; both: BothWrote[] }

/**
 * Merges two texts that grew from `base`. Every word that either side added is in the result, and every word of `base`
 * that neither side removed; a conflict may undo a removal, never an addition. Every address that a writer set is in
 * the result, except where both set different ones on the same words: there it has that of `theirs`. What `theirs` has
 * of `mine` already is not added a second time. The result is a document that the editor and the server accept. Pure,
 * deterministic and bounded in time; `theirs` is the server's and comes first. Typed runs are never matched to words of the
 * base. If the base contains the beginning of a run of `mine`, the rest of the run is inserted directly after it.
 *
 * Blocks that a side moved are first returned to their places, so that both texts are in the order of the base; they
 * are merged place by place, and the moves are then made with the result.
 */
export function merge3(
  base: ArticleText,
  mine: ArticleText,
  theirs: ArticleText,
  known: KnownWriters = {},
): Merge {
  const addresses = createAddresses()
  const rowOf = createRows(addresses)
  const [o, a, b] = [rowOf(base), rowOf(mine), rowOf(theirs)]
  if (isSame(a, o) || isSame(a, b)) return unchanged(theirs)
  if (isSame(b, o)) return unchanged(mine)
  const left = withoutMoves(o, a, null)
  const right = withoutMoves(o, b, left)
  const renames: Renames = new Map()
  const written = new Set<Token>()
  const { blocks, conflict, both } = mergeRows(o, left, right, {
    renames,
    written,
    known: { ...known, mine: wordsOf(known.mine), theirs: wordsOf(known.theirs) },
  })
  const { leaves, isMissing } = moved(blocks, o.leaves.length, left, right)
  const isTorn = mendRuns(leaves, [b.leaves, a.leaves], written)
  const content = treeOf(leaves, renames, addresses)
  return {
    document: normalForm(content.length > 0 ? { type: 'doc', content } : {}),
    conflict: conflict || isMissing || isTorn,
    both,
  }
}

const wordsOf = (runs: readonly string[] = []): TypedRuns =>
  runs.map(textsIn).filter(({ length }) => length > 0)

const unchanged = (text: ArticleText): Merge => ({
  document: normalForm(text),
  conflict: false,
  both: [],
})

/** Equal blocks of the rows that it makes have equal keys. */
function createRows(addresses: Addresses): (text: ArticleText) => Row {
  // Two levels, because a combined key would copy the text of each block.
  const kinds = new Map<string, Map<string, number>>()
  let count = 0
  return (text) => {
    const leaves = leavesOf(asDocument(text), addresses)
    const keys = Int32Array.from(leaves, ({ shape, place, content }) => {
      const kind = place === '' ? shape : `${shape}/${place}`
      const known = kinds.get(kind) ?? new Map<string, number>()
      if (known.size === 0) kinds.set(kind, known)
      const key = known.get(content) ?? count++
      known.set(content, key)
      return key
    })
    return { leaves, keys }
  }
}

const isSame = ({ keys }: Row, other: Row): boolean =>
  keys.length === other.keys.length && keys.every((key, place) => key === other.keys[place])

const PARTS = ['base', 'mine', 'theirs'] as const
type Part = (typeof PARTS)[number]

/** A place in each of the three rows. */
type Places = Record<Part, number>

/** What the merge of each part notes for the whole: containers that were changed, and what either side put in. */
type Notes = {
  renames: Renames
  written: Set<Token>
  known: KnownRuns
}

/** Blocks that one side changed are that side's; those that both changed are merged word by word. */
function mergeRows(base: Row, mine: Unmoved, theirs: Unmoved, notes: Notes): MergedText {
  const matches = alignBoth(base.keys, mine.keys, theirs.keys, matchNumbers)
  const blocks: MergedBlock[] = []
  const both: BothWrote[] = []
  let conflict = false
  let start: Places = { base: 0, mine: 0, theirs: 0 }
  const mergeUntil = (end: Places): void => {
    const isEmpty = PARTS.every((part) => start[part] === end[part])
    if (isEmpty) return
    const merged = mergeStretch(stretchOf(base, mine, theirs, start, end), notes)
    for (const { leaf, origin } of merged.blocks) {
      blocks.push({ leaf, origin: origin === NONE ? NONE : start.base + origin })
    }
    conflict ||= merged.conflict
    both.push(...merged.both)
  }
  for (const [at, leaf] of base.leaves.entries()) {
    const [left, right] = [matches.mine[at] ?? NONE, matches.theirs[at] ?? NONE]
    if (left === NONE || right === NONE) continue
    const isNext = start.base === at && start.mine === left && start.theirs === right
    // Without words it may be another one.
    if (leaf.text === '' && !isNext) continue
    mergeUntil({ base: at, mine: left, theirs: right })
    blocks.push({ leaf: theirs.leaves[right] ?? leaf, origin: at })
    start = { base: at + 1, mine: left + 1, theirs: right + 1 }
  }
  mergeUntil({
    base: base.leaves.length,
    mine: mine.leaves.length,
    theirs: theirs.leaves.length,
  })
  return { blocks, conflict, both }
}

/** What lies between two blocks that all three texts have. */
type Stretch = Record<Part, Row> & {
  hasWordsOf: Record<'mine' | 'theirs', WordSearch>
  hasMoves: boolean
}

function stretchOf(base: Row, mine: Unmoved, theirs: Unmoved, start: Places, end: Places): Stretch {
  const partOf = ({ leaves, keys }: Row, part: Part): Row => ({
    leaves: leaves.slice(start[part], end[part]),
    keys: keys.subarray(start[part], end[part]),
  })
  return {
    base: partOf(base, 'base'),
    mine: partOf(mine, 'mine'),
    theirs: partOf(theirs, 'theirs'),
    hasWordsOf: { mine: mine.hasWordsOf, theirs: theirs.hasWordsOf },
    hasMoves: mine.moves.length + theirs.moves.length > 0,
  }
}

function mergeStretch(
  { base, mine, theirs, hasWordsOf, hasMoves }: Stretch,
  notes: Notes,
): MergedText {
  const taken = isSame(theirs, base) ? mine : isSame(mine, base) ? theirs : null
  if (taken && hasMoves && base.leaves.length === 0)
    for (const token of tokensOf(taken.leaves)) notes.written.add(token)
  // Where blocks move, each block of the result has to know the one of the base that it was.
  const isWhole = !hasMoves || base.leaves.length === 0
  if (!taken || !isWhole)
    return mergeWords(base.leaves, mine.leaves, theirs.leaves, { hasWordsOf, ...notes })
  noteRenames(base.leaves, mine.leaves, theirs.leaves, notes.renames)
  const blocks = taken.leaves.map((leaf) => ({ leaf, origin: NONE }))
  return { blocks, conflict: false, both: [] }
}

/** Makes the moves of both sides; a block that the base has not follows the one that it follows now. */
function moved(blocks: MergedBlock[], length: number, mine: Unmoved, theirs: Unmoved) {
  const moves = [...theirs.moves, ...mine.moves]
  if (moves.length === 0) return { leaves: blocks.map(({ leaf }) => leaf), isMissing: false }
  const units: Leaf[][] = Array.from({ length: length + 1 }, () => [])
  let unit = NONE
  for (const { leaf, origin } of blocks) {
    if (origin !== NONE) unit = origin
    units[unit + 1]?.push(leaf)
  }
  const order = [NONE, ...orderAfter(length, theirs.moves, mine.moves)]
  return {
    leaves: order.flatMap((place) => units[place + 1] ?? []),
    isMissing: moves.some(({ place }) => units[place + 1]?.length === 0),
  }
}
