import { type Leaf, wordsOf } from './leaves.ts'
import { blocksOf, isWord, tokensOf } from './tokens.ts'

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
  const blocks = merged.map(wordsOf)
  const excess = excessWords(blocks, sides)
  if (excess.size === 0) return new Map()
  const known = base.map(wordsOf)
  const written = sides.map((leaves) => leaves.map(wordsOf))
  const repeated = repeatedBlocks(blocks, excess, known, written)
  const words = rowOf(blocks).filter(({ block }) => !repeated.has(block))
  const extra = repeatedStretches(words, excess, known, written)
  const changes = new Map<Leaf, Leaf[]>()
  for (const [block, leaf] of merged.entries()) {
    const gone = new Set(extra.filter((word) => word.block === block).map(({ place }) => place))
    if (repeated.has(block)) changes.set(leaf, [])
    else if (gone.size > 0) changes.set(leaf, withoutWords(leaf, gone))
  }
  return changes
}

/** Words that stand in the result more often than on either side: only such may have been doubled. */
function excessWords(blocks: string[][], sides: Leaf[][]): Set<string> {
  const counts = countsOf(blocks)
  const [mine, theirs] = sides.map((leaves) => countsOf(leaves.map(wordsOf)))
  const isExcess = ([word, count]: [string, number]): boolean => {
    const [left, right] = [mine?.get(word) ?? 0, theirs?.get(word) ?? 0]
    return left > 0 && right > 0 && count > Math.max(left, right)
  }
  return new Set([...counts].filter(isExcess).map(([word]) => word))
}

function countsOf(blocks: string[][]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const words of blocks)
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function withoutWords(leaf: Leaf, gone: Set<number>): Leaf[] {
  let place = -1
  const left = tokensOf([leaf]).filter((token) => {
    if (isWord(token)) place += 1
    return !isWord(token) || !gone.has(place)
  })
  return left.some(isWord) ? blocksOf(left) : []
}

/** So few words may well be said twice. */
const BLOCK_MIN = 3
/** So many are not said alike by chance, whether they come from the base or not. */
const LONG = 8
/** Share of the words of the longer block that makes two blocks alike. */
const ALIKE = 0.3

function repeatedBlocks(
  blocks: string[][],
  excess: Set<string>,
  base: string[][],
  sides: string[][][],
): Set<number> {
  const suspects = [...blocks.entries()].filter(
    ([, words]) => words.length >= BLOCK_MIN && words.every((word) => excess.has(word)),
  )
  const gone = new Set<number>()
  if (suspects.length === 0) return gone
  const index = indexOf(blocks)
  const [known, ...indexes] = [base, ...sides].map(indexOf)
  for (const [place, words] of suspects) {
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
type Index = { blocks: string[][]; places: Map<string, Set<number>> }

function indexOf(blocks: string[][]): Index {
  const places = new Map<string, Set<number>>()
  for (const [place, words] of blocks.entries()) {
    for (const word of words) {
      const found = places.get(word)
      if (found) found.add(place)
      else places.set(word, new Set([place]))
    }
  }
  return { blocks, places }
}

/** The blocks that are alike and have all these words in order. */
function holdersOf(words: string[], { blocks, places }: Index): number[] {
  let candidates: Set<number> | null = null
  for (const word of words) {
    const found = places.get(word)
    if (!found) return []
    if (!candidates || found.size < candidates.size) candidates = found
  }
  return [...(candidates ?? [])].filter((place) => {
    const others = blocks[place] ?? []
    return words.length >= ALIKE * others.length && isWithin(words, others)
  })
}

function isWithin(some: string[], all: string[]): boolean {
  let found = 0
  for (const word of all) if (word === some[found]) found += 1
  return found === some.length
}

/** Words in a row that must be the same, if they are of the base and fill whole blocks; else LONG. */
const SPAN = 4

/** The `place`th word of a block of the result. */
type Word = { text: string; block: number; place: number; isLast: boolean }

function repeatedStretches(
  words: Word[],
  excess: Set<string>,
  base: string[][],
  sides: string[][][],
): Word[] {
  const found = gramsOf(
    words.map(({ text }) => text),
    excess,
  )
  if (found.size === 0) return []
  const [known, ...written] = [base, ...sides].map((side) => gramsOf(side.flat(), excess))
  const isOnce = (gram: string): boolean => written.every((side) => side.get(gram)?.length === 1)
  const textAt = (at: number): string => words[at]?.text ?? ''
  const gramAt = (at: number): string =>
    [textAt(at), textAt(at + 1), textAt(at + 2), textAt(at + 3)].join(' ')
  const extra: Word[][] = []
  let past = 0
  for (const [gram, [first = 0, second, third]] of found) {
    if (second === undefined || third !== undefined || first < past || !isOnce(gram)) continue
    let length = SPAN
    while (first + length < second && isOnce(gramAt(first + length - SPAN + 1))) {
      if (textAt(first + length) !== textAt(second + length)) break
      length += 1
    }
    past = first + length
    const [one, other] = [words.slice(first, past), words.slice(second, second + length)]
    const isLong = length >= LONG || (known?.has(gram) && [one, other].some(fillsBlocks))
    if (isLong) extra.push(fillsBlocks(one) && !fillsBlocks(other) ? one : other)
  }
  return extra.flat()
}

const rowOf = (blocks: string[][]): Word[] =>
  blocks.flatMap((words, block) =>
    words.map((text, place) => ({ text, block, place, isLast: place === words.length - 1 })),
  )

const fillsBlocks = (stretch: Word[]): boolean =>
  stretch[0]?.place === 0 && stretch.at(-1)?.isLast === true

/** Where each row of SPAN such words begins. */
function gramsOf(words: string[], excess: Set<string>): Map<string, number[]> {
  const grams = new Map<string, number[]>()
  let run = 0
  for (const [index, word] of words.entries()) {
    run = excess.has(word) ? run + 1 : 0
    if (run < SPAN) continue
    const at = index - SPAN + 1
    const gram = words.slice(at, index + 1).join(' ')
    const places = grams.get(gram)
    if (places) places.push(at)
    else grams.set(gram, [at])
  }
  return grams
}
