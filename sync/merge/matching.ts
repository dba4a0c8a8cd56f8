import type { Hunk } from '../../domain/text/diff.ts'
import { addTo, inverse, type Matches, matchNumbers, NONE } from './align.ts'
import { FEW, isNewForm, type Leaf, RULE, wordsOf } from './leaves.ts'
import { heaviestOrder } from './moves.ts'
import { endsSentence, type Keys, type Token } from './tokens.ts'

/**
 * Finds the tokens of one text in another. Words are matched by the texts, and the begin of a block to the begin of the
 * block that its first word is in. `isNew`: 1 for each token of `to` that is in no case one of `from`.
 */
export function createMatch(
  keysOf: Keys,
): (from: Token[], to: Token[], isNew?: Uint8Array | null) => Found {
  const known = new Map<Token[], Words>()
  const viewOf = (tokens: Token[]): Words => {
    const words = known.get(tokens) ?? wordsIn(tokens, keysOf)
    known.set(tokens, words)
    return words
  }
  return (from, to, isNew) => {
    const [words, all] = [viewOf(from), viewOf(to)]
    const others = isNew ? withoutNew(all, isNew, words) : all
    const found = matchWords(words, others)
    slide(found, others)
    const holders = inverse(found, others.keys.length)
    slide(holders, words)
    const raw = inverse(holders, words.keys.length)
    const matches = dissolved(raw, words, others)
    const withBegins = (all: Matches): Matches => {
      const places = new Int32Array(from.length).fill(NONE)
      for (let at = 0; at < all.length; at += 1) {
        const place = all[at] ?? NONE
        if (place !== NONE) places[words.places[at] ?? 0] = others.places[place] ?? NONE
      }
      matchBegins(from, to, places)
      releaseWithin(to, places)
      return places
    }
    const tokens = withBegins(raw)
    return { raw: tokens, matches: matches === raw ? tokens : withBegins(matches) }
  }
}

/** `raw`: also those that are rather equal by chance. */
export type Found = { matches: Matches; raw: Matches }

/** All tokens but the begins of blocks: their places and keys, and how clearly the text divides before each and at its end. */
type Words = { places: number[]; keys: Int32Array; divides: Uint8Array }

const LINE = 2
const SENTENCE = 1
/** Counts less than any division of the text. */
const JOINED = 0.5

const isBegin = ({ leaf }: Token): boolean => leaf !== null && leaf.type !== RULE

function wordsIn(tokens: Token[], keysOf: Keys): Words {
  const places: number[] = []
  const words: Token[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (!token || isBegin(token)) continue
    places.push(at)
    words.push(token)
  }
  const divides = new Uint8Array(words.length + 1)
  for (let index = 0; index <= words.length; index += 1) {
    const at = places[index] ?? tokens.length
    const before = tokens[at - 1]
    const token = words[index]
    if (!before || before.leaf || !token || token.leaf) divides[index] = LINE
    else if (endsSentence(before)) divides[index] = SENTENCE
  }
  return { places, keys: keysOf(words), divides }
}

/** With keys for the new words that none of the others has. */
function withoutNew(words: Words, isNew: Uint8Array, others: Words): Words {
  let next = 0
  for (const keys of [words.keys, others.keys])
    for (const key of keys) if (key >= next) next = key + 1
  const keys = words.keys.map((key, index) =>
    isNew[words.places[index] ?? 0] === 1 ? next++ : key,
  )
  return { ...words, keys }
}

/** So many words in a row are hardly in two texts by chance. */
const SENTENCE_WORDS = 3

/**
 * Whole sentences first, then the words of lines that are alike, then all others: the common words of prose are in most
 * sentences, and where one was removed and another one typed they would be taken for what is left of it.
 */
