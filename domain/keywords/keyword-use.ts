import { countWords, isTextBlock, textOfBlock } from '../text/article-text.ts'
import { kindAt, UNSPACED } from '../text/characters.ts'
import type { DocumentNode } from '../text/document.ts'
import { type BlockWords, readings, readKeyword } from './block-words.ts'
import { createPhraseScanner, type Phrase } from './keyword-scan.ts'

/**
 * Which keywords a text uses (spec section 4): the keyword as whole words of the same letters, or with one added 's'.
 * No letter, mark, digit or underscore may be next to it, but hyphens and apostrophes, and letters where one of the two
 * is of a script without spaces (Q40). Other forms do not count (Q41). A keyword never reaches into the next block.
 */
export type KeywordMatcher = {
  /** Both counts of the text of one block; hits as returned by `find`. */
  read(text: string): Tally
  /** Indexes of the keywords that are used in the text of one block, ascending. */
  find(text: string): number[]
  /** Places of all keywords in the text of one block, each from its first to its last letter, ascending. */
  places(text: string): Place[]
  /** Those of one keyword. */
  ranges(text: string, index: number): Range[]
}
/** Counts of one block: its words, and the keywords it uses, by index and ascending. */
export type Tally = { words: number; hits: readonly number[] }
export type Range = { from: number; to: number }
/** Where the keyword of this index is used. */
export type Place = Range & { index: number }

/**
 * Keywords form a tree of words, so that a search costs as much as the text is long, however many keywords there are.
 * The key of a branch is the gap before a word and the word.
 */
type Branch = { next: Map<string, Branch>; ends: End[] }
/** A keyword that ends here. `lead` and `trail` are apostrophes or hyphens around its words, mostly none. */
type End = { index: number; lead: string; trail: string }

export function createKeywordMatcher(keywords: readonly string[]): KeywordMatcher {
  const root: Branch = { next: new Map(), ends: [] }
  /** Only the keywords with an apostrophe or a hyphen at an end, which the scanner leaves out. */
  const edged: Branch = { next: new Map(), ends: [] }
  const phrases: Phrase[] = []
  for (const [index, keyword] of keywords.entries()) {
    const singular = readKeyword(keyword)
    if (singular.words.length === 0) continue
    for (const { words, gaps } of [singular, ...pluralsOf(singular)]) {
      const phrase = { index, words, gaps }
      plant(root, phrase)
      if (gaps[0] || gaps.at(-1)) plant(edged, phrase)
      else phrases.push(phrase)
    }
  }
  const scanner = createPhraseScanner(phrases)

  function read(text: string): Tally {
    const prose = scanner.read(text)
    if (prose === null) return { words: countWords(text), hits: findIn(root, text) }
    if (edged.next.size === 0) return prose
    const hits = new Set([...prose.hits, ...findIn(edged, text)])
    return { words: prose.words, hits: [...hits].sort((a, b) => a - b) }
  }

  return {
    read,
    find: (text) => [...read(text).hits],
    places: (text) => placesIn(root, text),
    ranges: (text, wanted) =>
      placesIn(root, text).flatMap(({ index, from, to }) => (index === wanted ? { from, to } : [])),
  }
}

/** Both readings of a text may have the same place. */
function placesIn(root: Branch, text: string): Place[] {
  const found: Place[] = []
  search(root, text, (place) => found.push(place))
  const distance = (a: Place, b: Place) => a.from - b.from || a.to - b.to || a.index - b.index
  return found.sort(distance).filter((place, at) => {
    const before = found[at - 1]
    return before === undefined || distance(before, place) !== 0
  })
}

function findIn(root: Branch, text: string): number[] {
  const found = new Set<number>()
  search(root, text, ({ index }) => found.add(index))
  return [...found].sort((a, b) => a - b)
}

/** Empty where a letter may follow. */
function pluralsOf({ words, gaps }: BlockWords): Pick<BlockWords, 'words' | 'gaps'>[] {
  if (gaps.at(-1)) return [{ words: [...words, 's'], gaps: [...gaps, ''] }]
  const last = words.at(-1)
  return isUnspaced(last) ? [] : [{ words: [...words.slice(0, -1), `${last}s`], gaps }]
}

const isUnspaced = (word = ''): boolean => (kindAt(word, 0) & UNSPACED) > 0

function plant(root: Branch, { index, words, gaps }: Phrase): void {
  let branch = root
  for (const [place, word] of words.entries()) {
    const key = place === 0 ? word : `${gaps[place]}${word}`
    const next = branch.next.get(key) ?? { next: new Map(), ends: [] }
    branch.next.set(key, next)
    branch = next
  }
  branch.ends.push({ index, lead: gaps[0] ?? '', trail: gaps.at(-1) ?? '' })
}

function search(root: Branch, text: string, report: (place: Place) => void): void {
  for (const block of readings(text)) searchWords(root, block, report)
}

function searchWords(root: Branch, block: BlockWords, report: (place: Place) => void): void {
  const { words, gaps, from, to } = block
  for (let first = 0; first < words.length; first += 1) {
    let branch = root.next.get(words[first] ?? '')
    for (let last = first; branch !== undefined; ) {
      for (const { index, lead, trail } of branch.ends) {
        if (!fits(block, lead, first, trail, last)) continue
        report({ index, from: from[first] ?? 0, to: to[last] ?? 0 })
      }
      last += 1
      branch = last < words.length ? branch.next.get(`${gaps[last]}${words[last]}`) : undefined
    }
  }
}

