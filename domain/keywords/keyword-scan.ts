import {
  ALPHANUMERIC,
  DASH,
  EXTENDS,
  kindAt,
  SUBSCRIPTS,
  SUPERSCRIPTS,
  UNSPACED,
  WORD,
} from '../text/characters.ts'
import { fold } from '../text/folding.ts'

/**
 * The fast reader of a block: words are hashed character by character, without creating strings. It supports plain
 * prose; a block with a character that needs full Unicode rules (marks, pairs, underscores, superscripts, invisible
 * characters, scripts without spaces) is left to domain/keywords/block-words.ts, whose readings it otherwise follows
 * (Q40).
 */
export type PhraseScanner = {
  /** Words of the block and the phrases found in it, by number and ascending; null when it is not plain prose. */
  read(text: string): { words: number; hits: number[] } | null
}

/** Words and the gaps between them as domain/keywords/block-words.ts writes them; gaps[n] precedes words[n]. */
export type Phrase = { index: number; words: readonly string[]; gaps: readonly string[] }

/** Classes of code units. A gap separates words; a sign is removed in one reading and a space in the other. */
const LETTER = 1
const GAP = 2
const SIGN = 3
const RARE = 4
/** A letter that is folded to several. */
const LIGATURE = 5
const CLASS_BITS = 3
const CLASS_MASK = 7

/**
 * For every code unit its class and its value: the folded letter, a straight apostrophe or a space; for a ligature its
 * index in `ligatures`.
 */
const units = new Int32Array(0x10000)
/** The letters of each, as units. */
const ligatures: number[][] = []

function learn(unit: number): number {
  const [kind, reading] = classOf(String.fromCharCode(unit))
  const value =
    kind === LIGATURE ? ligatures.push(Array.from(reading, unitOf)) - 1 : reading.charCodeAt(0)
  const learnt = (value << CLASS_BITS) | kind
  units[unit] = learnt
  return learnt
}

const readUnit = (unit: number): number => units[unit] || learn(unit)

const unitOf = (letter: string): number => readUnit(letter.charCodeAt(0))

const SPACE = (0x20 << CLASS_BITS) | GAP
const NEW_LINE = (0x0a << CLASS_BITS) | GAP
/** A sign that separates words when they are counted. */
const DASH_SIGN = (0x2d << CLASS_BITS) | SIGN

const RARE_SIGNS = new RegExp(`[\\p{Cs}_${SUPERSCRIPTS}${SUBSCRIPTS}]`, 'u')

function classOf(character: string): [kind: number, reading: string] {
  const kind = kindAt(character, 0)
  if (character === '\n') return [GAP, character]
  if (kind & (EXTENDS | UNSPACED) || RARE_SIGNS.test(character)) return [RARE, ' ']
  const folded = fold(character)
  if (folded === ' ' || folded === "'" || folded === '-') return [GAP, folded]
  if (!(kind & WORD)) return [SIGN, kind & DASH ? '-' : ' ']
  const isLetters = Array.from(folded, (_, at) => kindAt(folded, at)).every(isLetter)
  if (!isLetters || folded === '') return [RARE, ' ']
  return [folded.length === 1 ? LETTER : LIGATURE, folded]
}

const isLetter = (kind: number): boolean => (kind & (ALPHANUMERIC | EXTENDS)) === ALPHANUMERIC

/** Buffers for the words of the current block; reused, so that reading creates no garbage. */
let hashes = new Int32Array(512)
/** Hash of the gap before each word. */
let gaps = new Int32Array(512)
let starts = new Int32Array(512)

function makeRoom(): void {
  ;[hashes, gaps, starts] = [hashes, gaps, starts].map((array) => {
    const larger = new Int32Array(array.length * 2)
    larger.set(array)
    return larger
  }) as [typeof hashes, typeof gaps, typeof starts]
}

const SEED = 0x811c9dc5 | 0
const mix = (hash: number, value: number): number => Math.imul(hash ^ value, 0x01000193)

const isLetters = (unit: number): boolean =>
  (unit & CLASS_MASK) === LETTER || (unit & CLASS_MASK) === LIGATURE
const NO_LETTERS: readonly number[] = []
const lettersOf = (ligature: number): readonly number[] =>
  ligatures[ligature >> CLASS_BITS] ?? NO_LETTERS

type Signs = 'removed' | 'spaces'
type Reading = { count: number; words: number; ambiguous: boolean }

/** Fills `hashes`, `gaps` and `starts`; null at a rare character. */
function readBlock(text: string, signs: Signs): Reading | null {
  const { length } = text
  let count = 0
  let words = 0
  let ambiguous = false
  /** Whether white space or a dash precedes the next word. A hyphen separates two words that count as one. */
  let apart = true
  let index = 0
  while (index < length) {
    let gap = SEED
    let last = 0
    let hasSign = false
    let unit = readUnit(text.charCodeAt(index))
    while (!isLetters(unit)) {
      if ((unit & CLASS_MASK) === RARE) return null
      if (unit === SPACE || unit === NEW_LINE || unit === DASH_SIGN) apart = true
      if ((unit & CLASS_MASK) === SIGN) {
        hasSign = true
        unit = signs === 'spaces' ? SPACE : 0
      }
      if (unit !== 0 && (unit !== SPACE || last !== SPACE)) gap = mix(gap, unit)
      if (unit !== 0) last = unit
      index += 1
      if (index === length) return { count, words, ambiguous }
      unit = readUnit(text.charCodeAt(index))
    }
    if (apart) words += 1
    apart = false
    if (hasSign && gap !== SPACE_GAP && count > 0) ambiguous = true
    // Removed signs do not separate: the previous word continues.
    const goesOn = gap === SEED && count > 0
    if (!goesOn) {
      if (count === hashes.length) makeRoom()
      gaps[count] = gap
      starts[count] = index
      hashes[count] = SEED
      count += 1
    }
    let hash = hashes[count - 1] ?? SEED
    do {
      if ((unit & CLASS_MASK) === LETTER) hash = mix(hash, unit)
      else for (const letter of lettersOf(unit)) hash = mix(hash, letter)
      index += 1
      if (index === length) break
      unit = readUnit(text.charCodeAt(index))
    } while (isLetters(unit))
    hashes[count - 1] = hash
  }
  return { count, words, ambiguous }
}