function matchWords(words: Words, others: Words): Matches {
  const matches = new Int32Array(words.keys.length).fill(NONE)
  const match = (from: number, end: number, other: number, to: number): void => {
    const found = matchNumbers(words.keys.subarray(from, end), others.keys.subarray(other, to))
    for (const [at, place] of found.entries())
      if (place !== NONE) matches[from + at] = other + place
  }
  const numbers = new Map<string, number>()
  const [some, all] = [piecesOf(words, 1), piecesOf(others, 1)]
  const [own, other] = [numbered(some, words, numbers), numbered(all, others, numbers)]
  for (const [at, place] of matchNumbers(own, other).entries()) {
    const [sentence, same] = [some[at], all[place]]
    if (!sentence || !same) continue
    for (let by = 0; by < sentence.end - sentence.from; by += 1)
      matches[sentence.from + by] = same.from + by
  }
  const [lines, otherLines] = [piecesOf(words, LINE), piecesOf(others, LINE)]
  for (const gap of gapsIn(matches, others.keys.length)) {
    const within = (all: Piece[], from: number, end: number) =>
      all
        .filter((one) => one.from < end && one.end > from)
        .map((one) => ({ from: Math.max(one.from, from), end: Math.min(one.end, end) }))
    const [a, b] = [within(lines, gap.at, gap.end), within(otherLines, gap.from, gap.to)]
    for (const { at, from } of alike(keysIn(words, a), keysIn(others, b))) {
      const [line, same] = [a[at], b[from]]
      if (line && same) match(line.from, line.end, same.from, same.end)
    }
  }
  for (const gap of gapsIn(matches, others.keys.length)) match(gap.at, gap.end, gap.from, gap.to)
  return matches
}

type Piece = { from: number; end: number }

const keysIn = ({ keys }: Words, pieces: Piece[]): Int32Array[] =>
  pieces.map(({ from, end }) => keys.subarray(from, end))

/** What the text divides into by at least this. */
function piecesOf({ keys, divides }: Words, least: number): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (let end = 1; end <= keys.length; end += 1) {
    if (end < keys.length && (divides[end] ?? 0) < least) continue
    pieces.push({ from, end })
    from = end
  }
  return pieces
}

/** Numbers for sentences, the same for equal ones that both begin a line or both do not; for short ones each its own. */
const numbered = (pieces: Piece[], { keys, divides }: Words, numbers: Map<string, number>) =>
  Int32Array.from(pieces, ({ from, end }) => {
    const isShort = end - from < SENTENCE_WORDS
    const name = isShort
      ? `-${numbers.size}`
      : `${divides[from]}:${keys.subarray(from, end).join()}`
    const number = numbers.get(name) ?? numbers.size
    numbers.set(name, number)
    return number
  })

/** Where words are left that are not matched, on both sides. */
function gapsIn(matches: Matches, length: number): Hunk[] {
  const gaps: Hunk[] = []
  let [at, from] = [0, 0]
  for (let end = 0; end <= matches.length; end += 1) {
    const to = end === matches.length ? length : (matches[end] ?? NONE)
    if (to === NONE) continue
    if (end > at && to > from) gaps.push({ at, end, from, to })
    at = end + 1
    from = to + 1
  }
  return gaps
}

/** The pairs of lines in their order that have at least half of the words of the shorter one in common. */
function alike(lines: Int32Array[], others: Int32Array[]) {
  if (lines.length * others.length < 2) return []
  const [some, all] = [lines.map(distinct), others.map(distinct)]
  const holders = new Map<number, number[]>()
  for (const [index, keys] of all.entries()) {
    for (const key of keys) addTo(holders, key, index)
  }
  const pairs: { at: number; from: number; weight: number }[] = []
  for (const [at, keys] of some.entries()) {
    const shared = new Int32Array(all.length)
    for (const key of keys)
      for (const from of holders.get(key) ?? []) shared[from] = (shared[from] ?? 0) + 1
    // In descending order, so that no two pairs of one line are in order.
    for (let from = all.length - 1; from >= 0; from -= 1) {
      const count = shared[from] ?? 0
      const least = Math.min(keys.length, all[from]?.length ?? 0)
      const isAlike = count >= SENTENCE_WORDS && count * 2 >= least
      // A long line shares common words with every other one; a line that is there almost whole counts for more.
      if (isAlike) pairs.push({ at, from, weight: count * (count / least) ** 2 })
    }
  }
  return heaviestOrder(pairs, others.length)
}

const distinct = (keys: Int32Array): Int32Array =>
  keys.toSorted().filter((key, at, sorted) => key !== sorted[at - 1])

/** So few common words between changes may be typed with them, and be equal to those of the base by chance. */
const ISLAND = 2

/**
 * Words between changes that were rather typed with them are not those of the base: a few common ones next to words that were
 * put in, and those between replacements that are longer.
 */
