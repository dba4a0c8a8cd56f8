import { isTorn } from './addresses.ts'
import { NONE } from './align.ts'
import type { Change, Side } from './changes.ts'
import { type Clashes, clashesOf, type Region, type WordSearch } from './clashes.ts'
import type { Leaf } from './leaves.ts'
import {
  contains,
  hasWords,
  inLines,
  isSame,
  oneAfterOther,
  oneOf,
  openWords,
  type Run,
} from './runs.ts'
import { type Sides, sidesOf } from './sides.ts'
import { createTokenMerge, type Renames } from './token-merge.ts'
import { blockOf, endsSentence, headOf, linesOf, type Token, tokensOf } from './tokens.ts'
import type { KnownRuns } from './typed.ts'

/** `origin` is the place in the base of the block that this one grew from, NONE for a new block. */
export type MergedBlock = { leaf: Leaf; origin: number }
export type MergedText = { blocks: MergedBlock[]; conflict: boolean; both: BothWrote[] }

/**
 * A place where both wrote: what each has there, in the result one after the other, lines separated by '\n'.
 * `isSentence`: both changed one sentence, which is there as each of them has it.
 */
export type BothWrote = { theirs: string; mine: string; isSentence: boolean }

type Context = {
  hasWordsOf: Record<'mine' | 'theirs', WordSearch>
  renames: Renames
  /** What either side put in; filled here. */
  written: Set<Token>
  known: KnownRuns
}

/**
 * Merges blocks that both sides changed. What a side put in at one place is in the result in one piece. Where both
 * changed one sentence so that their changes overlap or touch, the result has it twice, as each of them has it. A block
 * or words that one side removed and the other wrote in stay as the other has them.
 */
export function mergeWords(
  base: Leaf[],
  mine: Leaf[],
  theirs: Leaf[],
  { hasWordsOf, renames, written, known }: Context,
): MergedText {
  const [o, a, b] = [tokensOf(base), tokensOf(mine), tokensOf(theirs)]
  const { left, right, continued, areBegun, isBetween } = sidesOf(o, a, b, known)
  const regions = clashesOf(o, left, right, { ...known, hasWordsOf, continued, isBetween })
  for (const { tokens } of [...left.all, ...right.all])
    for (const token of tokens) written.add(token)
  return emit(o, left, right, { ...regions, continued, areBegun, renames })
}

/** Number of tokens of each side's run at this place that the region before it already contains. */
const NOTHING_OPEN = { theirs: 0, mine: 0 }

type Plan = Clashes & Pick<Sides, 'continued' | 'areBegun'> & { renames: Renames }