const SPACE_GAP = mix(SEED, SPACE)

/** Steps from branch to branch of a tree of phrases, by branch, gap and word, in one open hash table. */
type Steps = { keys: Int32Array; targets: Int32Array; mask: number }

const hashOf = (text: string): number => {
  let hash = SEED
  for (let index = 0; index < text.length; index += 1)
    hash = mix(hash, readUnit(text.charCodeAt(index)))
  return hash
}

const stepKey = (branch: number, gap: number, word: number): number => {
  const key = mix(mix(mix(SEED, branch), gap), word)
  return key ^ (key >>> 15)
}

/** Where the step leads; 0 when there is none. Two steps of one hash share a branch: a hit is confirmed by its text. */
function follow({ keys, targets, mask }: Steps, key: number): number {
  for (let slot = key & mask; ; slot = (slot + 1) & mask) {
    const target = targets[slot] ?? 0
    if (target === 0 || keys[slot] === key) return target
  }
}

function createSteps(entries: ReadonlyMap<number, number>): Steps {
  const size = 2 ** Math.ceil(Math.log2(entries.size * 4 + 4))
  const steps = { keys: new Int32Array(size), targets: new Int32Array(size), mask: size - 1 }
  for (const [key, target] of entries) {
    let slot = key & steps.mask
    while (steps.targets[slot] !== 0) slot = (slot + 1) & steps.mask
    steps.keys[slot] = key
    steps.targets[slot] = target
  }
  return steps
}

/** `phrases` may share a number: one keyword is a phrase as given and one with an added 's'. */
export function createPhraseScanner(phrases: readonly Phrase[]): PhraseScanner {
  const entries = new Map<number, number>()
  const ends: { index: number; text: string }[][] = [[]]
  for (const phrase of phrases) {
    let branch = 0
    for (const [place, word] of phrase.words.entries()) {
      const key = stepKey(branch, place === 0 ? 0 : hashOf(phrase.gaps[place] ?? ''), hashOf(word))
      branch = entries.get(key) ?? ends.push([]) - 1
      entries.set(key, branch)
    }
    ends[branch]?.push({ index: phrase.index, text: textOf(phrase) })
  }
  const steps = createSteps(entries)
  /** The last search that found each phrase, by number. */
  const foundIn = new Uint32Array(Math.max(0, ...phrases.map(({ index }) => index + 1)))
  let search = 0

  function find(text: string, count: number, signs: Signs, hits: number[]): void {
    for (let first = 0; first < count; first += 1) {
      let branch = follow(steps, stepKey(0, 0, hashes[first] ?? 0))
      for (let last = first; branch !== 0; ) {
        for (const phrase of ends[branch] ?? []) {
          if (foundIn[phrase.index] === search) continue
          if (!standsAt(text, starts[first] ?? 0, phrase.text, signs)) continue
          foundIn[phrase.index] = search
          hits.push(phrase.index)
        }
        last += 1
        if (last === count) break
        branch = follow(steps, stepKey(branch, gaps[last] ?? 0, hashes[last] ?? 0))
      }
    }
  }

  return {
    read(text) {
      const reading = readBlock(text, 'removed')
      if (reading === null) return null
      const hits: number[] = []
      search += 1
      find(text, reading.count, 'removed', hits)
      if (reading.ambiguous) find(text, readBlock(text, 'spaces')?.count ?? 0, 'spaces', hits)
      if (hits.length > 1) hits.sort((a, b) => a - b)
      return { words: reading.words, hits }
    },
  }
}

const textOf = ({ words, gaps }: Phrase): string =>
  words.map((word, place) => (place === 0 ? word : `${gaps[place]}${word}`)).join('')

/** Whether the words from `index` on read as `phrase`, and no more letters follow. */
function standsAt(text: string, index: number, phrase: string, signs: Signs): boolean {
  let matched = 0
  let last = 0
  for (let at = index; at < text.length; at += 1) {
    let unit = readUnit(text.charCodeAt(at))
    if ((unit & CLASS_MASK) === SIGN) {
      if (signs === 'removed') continue
      unit = SPACE
    }
    if (matched === phrase.length) return !isLetters(unit)
    if (unit === SPACE && last === SPACE) continue
    last = unit
    const letters = (unit & CLASS_MASK) === LIGATURE ? lettersOf(unit) : null
    if (letters === null) {
      if (unit !== readUnit(phrase.charCodeAt(matched))) return false
      matched += 1
    } else {
      for (const letter of letters) {
        if (letter !== readUnit(phrase.charCodeAt(matched))) return false
        matched += 1
      }
    }
  }
  return matched === phrase.length
}