function dissolved(raw: Matches, { keys: own }: Words, { keys }: Words): Matches {
  const isCommon = recurring([own, keys])
  const islands: { at: number; end: number; from: number; to: number }[] = []
  for (let at = 0; at < raw.length; at += 1) {
    const place = raw[at] ?? NONE
    if (place === NONE) continue
    const last = islands.at(-1)
    if (last?.end === at && last.to === place) {
      last.end += 1
      last.to += 1
    } else islands.push({ at, end: at + 1, from: place, to: place + 1 })
  }
  let matches = raw
  let before = { end: 0, to: 0 }
  for (const [index, { at, end, from, to }] of islands.entries()) {
    const after = islands[index + 1] ?? { at: raw.length, from: keys.length }
    const gaps = [
      { removed: at - before.end, added: from - before.to },
      { removed: after.at - end, added: after.from - to },
    ]
    const isIsland = gaps.every(({ removed, added }) => removed + added > 0)
    const isTyped = gaps.some(({ added }) => added > 0)
    const isShort = end - at <= ISLAND && own.subarray(at, end).every(isCommon)
    const isSmall = gaps.every(
      ({ removed, added }) => removed > 0 && end - at <= Math.max(removed, added),
    )
    if (isIsland && isTyped && (isShort || isSmall)) {
      if (matches === raw) matches = raw.slice()
      matches.fill(NONE, at, end)
    } else before = { end, to }
  }
  return matches
}

/**
 * Where words that were put in begin or end with those before or after them, the same result has several explanations: the
 * one counts in which whole lines, or else whole sentences, were put in; then the one that joins the words with those that
 * were put in before; of equal ones the last.
 */
function slide(matches: Matches, { keys, divides }: Words): void {
  let [before, last] = [NONE, NONE]
  /** The words that were put in before: the item of `matches` behind them, and where they begin. */
  let earlier = { at: NONE, from: NONE }
  for (let at = 0; at <= matches.length; at += 1) {
    const to = at === matches.length ? keys.length : (matches[at] ?? NONE)
    if (to === NONE) continue
    const from = last + 1
    const isAddition = before === at - 1 && to > from
    before = at
    last = to
    if (!isAddition) continue
    const begin = (by: number) => (at + by === earlier.at ? earlier.from : from + by)
    const worth = (by: number) =>
      (divides[begin(by)] ?? 0) + (divides[to + by] ?? 0) + (begin(by) < from + by ? JOINED : 0)
    let best = 0
    const isAlike = (by: number) => keys[from + by] === keys[to + by]
    for (let by = -1; matches[at + by] === from + by && isAlike(by); by -= 1)
      if (worth(by) > worth(best)) best = by
    for (let by = 0; matches[at + by] === to + by && isAlike(by); by += 1)
      if (worth(by + 1) >= worth(best)) best = by + 1
    for (let by = best; by < 0; by += 1) matches[at + by] = to + by
    for (let by = 0; by < best; by += 1) matches[at + by] = from + by
    earlier = { at: at + best, from: begin(best) }
    if (best <= 0) continue
    at += best - 1
    before = at
    last = from + best - 1
  }
}

/** The end is exclusive. */
type Line = { begin: number; end: number }

function linesIn(tokens: Token[]): Line[] {
  const lines: Line[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at]?.leaf) lines.push({ begin: at, end: at })
    const line = lines.at(-1)
    if (line) line.end = at + 1
  }
  return lines
}

/**
 * Fills in where the begins of blocks are. The first word of both blocks must be the same, as far as words are left; of
 * blocks without a word in common one must be a form of the other, or empty.
 */