function emit(o: Token[], left: Side, right: Side, plan: Plan): MergedText {
  const merge = createTokenMerge(plan.renames)
  const both: BothWrote[] = []
  const origins = new Map<Token, number>()
  const out: Token[] = []
  let conflict = plan.isRestored
  const [ours, others] = [placed(left.own), placed(right.own)]
  const add = (tokens: Run = []): void => {
    for (const token of tokens) out.push(token)
  }
  /** `at`: the position of both runs in the base; null for two versions of one sentence. */
  const addBoth = (theirs: Run, mine: Run, at: number | null): void => {
    const isSentence = at === null
    const one = !isSentence && plan.areBegun(at, theirs, mine) ? null : oneOf(theirs, mine)
    if (one) {
      add(one)
      // The longer version of a sentence keeps words that the other side removed.
      conflict ||= isSentence && !isSame(theirs, mine)
      return
    }
    add(
      isSentence
        ? inLines(theirs, mine)
        : oneAfterOther(theirs, mine, {
            isMineFirst: plan.continued.has(at) || isMineFirst(at),
            isLineStart: o[at - 1]?.leaf != null,
          }),
    )
    if (!hasWords(theirs) || !hasWords(mine)) return
    conflict = true
    both.push({ theirs: textOf(theirs), mine: textOf(mine), isSentence })
  }
  /** Whether a side inserted words both at the end of the line before `at` and at the start of the line at `at`. */
  const spansLines = ({ runs, gone }: Placed, at: number): boolean =>
    o[at]?.leaf != null && runs.has(at) && runs.get(at + 1)?.[0]?.leaf === null && !gone.has(at)
  /** Whether the order theirs, mine would split a run that spans two lines. */
  const isMineFirst = (at: number): boolean =>
    (spansLines(ours, at - 1) && !spansLines(others, at - 1)) ||
    (spansLines(others, at) && !spansLines(ours, at))
  let block = NONE
  const blocks = o.map(({ leaf }) => {
    if (leaf) block += 1
    return block
  })
  const regions = new Map(plan.regions.map((region) => [region.start, region]))
  const ofRegions = ({ all }: Side) => placed(plan.regions.length > 0 ? all : [])
  const all = { mine: ofRegions(left), theirs: ofRegions(right) }
  let open = NOTHING_OPEN
  /** The first line of a run of mine that spans two lines, if theirs does too. It is inserted after the run of theirs. */
  let carried: Run = []
  for (let at = 0; at <= o.length; at += 1) {
    const own = ours.runs.get(at)?.slice(open.mine) ?? []
    const theirs = others.runs.get(at)?.slice(open.theirs) ?? []
    const mine = carried.length > 0 && own[0] ? [...carried, headOf(own[0]), ...own] : own
    carried = []
    open = NOTHING_OPEN
    if (mine.length === 0 || theirs.length === 0) add(mine.length > 0 ? mine : theirs)
    else if (spansLines(ours, at) && spansLines(others, at) && !regions.has(at)) {
      carried = mine
      add(theirs)
    } else addBoth(theirs, mine, at)
    const region = regions.get(at)
    if (region) {
      const version = versionOf(right, all.theirs, region)
      const other = versionOf(left, all.mine, region)
      for (const { token, place } of version.begins) origins.set(token, blocks[place] ?? NONE)
      const isThere = [region.start, region.end].some((place) => {
        const run = others.runs.get(place)
        return run !== undefined && contains(run, other.tokens)
      })
      if (isThere) add(version.tokens)
      else addBoth(version.tokens, other.tokens, null)
      open = { theirs: version.open, mine: other.open }
      at = region.end - 1
      continue
    }
    add(others.replaced.get(at))
    add(ours.replaced.get(at))
    const token = o[at]
    if (!token || ours.gone.has(at) || others.gone.has(at)) continue
    const l = left.tokens[left.matches[at] ?? NONE]
    const r = right.tokens[right.matches[at] ?? NONE]
    if (l && r && isTorn(token.links, l.links, r.links, token.text.length)) conflict = true
    const kept = l && r ? merge(token, l, r) : (l ?? r)
    if (!kept) continue
    if (kept.leaf) origins.set(kept, blocks[at] ?? NONE)
    out.push(kept)
  }
  return { blocks: blocksOf(out, origins), conflict, both }
}

/** Changes by their place: runs before the token of the base, replacements in its place. */
function placed(changes: Change[]) {
  const runs = new Map<number, Run>()
  const replaced = new Map<number, Run>()
  const gone = new Set<number>()
  for (const { at, end, tokens } of changes) {
    if (at === end) runs.set(at, tokens)
    else if (tokens.length > 0) replaced.set(at, tokens)
    for (let place = at; place < end; place += 1) gone.add(place)
  }
  return { runs, replaced, gone }
}

/**
 * Returns a side's tokens of a region. Runs at the ends of the region are not part of it, except one that continues its last
 * line or sentence; `open` is the number of tokens of that run.
 */
function versionOf({ tokens, matches }: Side, places: Placed, { start, end, isLines }: Region) {
  const { runs, replaced, gone } = places
  const begins: { token: Token; place: number }[] = []
  const version: Token[] = []
  const add = (run: Run = []): void => {
    for (const token of run) version.push(token)
  }
  for (let place = start; place < end; place += 1) {
    if (place > start) add(runs.get(place))
    add(replaced.get(place))
    const token = gone.has(place) ? undefined : tokens[matches[place] ?? NONE]
    if (!token) continue
    if (token.leaf) begins.push({ token, place })
    version.push(token)
  }
  const after = runs.get(end) ?? []
  const last = version.at(-1)
  const continues = isLines || (last !== undefined && !endsSentence(last))
  const open = continues && openWords(after) > 0 ? after.length : 0
  add(after.slice(0, open))
  return { tokens: version, open, begins }
}

type Placed = ReturnType<typeof placed>

const textOf = (run: Run): string =>
  linesOf([...run])
    .map((line) => blockOf(line).text.replaceAll('\0', '\n').trim())
    .join('\n')

/** `origins`: the block of the base that the first token of a line is from. */
function blocksOf(tokens: Token[], origins: ReadonlyMap<Token, number>): MergedBlock[] {
  const lines = linesOf(withHeads(tokens)).filter((line) => !isEmptied(line, origins))
  return lines.map((line) => ({
    leaf: blockOf(line),
    origin: (line[0] && origins.get(line[0])) ?? NONE,
  }))
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
