import { type BlockTree, createKeywordMatcher, type Place, textBlocks } from './keyword-use.ts'

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

export type HeadingTree<N> = BlockTree<N> & { isHeading(block: N): boolean }

export function createKeywordPlaces<N extends object>(
  keywords: readonly string[],
  tree: HeadingTree<N>,
): KeywordPlaces<N> {
  const matcher = createKeywordMatcher(keywords)
  const found = new WeakMap<N, readonly Place[]>()
  let searchedBlocks = 0
  let complete = createCounts(keywords.length)
  let document: N | null = null
  /** The reading that was interrupted. */
  let pass: { document: N; rest: Iterator<N>; counts: Counts } | null = null

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
      const counts = createCounts(keywords.length)
      pass = { document: next, rest: textBlocks(tree, next), counts }
    }
    const { rest, counts } = pass
    for (let step = rest.next(); !step.done; step = rest.next()) {
      counts.add(placesIn(step.value), tree.isHeading(step.value))
      if (!mayContinue()) return false
    }
    ;[document, complete, pass] = [next, counts, null]
    return true
  }

  return {
    update,
    placesIn,
    count: (index) => complete.count(index),
    get total() {
      return complete.total()
    },
    get searchedBlocks() {
      return searchedBlocks
    },
  }
}

type Counts = ReturnType<typeof createCounts>

function createCounts(keywords: number) {
  const places = new Uint32Array(keywords)
  const inHeadings = new Uint32Array(keywords)
  const mostInBlock = new Uint32Array(keywords)
  const inBlock = new Uint32Array(keywords)
  let total = 0
  return {
    add(found: readonly Place[], isHeading: boolean): void {
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
