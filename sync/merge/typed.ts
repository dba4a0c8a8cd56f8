import { isWord, type Token } from './tokens.ts'

/** The words of lines that one writer typed in one go each. */
export type TypedRuns = readonly (readonly string[])[]

/** A run that is in the text more often is not looked for: which of them was typed is not in the text. */
const MOST_PLACES = 8

/**
 * Marks with 1 the tokens that the writer of a side typed since the base; null when there are none. Not marked: a run that
 * the base has as often as the side, and the beginning of a run that the base has as often behind the same word.
 */
export function typedSince(base: Token[], side: Token[], runs: TypedRuns): Uint8Array | null {
  if (runs.length === 0) return null
  const isNew = new Uint8Array(side.length)
  const [known, own] = [placesOf(base), placesOf(side)]
  for (const run of runs) {
    const [first = ''] = run
    const [old, now] = [known.get(first) ?? [], own.get(first) ?? []]
    const found = placesIn(side, run, now)
    if (found.length > MOST_PLACES || placesIn(base, run, old).length >= found.length) continue
    const begunInBase = (at: number): number => {
      const behind = (tokens: Token[]) => (place: number) =>
        tokens[place - 1]?.text === side[at - 1]?.text
      let there = old.filter(behind(base))
      let here = now.filter(behind(side))
      let begun = 0
      while (begun < run.length && there.length > 0 && there.length >= here.length) {
        begun += 1
        const isNext = (tokens: Token[]) => (place: number) =>
          tokens[place + begun]?.text === run[begun]
        there = there.filter(isNext(base))
        here = here.filter(isNext(side))
      }
      return begun
    }
    for (const at of found) isNew.fill(1, at + begunInBase(at), at + run.length)
  }
  return isNew.includes(1) ? isNew : null
}

/** So many words of a run at most were replaced at one place. */
const MOST_REPLACED = 3

/** The runs as the text has them: with the corrections that their writer typed in them later. */
export function corrected(runs: TypedRuns, side: Token[]): TypedRuns {
  if (runs.length < 2) return runs
  const places = placesOf(side)
  return runs.map((run, at) => {
    const starts = places.get(run[0] ?? '') ?? []
    if (placesIn(side, run, starts).length > 0) return run
    const later = runs.slice(at + 1).filter((one) => one.length > 0)
    for (const start of starts) {
      const words = correctedAt(start, side, run, later)
      if (words) return words
    }
    return run
  })
}

/** The words of a run with its corrections, if it begins at `start`; null if it does not. */
function correctedAt(
  start: number,
  side: Token[],
  run: readonly string[],
  later: TypedRuns,
): string[] | null {
  let place = start
  let at = 0
  while (at < run.length) {
    const isThere = (words: readonly string[]) =>
      words.every((word, by) => side[place + by]?.text === word)
    const isPart = ([word = '', ...rest]: readonly string[]) =>
      rest.length === 0 && side[place]?.text.includes(word)
    if (isThere(run.slice(at, at + 1))) {
      place += 1
      at += 1
      continue
    }
    const correction = later.find(isThere)?.length ?? (later.some(isPart) ? 1 : 0)
    if (at === 0 || correction === 0) return null
    place += correction
    const kept = run.slice(at, at + MOST_REPLACED + 1).indexOf(side[place]?.text ?? '')
    if (kept < 0 && run.length - at > MOST_REPLACED) return null
    at = kept < 0 ? run.length : at + kept
  }
  return side.slice(start, place).map(({ text }) => text)
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
function placesOf(tokens: Token[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [at, token] of tokens.entries()) {
    if (!isWord(token)) continue
    const found = places.get(token.text)
    if (found) found.push(at)
    else places.set(token.text, [at])
  }
  return places
}
