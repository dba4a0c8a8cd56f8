import { addTo } from './align.ts'
import { isBetweenSentences } from './clashes.ts'
import { endsSentence, isWord, type Token } from './tokens.ts'

/** The words of lines that one writer typed in one go each. */
export type TypedRuns = readonly (readonly string[])[]

/** The typed runs of both sides. `isByAnother` as in `merge3`. */
export type KnownRuns = Record<'mine' | 'theirs', TypedRuns> & { isByAnother?: boolean }

/** A run that is in the text more often is not looked for: which of them was typed is not in the text. */
const MOST_PLACES = 8

/** So many places are tried for a run with corrections: a common word is at many. */
const MOST_STARTS = 200

/** A run as the text has it: `words` are with the corrections that its writer typed in it later. */
export type RunInText = {
  typed: readonly string[]
  words: readonly string[]
  /** Whether `words` are in the text. */
  isThere: boolean
  /** Null for a run as it was typed. */
  corrected: Corrected | null
}

/**
 * `places`: where in `words` each typed word, or what replaced it, is, and their number at the end. `kept`: the places of
 * those that are there as they were typed.
 */
type Corrected = { later: TypedRuns; places: readonly number[]; kept: readonly number[] }

/** A run that is found neither as it was typed nor corrected is given back as it was typed. */
export function runsInText(side: Token[], runs: TypedRuns): RunInText[] {
  if (runs.length === 0) return []
  const own = placesOf(side)
  const found = runs.map((typed, run): RunInText => {
    const asTyped = { typed, words: typed, corrected: null }
    if (placesIn(side, typed, startsOf(typed, own)).length > 0) return { ...asTyped, isThere: true }
    const later = runs.slice(run + 1)
    for (const start of startsOfCorrected(typed, later, side, own)) {
      const { places, end } = followed(side, start, typed, later)
      if (places.length < typed.length) continue
      const words = side.slice(start, end).map(({ text }) => text)
      const kept = places.filter((place, at) => words[place] === typed[at])
      const corrected = { later, places: [...places, words.length], kept }
      return { typed, words, isThere: true, corrected }
    }
    return { ...asTyped, isThere: false }
  })
  return found.flatMap((run, at) => [run, ...withRest(run, found.slice(at + 1), side, own)])
}

/**
 * Returns the run joined with a later run, if the first starts a sentence and the second directly follows and ends it. After a
 * reload in the middle of a sentence, the second run has only the rest of it. Any other later run may be a correction, and
 * one that starts with a capital and does not end a sentence may be a sentence of its own.
 */
function withRest(run: RunInText, later: RunInText[], side: Token[], own: Places): RunInText[] {
  for (const at of run.isThere ? placesIn(side, run.words, startsOf(run.words, own)) : []) {
    const end = at + run.words.length
    if (!isBetweenSentences(side, at) || isBetweenSentences(side, end)) continue
    const isRest = ({ words }: RunInText) =>
      words.every((word, by) => side[end + by]?.text === word) &&
      isBetweenSentences(side, end + words.length) &&
      (endsSentence(side[end + words.length - 1] as Token) || !/^\p{Lu}/u.test(words[0] ?? ''))
    const rest = later.find(isRest)
    if (!rest) continue
    const words = [...run.words, ...rest.words]
    return [{ typed: words, words, isThere: true, corrected: null }]
  }
  return []
}

/**
 * How far the text has a run from `start` on, corrected by later runs or by the letters of one. `places` are those of its
 * words or of what replaced them, from `start`. A run of which half the words were replaced is not recognised.
 */
function followed(tokens: Token[], start: number, run: readonly string[], later: TypedRuns) {
  const places: number[] = []
  let end = start
  let replaced = 0
  while (places.length < run.length) {
    if (tokens[end]?.text === run[places.length]) {
      places.push(end - start)
      end += 1
      continue
    }
    const first = correctionAt(tokens, end, later)
    if (first === 0) break
    const rest = run.slice(places.length)
    const keptAt = (place: number) => rest.indexOf(tokens[place]?.text ?? '')
    let next = end + first
    for (let more = first; keptAt(next) < 0 && more > 0; next += more)
      more = correctionAt(tokens, next, later)
    const isKept = keptAt(next) >= 0
    const gone = isKept ? keptAt(next) : rest.length
    replaced += gone
    if (2 * replaced >= run.length) break
    places.push(...new Array<number>(gone).fill(end - start))
    end = isKept ? next : end + first
  }
  return { places, end }
}

