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