/** Whether `lead` and `trail` are around the words, with no other word next to those that needs a space. */
function fits(
  block: BlockWords,
  lead: string,
  first: number,
  trail: string,
  last: number,
): boolean {
  if (lead === '' && trail === '') return true
  const { words, gaps } = block
  const [before, after] = [gaps[first] ?? '', gaps[last + 1] ?? '']
  return (
    before.endsWith(lead) &&
    (lead === '' || first === 0 || before !== lead || isUnspaced(words[first - 1])) &&
    after.startsWith(trail) &&
    (trail === '' || last === words.length - 1 || after !== trail || isUnspaced(words[last + 1]))
  )
}

/** How a scorecard walks a document: the editor's nodes on the page, plain JSON elsewhere. Nodes must never change. */
export type BlockTree<N> = {
  children(node: N): readonly N[]
  isTextBlock(node: N): boolean
  /** Text of a text block; a hard break is '\n'. */
  blockText(node: N): string
}

const NO_NODES: readonly DocumentNode[] = []

export const documentTree: BlockTree<DocumentNode> = {
  children: (node) => node.content ?? NO_NODES,
  isTextBlock,
  blockText: textOfBlock,
}

/** The text blocks below a node, or the node, in the order of the document. */
export function* textBlocks<N>(tree: BlockTree<N>, node: N): Generator<N, void> {
  if (tree.isTextBlock(node)) yield node
  else for (const child of tree.children(node)) yield* textBlocks(tree, child)
}

export type ScorecardChange = {
  words: number
  /** Indexes of the keywords that became used or unused, ascending. */
  usedChanged: number[]
}

export type Scorecard<N> = {
  /** Updates to the next state of the document. */
  update(document: N): ScorecardChange
  readonly words: number
  isUsed(index: number): boolean
  /** Text blocks read so far: one for a keystroke, whatever the length of the document. */
  readonly scannedBlocks: number
}

/**
 * Word count and used keywords of a document that changes in small steps. The counts of a text block are cached with
 * the block, and states of a document share unchanged blocks: only the others are subtracted and added, so the cost of
 * a keystroke does not grow with the document.
 */
export function createScorecard<N extends object>(
  keywords: readonly string[],
  tree: BlockTree<N>,
): Scorecard<N> {
  const matcher = createKeywordMatcher(keywords)
  const tallies = new WeakMap<N, Tally>()
  const uses = createUses(keywords.length)
  let current: N | null = null
  let words = 0
  let scannedBlocks = 0

  function tallyOf(block: N): Tally {
    const known = tallies.get(block)
    if (known) return known
    scannedBlocks += 1
    const tally = matcher.read(tree.blockText(block))
    tallies.set(block, tally)
    return tally
  }

  function replace(old: N | null, next: N | null): void {
    const [was, is] = [old && tallyOf(old), next && tallyOf(next)]
    words += (is?.words ?? 0) - (was?.words ?? 0)
    // Most keys change no keyword.
    if (was && is && isSameList(was.hits, is.hits)) return
    if (was) uses.add(was.hits, -1)
    if (is) uses.add(is.hits, 1)
  }

  return {
    update(document) {
      reportChanges(tree, current, document, replace)
      current = document
      return { words, usedChanged: uses.takeChanged() }
    },
    get words() {
      return words
    },
    isUsed: uses.isUsed,
    get scannedBlocks() {
      return scannedBlocks
    },
  }
}

const UNTOUCHED = 2

/** In how many blocks each keyword is used. */
function createUses(size: number) {
  const uses = new Uint32Array(size)
  /** Keywords whose uses changed since the last take, and for each of them whether it was used before. */
  const touched: number[] = []
  const before = new Uint8Array(size).fill(UNTOUCHED)
  const isUsed = (index: number): boolean => (uses[index] ?? 0) > 0
  return {
    isUsed,
    add(hits: readonly number[], by: 1 | -1): void {
      for (const hit of hits) {
        if (before[hit] === UNTOUCHED) {
          before[hit] = isUsed(hit) ? 1 : 0
          touched.push(hit)
        }
        uses[hit] = (uses[hit] ?? 0) + by
      }
    },
    /** The keywords that became used or unused since the last take, ascending. */
    takeChanged(): number[] {
      const changed = touched.filter((index) => (before[index] === 1) !== isUsed(index))
      for (const index of touched.splice(0)) before[index] = UNTOUCHED
      return changed.sort((a, b) => a - b)
    },
  }
}

/** Reports each text block that is gone, new, or in the place of another one. */
function reportChanges<N>(
  tree: BlockTree<N>,
  old: N | null,
  next: N | null,
  report: (old: N | null, next: N | null) => void,
): void {
  if (old === next) return
  const wasText = old !== null && tree.isTextBlock(old)
  const isText = next !== null && tree.isTextBlock(next)
  if (wasText && isText) report(old, next)
  else if (old === null || next === null || wasText || isText) {
    if (old !== null) for (const block of textBlocks(tree, old)) report(block, null)
    if (next !== null) for (const block of textBlocks(tree, next)) report(null, block)
  } else {
    const [before, after] = [tree.children(old), tree.children(next)]
    const { start, oldEnd, nextEnd } = changedChildren(before, after)
    for (let index = start; index < Math.max(oldEnd, nextEnd); index += 1) {
      const was = index < oldEnd ? before[index] : null
      const is = index < nextEnd ? after[index] : null
      reportChanges(tree, was ?? null, is ?? null, report)
    }
  }
}

const isSameList = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, at) => value === b[at])

/** The children that differ between both states, without those shared at either end. */
function changedChildren<N>(old: readonly N[], next: readonly N[]) {
  let [start, oldEnd, nextEnd] = [0, old.length, next.length]
  const shared = Math.min(oldEnd, nextEnd)
  while (start < shared && old[start] === next[start]) start += 1
  while (oldEnd > start && nextEnd > start && old[oldEnd - 1] === next[nextEnd - 1]) {
    oldEnd -= 1
    nextEnd -= 1
  }
  return { start, oldEnd, nextEnd }
}