/** The number of words at this place that are a later run, or have the letters of one; 0 for none. */
function correctionAt(tokens: Token[], at: number, later: TypedRuns): number {
  const text = tokens[at]?.text ?? ''
  const isHere = (words: readonly string[]) =>
    words.every((word, by) => tokens[at + by]?.text === word)
  const hasLetters = ([word = '', ...rest]: readonly string[]) =>
    rest.length === 0 && text.includes(word)
  return later.find(isHere)?.length ?? Number(later.some(hasLetters))
}

/**
 * Marks with 1 the tokens that the writer of a side typed since the base; null when there are none. Not marked: a run that
 * the base has as often as the side, and the beginning of a run that the base has: as often behind the same word, or of a
 * corrected run anywhere, because words may have been put in before it.
 */
export function typedSince(base: Token[], side: Token[], runs: RunInText[]): Uint8Array | null {
  if (runs.length === 0) return null
  const isNew = new Uint8Array(side.length)
  const [known, own] = [placesOf(base), placesOf(side)]
  for (const { typed, words, corrected } of runs) {
    const found = placesIn(side, words, startsOf(words, own))
    const inBase = placesIn(base, words, startsOf(words, known))
    if (found.length > MOST_PLACES || inBase.length >= found.length) continue
    const correctedBegin = (corrected: Corrected): number => {
      const { later, places } = corrected
      const starts = startsOfCorrected(typed, later, base, known)
      const begun = starts.map((start) => followed(base, start, typed, later).places.length)
      return places[Math.max(0, ...begun)] ?? 0
    }
    const begunCorrected = corrected && correctedBegin(corrected)
    const begunInBase = (at: number): number => {
      const behind = (tokens: Token[]) => (place: number) =>
        tokens[place - 1]?.text === side[at - 1]?.text
      const isInRun = (place: number) => place > at && place < at + typed.length
      let there = startsOf(typed, known).filter(behind(base))
      let here = startsOf(typed, own).filter((place) => !isInRun(place) && behind(side)(place))
      let begun = 0
      while (begun < typed.length && there.length > 0 && there.length >= here.length) {
        begun += 1
        const isNext = (tokens: Token[]) => (place: number) =>
          tokens[place + begun]?.text === typed[begun]
        there = there.filter(isNext(base))
        here = here.filter(isNext(side))
      }
      return begun
    }
    for (const at of found)
      isNew.fill(1, at + (begunCorrected ?? begunInBase(at)), at + words.length)
  }
  return isNew.includes(1) ? isNew : null
}

type Places = ReadonlyMap<string, readonly number[]>

const startsOf = ([first = '']: readonly string[], places: Places): readonly number[] =>
  places.get(first) ?? []

/** Where the run, or a correction of its first words, may begin: not behind other words of it. */
function startsOfCorrected(
  run: readonly string[],
  later: TypedRuns,
  tokens: Token[],
  places: Places,
): number[] {
  if (later.length === 0) return []
  const corrections = new Set(later.map(([first = '']) => first))
  corrections.delete(run[0] ?? '')
  const isFirst = (at: number) => !run.includes(tokens[at - 1]?.text ?? '')
  const others = [...corrections].flatMap((word) => places.get(word) ?? []).filter(isFirst)
  return [...startsOf(run, places), ...others].slice(0, MOST_STARTS)
}

/** Where the words are in a row, of the places of the first one; more than MOST_PLACES are not all listed. */
function placesIn(tokens: Token[], words: readonly string[], starts: readonly number[]): number[] {
  const found: number[] = []
  for (const at of starts) {
    if (found.length > MOST_PLACES) break
    if (words.every((word, by) => tokens[at + by]?.text === word)) found.push(at)
  }
  return found
}

/** The places of each word. */
function placesOf(tokens: Token[]): Places {
  const places = new Map<string, number[]>()
  for (const [at, token] of tokens.entries()) {
    if (isWord(token)) addTo(places, token.text, at)
  }
  return places
}
