import { diff3MergeRegions } from 'node-diff3'
import { isTextBlock, plainText } from '../../domain/article-text.ts'
import { canonicalJson } from '../../domain/canonical.ts'
import {
  type ArticleDocument,
  type ArticleText,
  type DocumentNode,
  normalForm,
} from '../../domain/document.ts'

/** `conflict` when both sides changed the same place, so that somebody should look at it. */
export type Merge = { document: ArticleDocument; conflict: boolean }

/**
 * Merges two texts that grew from `base`. Every word that either side added is in the result, and every
 * word of `base` that neither side removed; where both changed the same blocks, a removal may be undone.
 * Pure and deterministic. Compares whole blocks: word by word, common words would make it quadratic.
 */
export function merge3(base: ArticleText, mine: ArticleText, theirs: ArticleText): Merge {
  const [origin, left, right] = [blocksOf(base), blocksOf(mine), blocksOf(theirs)]
  if (sameRun(left, origin)) return whole(right)
  if (sameRun(right, origin) || sameRun(left, right)) return whole(left)
  const merged: Block[] = []
  let conflict = false
  for (const region of diff3MergeRegions(keysOf(left), keysOf(origin), keysOf(right))) {
    if (region.stable) {
      const source = { a: left, o: origin, b: right }[region.buffer]
      merged.push(...source.slice(region.bufferStart, region.bufferStart + region.bufferLength))
      continue
    }
    const resolved = mergeRuns(
      origin.slice(region.oStart, region.oStart + region.oLength),
      left.slice(region.aStart, region.aStart + region.aLength),
      right.slice(region.bStart, region.bStart + region.bLength),
    )
    merged.push(...resolved.run)
    conflict ||= resolved.conflict
  }
  return { ...whole(merged), conflict }
}

/** Equal keys are equal blocks. */
type Block = { key: string; node: DocumentNode }
type Run = { run: Block[]; conflict: boolean }

const blocksOf = (text: ArticleText): Block[] =>
  normalForm(text).content.map((node) => ({ key: canonicalJson(node), node }))

const keysOf = (run: Block[]): string[] => run.map(({ key }) => key)

const sameRun = (a: Block[], b: Block[]): boolean =>
  a.length === b.length && a.every(({ key }, at) => key === b[at]?.key)

function whole(run: Block[]): Merge {
  const content = run.map(({ node }) => node)
  return {
    document: normalForm({ type: 'doc', content: content.length > 0 ? content : [EMPTY] }),
    conflict: false,
  }
}

const EMPTY: DocumentNode = { type: 'paragraph' }

/**
 * Blocks that stand for each other are merged one by one, from both ends: all of them when the three runs
 * are equally long, else those that only one side edited. What is left in the middle is one place.
 */
function mergeRuns(origin: Block[], mine: Block[], theirs: Block[]): Run {
  const shortest = Math.min(origin.length, mine.length, theirs.length)
  const isAligned = mine.length === origin.length && theirs.length === origin.length
  const pairs = (from: 'start' | 'end', limit: number): number => {
    let count = 0
    while (count < limit && isSamePlace(...placeAt(from, count, origin, mine, theirs))) count += 1
    return count
  }
  const head = isAligned ? shortest : pairs('start', shortest)
  const tail = isAligned ? 0 : pairs('end', shortest - head)
  const middle = (run: Block[]) => run.slice(head, run.length - tail)
  const parts = [
    ...origin
      .slice(0, head)
      .map((_, at) => mergeRun(...placeAt('start', at, origin, mine, theirs))),
    mergeRun(middle(origin), middle(mine), middle(theirs)),
    ...origin
      .slice(origin.length - tail)
      .map((_, at) => mergeRun(...placeAt('end', tail - 1 - at, origin, mine, theirs))),
  ]
  return {
    run: parts.flatMap(({ run }) => run),
    conflict: parts.some(({ conflict }) => conflict),
  }
}

type Place = [origin: Block[], mine: Block[], theirs: Block[]]

/** The `at`th block of all three, counted from one end. */
function placeAt(from: 'start' | 'end', at: number, ...runs: Place): Place {
  const pick = (run: Block[]): Block[] => {
    const index = from === 'start' ? at : run.length - 1 - at
    return run.slice(index, index + 1)
  }
  return [pick(runs[0]), pick(runs[1]), pick(runs[2])]
}

/** One side left the block alone and the other wrote into it or took words out. */
function isSamePlace(origin: Block[], mine: Block[], theirs: Block[]): boolean {
  const changed = sameRun(mine, origin) ? theirs : sameRun(theirs, origin) ? mine : null
  if (changed === null) return false
  const [before, after] = [wordsOf(origin), wordsOf(changed)]
  return isWithin(before, after) || isWithin(after, before)
}

/** A side that has all the words of the other stands for both; otherwise both are kept, the server's first. */
function mergeRun(origin: Block[], mine: Block[], theirs: Block[]): Run {
  if (sameRun(mine, origin) || sameRun(mine, theirs)) return { run: theirs, conflict: false }
  if (sameRun(theirs, origin)) return { run: mine, conflict: false }
  const [ours, others] = [wordsOf(mine), wordsOf(theirs)]
  if (isWithin(ours, others)) return { run: theirs, conflict: true }
  if (isWithin(others, ours)) return { run: mine, conflict: true }
  return { run: [...theirs, ...onlyIn(mine, [...theirs, ...origin])], conflict: true }
}

const wordsOf = (run: Block[]): string[] =>
  plainText({ type: 'doc', content: run.map(({ node }) => node) })
    .split(/\s+/u)
    .filter(Boolean)

/** Whether `some` stand in `all` in the same order. */
function isWithin(some: string[], all: string[]): boolean {
  let found = 0
  for (const word of all) if (word === some[found]) found += 1
  return found === some.length
}

/**
 * The blocks of `run` that say something of their own: no blank ones, and none that the other side has
 * or changed (its version of it stands already). A block written twice is missing only as often as it
 * stands in `known`.
 */
function onlyIn(run: Block[], known: Block[]): Block[] {
  const left = new Map<string, number>()
  for (const { key } of known) left.set(key, (left.get(key) ?? 0) + 1)
  return run.filter(({ key, node }) => {
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0 && !(isTextBlock(node) && wordsOf([{ key, node }]).length === 0)
  })
}
