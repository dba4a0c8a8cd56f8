import { alignBoth, type Items, type Matches, NONE } from './alignment.ts'
import type { Leaf } from './leaves.ts'
import { resolve } from './resolve.ts'
import { mergeTokens, type Renames } from './token-merge.ts'
import {
  BLOCK_KEY,
  blockOf,
  createKeys,
  headOf,
  isWord,
  linesOf,
  type Token,
  tokensOf,
} from './tokens.ts'

/** `origin` is the place in the base of the block that this one grew from, NONE for a new block. */
export type MergedBlock = { leaf: Leaf; origin: number }
export type MergedText = { blocks: MergedBlock[]; conflict: boolean }

/** Whether a block of a side, wherever it is, has all words of this one in their order. */
export type WordSearch = (leaf: Leaf) => boolean

/**
 * Merges blocks that both sides changed, word by word: splits and joins are edits like any other. Each word that a side
 * added is in the result once, each word of the base that both kept is in it once. A block that one side removed and the
 * other wrote in stays as the other has it.
 */
export function mergeText(
  base: Leaf[],
  mine: Leaf[],
  theirs: Leaf[],
  hasWordsOf: { mine: WordSearch; theirs: WordSearch },
  renames: Renames,
): MergedText {
  const [o, a, b] = [tokensOf(base), tokensOf(mine), tokensOf(theirs)]
  const keysOf = createKeys()
  const matches = alignBoth(keysOf(o), keysOf(a), keysOf(b), ITEMS)
  const shared = [...matches.added.entries()].filter(([, other]) => other !== NONE)
  const left = sideOf(a, matches.mine, new Set(shared.map(([place]) => place)))
  const right = sideOf(b, matches.theirs, new Set(shared.map(([, other]) => other)))
  const restored = new Set([
    ...restoredIn(o, left, right, hasWordsOf.mine),
    ...restoredIn(o, right, left, hasWordsOf.theirs),
  ])
  const origins = new Map<Token, number>()
  const out: Token[] = []
  let conflict = restored.size > 0 || writtenInGap(o, left, right) || writtenInGap(o, right, left)
  let [ours, others]: [Token[], Token[]] = [[], []]
  const addAll = (tokens: Token[]): void => {
    for (const token of tokens) out.push(token)
  }
  const addPending = (): void => {
    if (ours.length + others.length === 0) return
    if (ours.length > 0 && others.length > 0) {
      const outcome = resolve(ours, others, keysOf)
      addAll(outcome.run)
      conflict ||= outcome.conflict
    } else addAll(ours.length > 0 ? ours : others)
    ours = []
    others = []
  }
  let block = NONE
  for (let at = 0; at <= o.length; at += 1) {
    const [mineNew, theirsNew] = [left.added.get(at), right.added.get(at)]
    if (mineNew) ours = ours.concat(mineNew)
    if (theirsNew) others = others.concat(theirsNew)
    const token = o[at]
    if (token?.leaf) block += 1
    const [l, r] = [a[left.matches[at] ?? NONE], b[right.matches[at] ?? NONE]]
    const kept =
      token && l && r ? mergeTokens(token, l, r, renames) : restored.has(at) ? (l ?? r) : undefined
    if (!kept) continue
    addPending()
    if (kept.leaf) origins.set(kept, block)
    out.push(kept)
  }
  addPending()
  const lines = linesOf(withHeads(out)).filter((line) => !isEmptied(line, origins))
  const blocks = lines.map((line) => ({
    leaf: blockOf(line),
    origin: (line[0] && origins.get(line[0])) ?? NONE,
  }))
  return { blocks, conflict }
}

const ITEMS: Items = {
  weightOf: (key) => (key === BLOCK_KEY ? 3 : 2),
  isHead: (key) => key === BLOCK_KEY,
}

/** One side's tokens against those of the base. */
type Side = {
  tokens: Token[]
  matches: Matches
  /** What the side added, by the place in the base of what it comes before. */
  added: Map<number, Token[]>
  /** Places of tokens that are of the base, or that the other side added too. */
  known: Set<number>
}

function sideOf(tokens: Token[], matches: Matches, inBoth: Set<number>): Side {
  const added = new Map<number, Token[]>()
  let next = 0
  const addUntil = (end: number, at: number): void => {
    if (end > next) added.set(at, tokens.slice(next, end))
    next = end + 1
  }
  for (const [at, place] of matches.entries()) if (place !== NONE) addUntil(place, at)
  addUntil(tokens.length, matches.length)
  return { tokens, matches, added, known: new Set([...matches, ...inBoth]) }
}

/** Whether `side` wrote words into a line where the other removed what is next to them. */
function writtenInGap(base: Token[], side: Side, other: Side): boolean {
  const isRemoved = (at: number): boolean =>
    base[at] !== undefined &&
    side.matches[at] !== NONE &&
    other.matches[at] === NONE &&
    !base[at].leaf
  return [...side.added].some(
    ([at, [first]]) => first && !first.leaf && (isRemoved(at) || isRemoved(at - 1)),
  )
}

/**
 * Tokens of blocks that `side` removed whole and `other` wrote in. Where the words are in another block of the side
 * that removed them, it moved them there.
 */
function restoredIn(base: Token[], side: Side, other: Side, hasWordsOf: WordSearch): number[] {
  const heads = [...base.entries()].flatMap(([at, { leaf }]) => (leaf ? [{ at, leaf }] : []))
  return heads.flatMap(({ at: head, leaf }, block) => {
    const end = heads[block + 1]?.at ?? base.length
    const isGone = side.matches.subarray(head, end).every((place) => place === NONE)
    if (!isGone || !isWrittenIn(other, head) || hasWordsOf(leaf)) return []
    return Array.from({ length: end - head }, (_, step) => head + step)
  })
}

/** Whether the side alone added a word to the block that begins with this token of the base. */
function isWrittenIn({ tokens, matches, known }: Side, head: number): boolean {
  const start = matches[head] ?? NONE
  if (start === NONE) return false
  for (let place = start + 1; tokens[place] && !tokens[place]?.leaf; place += 1) {
    if (!known.has(place) && isWord(tokens[place] as Token)) return true
  }
  return false
}

/**
 * A word comes into a line only if a side has it in that line, or has it in one line with the word before it. Else it
 * begins a line of its own: where one side joined what the other removed or moved, two lines would run together.
 */
function withHeads(tokens: Token[]): Token[] {
  const out: Token[] = []
  let homes: readonly Leaf[] = []
  let before: readonly Leaf[] = []
  for (const token of tokens) {
    const isAtHome = (others: readonly Leaf[]): boolean =>
      token.homes.some((home) => others.includes(home))
    if (!token.leaf && !isAtHome(homes) && !isAtHome(before)) {
      const head = headOf(token)
      out.push(head)
      homes = head.homes
    }
    if (token.leaf) homes = token.homes
    before = token.homes
    out.push(token)
  }
  return out
}

/** A line that one side added and all of whose words are gone. */
function isEmptied([head, ...rest]: Token[], origins: Map<Token, number>): boolean {
  if (!head || origins.has(head) || rest.length > 0) return false
  const [home, other] = head.homes
  return home !== undefined && other === undefined && home.text !== ''
}
