import type { DocumentNode } from './document.ts'
import {
  type BlockTree,
  createKeywordMatcher,
  documentTree,
  type Place,
  type Range,
  textBlocks,
} from './keyword-use.ts'

/**
 * Where a document uses its keywords and how often. Numbers, marks and the way from place to place are one search of
 * the matcher, so they cannot disagree. It runs in idle time, never in the transaction of a key, and code for it is
 * loaded on demand.
 */
export type KeywordPlaces<N> = {
  /**
   * Reads the document and returns whether its end was reached. `mayContinue` is asked after each text block; after
   * false, the next call continues with the same document or begins with another one. Numbers and places are those of
   * the last document that was read to its end. Only blocks that were never read are searched.
   */
  update(document: N, mayContinue: () => boolean): boolean
  count(index: number): KeywordCount
  /** Places of one keyword in the order of the document. */
  placesOf(index: number): DocumentPlace<N>[]
  /** Places of all keywords in one text block, of whatever document, ascending: its marks. */
  placesIn(block: N): readonly Place[]
  /** Places of all keywords in the document. */
  readonly total: number
  /** Text blocks searched so far. */
  readonly searchedBlocks: number
}

export type KeywordCount = {
  places: number
  inHeadings: number
  /** The largest number of places in one text block. */
  mostInBlock: number
}

/** `at` is the number of text blocks before `block`, which may occur in a document more than once. */
export type DocumentPlace<N> = Range & { block: N; at: number }

export type HeadingTree<N> = BlockTree<N> & { isHeading(block: N): boolean }

export const documentHeadingTree: HeadingTree<DocumentNode> = {
  ...documentTree,
  isHeading: ({ type }) => type === 'heading',
}

export function createKeywordPlaces<N extends object>(
  keywords: readonly string[],
  tree: HeadingTree<N>,
): KeywordPlaces<N> {
  const matcher = createKeywordMatcher(keywords)
  const found = new WeakMap<N, readonly Place[]>()
  let searchedBlocks = 0
  let complete = createCounts<N>(keywords.length)
  let document: N | null = null
  /** The reading that was interrupted. */
  let pass: { document: N; rest: Iterator<N>; counts: Counts<N> } | null = null

  function placesIn(block: N): readonly Place[] {
    const known = found.get(block)
    if (known) return known
    searchedBlocks += 1
    const places = matcher.places(tree.blockText(block))
    found.set(block, places)
    return places
  }

  function update(next: N, mayContinue: () => boolean): boolean {
    if (next === document) {
      pass = null
      return true
    }
    if (pass?.document !== next) {
      const counts = createCounts<N>(keywords.length)
      pass = { document: next, rest: textBlocks(tree, next), counts }
    }
    const { rest, counts } = pass
    for (let step = rest.next(); !step.done; step = rest.next()) {
      counts.add(step.value, placesIn(step.value), tree.isHeading(step.value))
      if (!mayContinue()) return false
    }
    ;[document, complete, pass] = [next, counts, null]
    return true
  }

  return {
    update,
    placesIn,
    count: (index) => complete.count(index),
    placesOf: (index) =>
      complete.blocks.flatMap((block, at) =>
        placesIn(block)
          .filter((place) => place.index === index)
          .map(({ from, to }) => ({ block, at, from, to })),
      ),
    get total() {
      return complete.total()
    },
    get searchedBlocks() {
      return searchedBlocks
    },
  }
}

type Counts<N> = ReturnType<typeof createCounts<N>>

function createCounts<N>(keywords: number) {
  const places = new Uint32Array(keywords)
  const inHeadings = new Uint32Array(keywords)
  const mostInBlock = new Uint32Array(keywords)
  const inBlock = new Uint32Array(keywords)
  const blocks: N[] = []
  let total = 0
  return {
    /** In the order of the document. */
    blocks,
    add(block: N, found: readonly Place[], isHeading: boolean): void {
      blocks.push(block)
      total += found.length
      for (const { index } of found) {
        const count = (inBlock[index] ?? 0) + 1
        inBlock[index] = count
        places[index] = (places[index] ?? 0) + 1
        if (isHeading) inHeadings[index] = (inHeadings[index] ?? 0) + 1
        if (count > (mostInBlock[index] ?? 0)) mostInBlock[index] = count
      }
      for (const { index } of found) inBlock[index] = 0
    },
    count: (index: number): KeywordCount => ({
      places: places[index] ?? 0,
      inHeadings: inHeadings[index] ?? 0,
      mostInBlock: mostInBlock[index] ?? 0,
    }),
    total: () => total,
  }
}
