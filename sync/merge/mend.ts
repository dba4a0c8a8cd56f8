import type { Leaf } from './leaves.ts'
import { blockOf, headOf, isWord, linesOf, readTokensOf, type Token } from './tokens.ts'

/**
 * A run that came apart, because its blocks were moved or the other side's words came between its lines, is inserted again
 * in one piece, behind its last words: twice is seen and deleted. Returns whether there was one. `sides`: the blocks of both
 * texts; `written`: what either put in. Changes `leaves`.
 */
export function mendRuns(leaves: Leaf[], sides: readonly Leaf[][], written: Set<Token>): boolean {
  if (written.size === 0) return false
  const places = new Map<Token, { word: number; leaf: number }>()
  let word = 0
  for (const [leaf, block] of leaves.entries()) {
    const tokens = readTokensOf(block)
    if (!tokens && block.text !== '') word += 1
    for (const token of tokens ?? []) {
      if (!isWord(token)) continue
      if (written.has(token)) places.set(token, { word, leaf })
      word += 1
    }
  }
  const torn = sides
    .flatMap((side) => runsOf(side, written))
    .flatMap((run) => {
      const found = run.filter(isWord).map((token) => places.get(token))
      const [first, last] = [found[0], found.at(-1)]
      // What is one with the other side's is there as that.
      const isOne = found.includes(undefined)
      const isWhole = found.every((place, at) => place?.word === (first?.word ?? 0) + at)
      return !last || isOne || isWhole ? [] : [{ run, leaf: last.leaf }]
    })
  for (const { run, leaf } of torn.sort((a, b) => b.leaf - a.leaf)) {
    const [begin] = run
    const whole = !begin || begin.leaf ? run : [headOf(begin), ...run]
    leaves.splice(leaf + 1, 0, ...linesOf(whole).map(blockOf))
  }
  return torn.length > 0
}

/** What a side put in at one place each, in the order of its text. */
function runsOf(leaves: Leaf[], written: Set<Token>): Token[][] {
  const runs: Token[][] = []
  let run: Token[] | null = null
  for (const leaf of leaves) {
    const tokens = readTokensOf(leaf)
    if (!tokens) run = null
    for (const token of tokens ?? []) {
      if (!written.has(token)) run = null
      else if (run) run.push(token)
      else {
        run = [token]
        runs.push(run)
      }
    }
  }
  return runs
}