function matchBegins(base: Token[], side: Token[], matches: Matches): void {
  const holders = inverse(matches, side.length)
  const [lines, others] = [linesIn(base), linesIn(side)]
  const lineAt = new Int32Array(side.length)
  for (const [index, { begin, end }] of others.entries()) lineAt.fill(index, begin, end)
  const isText = (tokens: Token[], { begin }: Line) => isBegin(tokens[begin] as Token)
  const byWords = new Map<Line, Line>()
  for (const line of lines) {
    const other = others[lineAt[firstIn(matches, line)] ?? NONE]
    if (!other || !isText(base, line) || !isText(side, other)) continue
    const first = firstIn(holders, other)
    if (first < line.begin || first >= line.end) continue
    matches[line.begin] = other.begin
    byWords.set(line, other)
  }
  const leavesOf = (line: Line, other: Line) =>
    [base[line.begin]?.leaf, side[other.begin]?.leaf] as [Leaf, Leaf]
  const isEmpty = (line: Line, other: Line) => leavesOf(line, other).some(({ text }) => text === '')
  const isForm = (line: Line, other: Line) =>
    !isEmpty(line, other) && [isNewForm, isTypedOn].some((is) => is(...leavesOf(line, other)))
  for (const isAlike of [isForm, isEmpty]) {
    const taken = inverse(matches, side.length)
    const isFree = (other: Line) => isText(side, other) && firstIn(taken, other) === NONE
    let end = others.length
    const ends = lines.toReversed().map((line) => {
      end = lineAt[firstIn(matches, line)] ?? end
      return end
    })
    let next = 0
    for (const [index, line] of lines.entries()) {
      const last = lastIn(matches, line)
      if (last !== NONE) next = (lineAt[last] ?? 0) + 1
      if (last !== NONE || !isText(base, line)) continue
      const until = ends[lines.length - 1 - index] ?? next
      const isForLine = (other: Line) => isFree(other) && isAlike(line, other)
      const found = others.slice(next, until).findIndex(isForLine)
      if (found < 0) continue
      next += found + 1
      matches[line.begin] = others[next - 1]?.begin ?? NONE
    }
  }
  const taken = inverse(matches, side.length)
  /** Where words were put in before the first one of a line, and lines before those, the line begins with all of them. */
  const firstLine = (line: Line): Line => {
    const at = lineAt[line.begin] ?? 0
    const before = others[at - 1]
    const isPutIn = line.end > line.begin + 1 && taken[line.begin + 1] === NONE
    const isOne =
      before &&
      before.end > before.begin + 1 &&
      isAlikeForm(before, line) &&
      firstIn(taken, before) === NONE
    return isPutIn && isOne ? firstLine(before) : line
  }
  const isAlikeForm = (line: Line, other: Line): boolean => {
    const [leaf, next] = [side[line.begin]?.leaf, side[other.begin]?.leaf]
    return leaf?.shape === next?.shape && pathOf(leaf) === pathOf(next)
  }
  for (const [line, other] of byWords) matches[line.begin] = firstLine(other).begin
}

/**
 * A block begin between words that were put in, with further lines, was put in with them, and the one of the base is gone:
 * else the words of one run would belong to two blocks.
 */
function releaseWithin(side: Token[], matches: Matches): void {
  const holders = inverse(matches, side.length)
  const isPutIn = (place: number): boolean => {
    const token = side[place]
    return token !== undefined && (isBegin(token) || holders[place] === NONE)
  }
  const isWordPutIn = (place: number): boolean => isPutIn(place) && !side[place]?.leaf
  for (let place = 0; place < holders.length; place += 1) {
    const at = holders[place] ?? NONE
    if (at === NONE || !isBegin(side[place] as Token)) continue
    if (!isWordPutIn(place - 1) || !isWordPutIn(place + 1)) continue
    let [from, to] = [place, place + 1]
    while (isPutIn(from - 1)) from -= 1
    while (isPutIn(to)) to += 1
    if (side.slice(from, to).filter(isBegin).length > 1) matches[at] = NONE
  }
}

/** Whether the last word of a block was typed on: it begins a word of the other one. */
const isTypedOn = (old: Leaf, now: Leaf): boolean => {
  const last = wordsOf(old).at(-1) ?? ''
  return last.length >= FEW && wordsOf(now).some((word) => word.startsWith(last))
}

const pathOf = (leaf: Leaf | null | undefined) => leaf?.path.map(({ node }) => node.type).join('/')

/** Returns the first place that `row` has for a line, NONE if it has none. */
const firstIn = (row: Matches, { begin, end }: Line): number =>
  row.subarray(begin, end).find(isPlace) ?? NONE

/** Returns the last place that `row` has for a line, NONE if it has none. */
const lastIn = (row: Matches, { begin, end }: Line): number =>
  row.subarray(begin, end).findLast(isPlace) ?? NONE

const isPlace = (place: number): boolean => place !== NONE

/** Whether an item occurs more than once in one of the texts. */
function recurring(texts: readonly Int32Array[]): (key: number) => boolean {
  let most = 0
  for (const keys of texts) for (const key of keys) most = Math.max(most, key)
  const seen = new Uint8Array(most + 1)
  const found = new Uint8Array(most + 1)
  for (const [index, keys] of texts.entries()) {
    for (const key of keys) {
      if (seen[key] === index + 1) found[key] = 1
      seen[key] = index + 1
    }
  }
  return (key) => found[key] === 1
}
