import type { Leaf } from './leaves.ts'
import { blocksOf, isWord, type Token, tokensOf } from './tokens.ts'

/**
 * What one side moved or joined while the other wrote in it comes out twice, in its old place and in its new
 * one; so does what both sides added in two places. Words that each side has once and the result twice were
 * doubled by merging, and one of the two goes: a block whose words stand in another one that is alike, or a
 * stretch that stands elsewhere as it is. The other stays, so no word is lost; and what is short counts only
 * when it comes from the base, so that nothing goes that two writers happened to say alike.
 *
 * Takes only blocks that somebody changed (an unchanged one has no double that a side has not as well) and
 * answers what is left of each that loses words: nothing when it loses all.
 */
export function doublesIn(merged: Leaf[], base: Leaf[], sides: Leaf[][]): Map<Leaf, Leaf[]> {
  const blocks = merged.map((leaf) => tokensOf([leaf]))
  const words = blocks.map(wordsIn)
  const known = base.map((leaf) => wordsIn(tokensOf([leaf])))
  const written = sides.map((leaves) => leaves.map((leaf) => wordsIn(tokensOf([leaf]))))
  const repeated = repeatedBlocks(words, known, written)
  const extra = new Set([...repeated].flatMap((place) => words[place] ?? []))
  const others = words.filter((_, place) => !repeated.has(place))
  for (const word of repeatedStretches(others, known, written)) extra.add(word)
  return new Map(
    merged.flatMap((leaf, place) => {
      const block = blocks[place] ?? []
      const left = block.filter((token) => !extra.has(token))
      if (left.length === block.length) return []
      return [[leaf, left.some(isWord) ? blocksOf(left) : []]]
    }),
  )
}

/** The words of one block. */
type Words = Token[]

const wordsIn = (tokens: Token[]): Words => tokens.filter(isWord)

/** So few words may well be said twice. */
const BLOCK_MIN = 3
/** So many are not said alike by chance, whether they come from the base or not. */
const LONG = 8
/** Share of the words of the longer block that makes two blocks alike. */
const ALIKE = 0.3

function repeatedBlocks(blocks: Words[], base: Words[], sides: Words[][]): Set<number> {
  const index = indexOf(blocks)
  const [known, ...indexes] = [base, ...sides].map(indexOf)
  const gone = new Set<number>()
  for (const [place, words] of blocks.entries()) {
    if (words.length < BLOCK_MIN) continue
    const isOld = known !== undefined && holdersOf(words, known).length > 0
    if (!isOld && words.length < LONG) continue
    const isRepeated = holdersOf(words, index).some((other) => {
      const length = blocks[other]?.length ?? 0
      return !gone.has(other) && (length > words.length || other < place)
    })
    if (isRepeated && indexes.every((side) => holdersOf(words, side).length <= 1)) gone.add(place)
  }
  return gone
}

/** Which blocks have a word. */
type Index = { blocks: Words[]; places: Map<string, Set<number>> }

function indexOf(blocks: Words[]): Index {
  const places = new Map<string, Set<number>>()
  for (const [place, words] of blocks.entries()) {
    for (const { text } of words) {
      const found = places.get(text)
      if (found) found.add(place)
      else places.set(text, new Set([place]))
    }
  }
  return { blocks, places }
}

/** The blocks that are alike and have all these words in order. */
function holdersOf(words: Words, { blocks, places }: Index): number[] {
  let candidates: Set<number> | null = null
  for (const { text } of words) {
    const found = places.get(text)
    if (!found) return []
    if (!candidates || found.size < candidates.size) candidates = found
  }
  return [...(candidates ?? [])].filter((place) => {
    const others = blocks[place] ?? []
    return words.length >= ALIKE * others.length && isWithin(words, others)
  })
}

function isWithin(some: Words, all: Words): boolean {
  let found = 0
  for (const { text } of all) if (text === some[found]?.text) found += 1
  return found === some.length
}

/** Words in a row that must be the same, if they are of the base and fill whole blocks; else LONG. */
const SPAN = 4

type Word = { token: Token; isFirst: boolean; isLast: boolean }

function repeatedStretches(blocks: Words[], base: Words[], sides: Words[][]): Token[] {
  const words = rowOf(blocks)
  const grams = sides.map((side) => gramsOf(rowOf(side)))
  const known = gramsOf(rowOf(base))
  const isOnce = (gram: string): boolean => grams.every((side) => side.get(gram)?.length === 1)
  const extra: Token[] = []
  let past = 0
  for (const [gram, [first = 0, second, third]] of gramsOf(words)) {
    if (second === undefined || third !== undefined || first < past || !isOnce(gram)) continue
    let length = SPAN
    while (first + length < second && isOnce(gramAt(words, first + length - SPAN + 1))) {
      if (words[first + length]?.token.text !== words[second + length]?.token.text) break
      length += 1
    }
    past = first + length
    const [one, other] = [words.slice(first, past), words.slice(second, second + length)]
    const isLong = length >= LONG || (known.has(gram) && [one, other].some(fillsBlocks))
    const drop = !isLong ? [] : fillsBlocks(one) && !fillsBlocks(other) ? one : other
    extra.push(...drop.map(({ token }) => token))
  }
  return extra
}

const rowOf = (blocks: Words[]): Word[] =>
  blocks.flatMap((words) =>
    words.map((token, index) => {
      return { token, isFirst: index === 0, isLast: index === words.length - 1 }
    }),
  )

const fillsBlocks = (stretch: Word[]): boolean =>
  stretch[0]?.isFirst === true && stretch.at(-1)?.isLast === true

const gramAt = (words: Word[], at: number): string =>
  words
    .slice(at, at + SPAN)
    .map(({ token }) => token.text)
    .join(' ')

/** Where each row of SPAN words begins. */
function gramsOf(words: Word[]): Map<string, number[]> {
  const grams = new Map<string, number[]>()
  for (let at = 0; at + SPAN <= words.length; at += 1) {
    const gram = gramAt(words, at)
    const places = grams.get(gram)
    if (places) places.push(at)
    else grams.set(gram, [at])
  }
  return grams
}
