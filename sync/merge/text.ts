import { isTorn } from './addresses.ts'
import { alignBoth, type Matches, NONE, range } from './alignment.ts'
import { FEW, isNewForm, type Leaf } from './leaves.ts'
import { keepLinks } from './links.ts'
import { type Join, resolve } from './resolve.ts'
import { createTokenMerge, joinTokens, type Renames } from './token-merge.ts'
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
  const keys = [keysOf(o), keysOf(a), keysOf(b)] as const
  const items = itemsOf(keys)
  const isRecurring = (token: Token): boolean => items.isRecurring(keysOf([token])[0] ?? BLOCK_KEY)
  const matches = alignBoth(...keys, items)
  matchNewForms(o, a, matches.mine)
  matchNewForms(o, b, matches.theirs)
  const [left, right] = [sideOf(a, matches.mine), sideOf(b, matches.theirs)]
  for (const [place, other] of matches.added.entries()) {
    if (other === NONE) continue
    left.known[place] = 1
    right.known[other] = 1
  }
  const doubtful = new Set([left, right].flatMap((side) => doubtfulIn(keys[0], side, items)))
  const restored = new Set([
    ...restoredIn(o, left, right, hasWordsOf.mine, doubtful),
    ...restoredIn(o, right, left, hasWordsOf.theirs, doubtful),
    ...keepLinks(o, left, right),
    ...keepLinks(o, right, left),
    ...[...doubtful].filter((at) => left.matches[at] === NONE || right.matches[at] === NONE),
  ])
  const origins = new Map<Token, number>()
  const out: Token[] = []
  let conflict = restored.size > 0 || writtenInGap(o, left, right) || writtenInGap(o, right, left)
  let [ours, others] = [NOTHING, NOTHING]
  let lastKept = NONE
  const addPending = (at: number): void => {
    const isMineFirst = ours.from < others.from
    const [first, second] = isMineFirst ? [ours, others] : [others, ours]
    const hasSureEdges = !doubtful.has(lastKept) && !doubtful.has(at)
    lastKept = at
    if (first.tokens.length > 0 && second.tokens.length > 0) {
      const join: Join = isMineFirst ? joinTokens : (one, other) => joinTokens(other, one)
      const gap = { keysOf, isRecurring, hasSureEdges, join }
      const outcome = resolve(first.tokens, second.tokens, gap)
      addAll(out, outcome.run)
      conflict ||= outcome.conflict
    } else {
      addAll(out, first.tokens)
      addAll(out, second.tokens)
    }
    ours = NOTHING
    others = NOTHING
  }
  const merge = createTokenMerge(renames)
  let block = NONE
  for (let at = 0; at <= o.length; at += 1) {
    const [mineNew, theirsNew] = [left.added.get(at), right.added.get(at)]
    if (mineNew) ours = joined(ours, mineNew)
    if (theirsNew) others = joined(others, theirsNew)
    const token = o[at]
    if (token?.leaf) block += 1
    const [l, r] = [a[left.matches[at] ?? NONE], b[right.matches[at] ?? NONE]]
    if (token && l && r && isTorn(token.links, l.links, r.links, token.text.length)) conflict = true
    const kept = token && l && r ? merge(token, l, r) : restored.has(at) ? (l ?? r) : undefined
    if (!kept) continue
    addPending(at)
    if (kept.leaf) origins.set(kept, block)
    out.push(kept)
  }
  addPending(o.length)
  return { blocks: blocksOf(out, origins), conflict }
}

/** A spread would exceed the limit of arguments for long texts. */
function addAll(out: Token[], tokens: readonly Token[]): void {
  for (const token of tokens) out.push(token)
}

/** `origins`: the block of the base that the first token of a line is from. */
function blocksOf(tokens: Token[], origins: ReadonlyMap<Token, number>): MergedText['blocks'] {
  const lines = linesOf(withHeads(tokens)).filter((line) => !isEmptied(line, origins))
  return lines.map((line) => ({
    leaf: blockOf(line),
    origin: (line[0] && origins.get(line[0])) ?? NONE,
  }))
}

/** The begin of a block and a word that occurs once in each text say more of what belongs together than a word that recurs. */
function itemsOf(texts: readonly Int32Array[]) {
  const most = texts.reduce((top, keys) => keys.reduce((a, b) => Math.max(a, b), top), 0)
  /** For each key the text that had it last, by a number from 1 on. */
  const seen = new Uint8Array(most + 1)
  const recurring = new Uint8Array(most + 1)
  for (const [index, keys] of texts.entries()) {
    for (const key of keys) {
      if (seen[key] === index + 1) recurring[key] = 1
      seen[key] = index + 1
    }
  }
  return {
    weightOf: (key: number) => (key === BLOCK_KEY || recurring[key] === 0 ? 3 : 2),
    isHead: (key: number) => key === BLOCK_KEY,
    isRecurring: (key: number) => recurring[key] === 1,
  }
}

/** Tokens that a side added. `from`: the place in the base of the first that it removed there, or of what comes after. */
export type Addition = { tokens: Token[]; from: number }

const NOTHING: Addition = { tokens: [], from: Number.POSITIVE_INFINITY }

const joined = (first: Addition, next: Addition): Addition => ({
  tokens: first.tokens.concat(next.tokens),
  from: Math.min(first.from, next.from),
})

