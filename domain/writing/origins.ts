import type { Hunk } from '../text/diff.ts'
import { differences, type Numbered, runStarts } from '../text/numbered-text.ts'

/** This many words in a row identify a passage. */
const RUN = 3

/**
 * In which sitting each word of a text was first there. A word of a version that the version before it does not have is
 * new, except
 *
 * - in a run of three words that an earlier version has: it was moved, restored, copied, or brought by a merge;
 * - where an earlier version has it, and none so far has it twice: a rare word that was moved without its neighbours.
 *
 * Other words are identified by their neighbours only: two texts have most of their common words in common, so a text
 * that replaces another one would seem to be half of that.
 */
export function createOrigins() {
  let last: Numbered = {
    words: new Int32Array(),
    lines: new Int32Array(),
    starts: Int32Array.of(0),
  }
  let origins = new Int32Array()
  const rareWords = createRareWords()
  const runs = createRuns()

  return {
    /** Takes the next version, and returns how many of its words are new. */
    take(text: Numbered, sitting: number): number {
      const { words } = text
      const hunks = differences(last, text)
      const next = inherited(origins, hunks, words.length)
      const limit = (place: number, origin: number) => {
        next[place] = Math.min(next[place] ?? NEW, origin)
      }
      const places = inserted(hunks)
      const insertedWords = places.map((place) => words[place] ?? 0)
      for (const { at, end } of hunks) rareWords.remove(last.words.subarray(at, end))
      for (const word of insertedWords) rareWords.add(word)
      for (const place of places) limit(place, rareWords.originOf(words[place] ?? 0))
      const touched = runStarts(hunks, words.length, RUN)
      for (const start of touched) runs.forEachOrigin(words, start, limit)
      const newWords = next.filter((origin) => origin === NEW).length
      origins = next.map((origin) => (origin === NEW ? sitting : origin))
      for (const start of touched) runs.add(words, start, origins)
      for (const word of insertedWords) rareWords.settle(word, sitting)
      last = text
      return newWords
    },
    /** The sitting of each word of the last version. */
    current: (): Int32Array => origins,
  }
}

/** Later than every sitting. */
const NEW = 2 ** 31 - 1

/** The origins of the words that stayed; the others are NEW. */
function inherited(origins: Int32Array, hunks: readonly Hunk[], length: number): Int32Array {
  const next = new Int32Array(length).fill(NEW)
  let [old, fresh] = [0, 0]
  for (const { at, end, to } of hunks) {
    next.set(origins.subarray(old, at), fresh)
    ;[old, fresh] = [end, to]
  }
  next.set(origins.subarray(old), fresh)
  return next
}

const inserted = (hunks: readonly Hunk[]): number[] =>
  hunks.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index))

/** Words that no version has twice, and the sitting of the first that has them. */
function createRareWords() {
  const known = new Map<number, { sitting: number; count: number; isRare: boolean }>()
  return {
    remove(words: Int32Array) {
      for (const word of words) {
        const entry = known.get(word)
        if (entry) entry.count -= 1
      }
    },
    add(word: number) {
      const entry = known.get(word) ?? { sitting: NEW, count: 0, isRare: true }
      entry.count += 1
      if (entry.count > 1) entry.isRare = false
      known.set(word, entry)
    },
    /** NEW for a word that only the present version has, and for one that is not rare. */
    originOf(word: number): number {
      const entry = known.get(word)
      return entry?.isRare ? entry.sitting : NEW
    },
    /** The words of the present version are of this sitting if no version had them before. */
    settle(word: number, sitting: number) {
      const entry = known.get(word)
      if (entry?.sitting === NEW) entry.sitting = sitting
    },
  }
}

/** Pairs of numbers below this one are exact as one number. */
const NUMBERS_MAX = 2 ** 26

/** The runs of all versions, and the origins that their words had when they were first there. */
function createRuns() {
  const pairs = new Map<number, number>()
  const runs = new Map<number, readonly number[]>()
  const at = (values: Int32Array, place: number) => values[place] ?? 0
  const keyOf = (words: Int32Array, start: number) => {
    const pair = at(words, start) * NUMBERS_MAX + at(words, start + 1)
    const number = pairs.get(pair) ?? pairs.size
    pairs.set(pair, number)
    return number * NUMBERS_MAX + at(words, start + 2)
  }
  return {
    forEachOrigin(words: Int32Array, start: number, take: (place: number, origin: number) => void) {
      for (const [index, origin] of (runs.get(keyOf(words, start)) ?? []).entries())
        take(start + index, origin)
    },
    add(words: Int32Array, start: number, origins: Int32Array) {
      const key = keyOf(words, start)
      if (!runs.has(key)) runs.set(key, [...origins.subarray(start, start + RUN)])
    },
  }
}