/** One side's tokens against those of the base. */
export type Side = {
  tokens: Token[]
  matches: Matches
  /** What the side added, by the place in the base of what it comes before. */
  added: Map<number, Addition>
  /** 1 for each token that is of the base, or that the other side added too. */
  known: Uint8Array
}

function sideOf(tokens: Token[], matches: Matches): Side {
  const added = new Map<number, Addition>()
  const known = new Uint8Array(tokens.length)
  let [next, from] = [0, 0]
  const addUntil = (end: number, at: number): void => {
    if (end > next) added.set(at, { tokens: tokens.slice(next, end), from })
    next = end + 1
    from = at + 1
  }
  for (let at = 0; at < matches.length; at += 1) {
    const place = matches[at] ?? NONE
    if (place === NONE) continue
    known[place] = 1
    addUntil(place, at)
  }
  addUntil(tokens.length, matches.length)
  return { tokens, matches, added, known }
}

/**
 * A block none of whose words is left is the same block where its text is clearly a form of the old one: where a word was
 * typed on, or a letter put right.
 */
function matchNewForms(base: Token[], side: Token[], matches: Matches): void {
  const following = new Int32Array(base.length + 1).fill(side.length)
  for (let at = base.length - 1; at >= 0; at -= 1) {
    const place = matches[at] ?? NONE
    following[at] = place === NONE ? (following[at + 1] ?? side.length) : place
  }
  let next = 0
  for (let at = 0; at < base.length; at += 1) {
    const [place, leaf] = [matches[at] ?? NONE, base[at]?.leaf]
    if (place !== NONE) next = place + 1
    if (place !== NONE || !leaf || leaf.text === '') continue
    const end = Math.min(following[at] ?? side.length, next + NEAR)
    for (let other = next; other < end; other += 1) {
      const now = side[other]?.leaf
      if (!now || !isNewForm(leaf, now)) continue
      matches[at] = other
      next = other + 1
      break
    }
  }
}

/** So few words have blocks of which none may be left when they are typed on. */
const NEAR = 64

/**
 * Places of the base that a side matches but may have typed itself: one or two recurring words, alone between changes or
 * between one and the end of the text. They stay where the other side removed them, and additions next to them may
 * belong to another place.
 */
function doubtfulIn(
  base: Int32Array,
  { tokens, matches }: Side,
  { isHead, isRecurring }: ReturnType<typeof itemsOf>,
): number[] {
  const found: number[] = []
  for (let from = 0, end = 1; from < base.length; from = end, end += 1) {
    const start = matches[from] ?? NONE
    if (start === NONE) continue
    while (end < base.length && matches[end] === start + end - from) end += 1
    const isUnchanged = end - from === base.length && end - from === tokens.length
    const words: number[] = []
    for (let at = from; at < end && words.length <= FEW; at += 1) {
      if (!isHead(base[at] ?? BLOCK_KEY)) words.push(at)
    }
    const isCommon = words.every((at) => isRecurring(base[at] ?? BLOCK_KEY))
    if (!isUnchanged && isCommon && words.length <= FEW) found.push(...words)
  }
  return found
}

/** Whether `side` wrote words into a line where the other removed what is next to them. */
function writtenInGap(base: Token[], side: Side, other: Side): boolean {
  const isRemoved = (at: number): boolean =>
    base[at] !== undefined &&
    side.matches[at] !== NONE &&
    other.matches[at] === NONE &&
    !base[at].leaf
  return [...side.added].some(
    ([at, { tokens }]) => tokens[0]?.leaf === null && (isRemoved(at) || isRemoved(at - 1)),
  )
}

/**
 * Tokens of blocks that `side` removed whole and `other` wrote in. Where the words, as they were or as the other has them,
 * are in another block of the side that removed them, it moved them there.
 */
function restoredIn(
  base: Token[],
  side: Side,
  other: Side,
  hasWordsOf: WordSearch,
  doubtful: ReadonlySet<number>,
): number[] {
  const heads: { at: number; leaf: Leaf }[] = []
  for (let at = 0; at < base.length; at += 1) {
    const leaf = base[at]?.leaf
    if (leaf) heads.push({ at, leaf })
  }
  return heads.flatMap(({ at: head, leaf }, block) => {
    const end = heads[block + 1]?.at ?? base.length
    const isGone = range(head, end).every((at) => side.matches[at] === NONE || doubtful.has(at))
    if (!isGone || !isWrittenIn(other, head)) return []
    const now = other.tokens[other.matches[head] ?? NONE]?.leaf
    if (hasWordsOf(leaf) || (now && hasWordsOf(now))) return []
    return range(head, end)
  })
}

/** Whether the side alone added a word to the block that begins with this token of the base. */
function isWrittenIn({ tokens, matches, known }: Side, head: number): boolean {
  const start = matches[head] ?? NONE
  if (start === NONE) return false
  for (let place = start + 1; tokens[place] && !tokens[place]?.leaf; place += 1) {
    if (known[place] === 0 && isWord(tokens[place] as Token)) return true
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
      token.homes === others || token.homes.some((home) => others.includes(home))
    if (!token.leaf && !isAtHome(before) && !isAtHome(homes)) {
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
function isEmptied([head, ...rest]: Token[], origins: ReadonlyMap<Token, number>): boolean {
  if (!head || origins.has(head) || rest.length > 0) return false
  const [home, other] = head.homes
  return home !== undefined && other === undefined && home.text !== ''
}
