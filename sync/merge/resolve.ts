import { diffNumbers } from '../../domain/diff.ts'
import { hasAddressesOf, isTorn } from './addresses.ts'
import { joinTokens } from './token-merge.ts'
import { isWord, type Keys, linesOf, type Token } from './tokens.ts'

export type Resolved = { run: Token[]; conflict: boolean }

/** What a merge knows of words. */
export type WordKnowledge = {
  keysOf: Keys
  /** Whether the word occurs more than once in one of the texts. One or two such words do not identify an addition. */
  isRecurring(token: Token): boolean
}

/**
 * Both sides inserted in the same place. What both inserted is kept once; a run that contains all of the other replaces
 * both; else both stay, the server's first.
 */
export function resolve(mine: Token[], theirs: Token[], known: WordKnowledge): Resolved {
  if (isSame(mine, theirs)) {
    const conflict = theirs.some(({ text, links }, at) =>
      isTorn('', mine[at]?.links ?? '', links, text.length),
    )
    return { run: joined(mine, theirs), conflict }
  }
  return { run: containing(mine, theirs) ?? united(mine, theirs, known), conflict: true }
}

const isSame = (a: Token[], b: Token[]): boolean =>
  a.length === b.length && a.every((token, index) => isEqual(token, b[index]))

const isEqual = (a: Token, b: Token | undefined): boolean =>
  a.text === b?.text && a.leaf?.shape === b.leaf?.shape

const joined = (mine: Token[], theirs: Token[]): Token[] =>
  theirs.map((token, index) => joinTokens(mine[index] ?? token, token))

/** The run that has all of the other in it, addresses too. */
function containing(mine: Token[], theirs: Token[]): Token[] | null {
  const found = within(mine, theirs)
  if (found && hasAddressesOf(found, mine)) return found
  const other = within(theirs, mine)
  return other && hasAddressesOf(other, theirs) ? other : null
}

/**
 * `all`, if `some` is in it: each line of `some` as the beginning or the end of a line, or as a longer row of words in
 * it; or all its words without regard to lines. A word or two that are also somewhere in the midst of what the other
 * writer typed are not the same addition.
 */
function within(some: Token[], all: Token[]): Token[] | null {
  const lines = linesOf(all)
  let next = 0
  const isInLines = linesOf(some).every((line, index) => {
    const isOpen = index === 0 && !line[0]?.leaf
    const found = lines.findIndex((other, at) => at >= next && hasLine(other, line, at === 0))
    if (found < 0 || (isOpen && found > 0)) return false
    const [[head], [other, ...words]] = [line, lines[found] ?? []]
    if (head?.leaf && other?.leaf) lines[found] = [joinTokens(head, other), ...words]
    next = found
    return true
  })
  if (isInLines) return lines.flat()
  const [words, others] = [some.filter(isWord), all.filter(isWord)]
  return words.length > 0 && hasRow(others, words) ? all : null
}

function hasLine(line: Token[], part: Token[], isFirst: boolean): boolean {
  const [head, words] = split(part)
  const [otherHead, others] = split(line)
  if (head && (!otherHead || !isEqual(head, otherHead))) return false
  return words.length === 0 ? isFirst || others.length === 0 : hasRow(others, words)
}

function hasRow(all: Token[], row: Token[]): boolean {
  const isAt = (from: number): boolean =>
    row.every((token, index) => isEqual(token, all[from + index]))
  const last = all.length - row.length
  if (last < 0) return false
  if (isAt(0) || isAt(last)) return true
  const isLong = row.filter(isWord).length >= ROW
  return isLong && all.some((_, from) => from <= last && isAt(from))
}

const split = (line: Token[]): [head: Token | null, words: Token[]] =>
  line[0]?.leaf ? [line[0], line.slice(1)] : [null, line]

/**
 * Both runs around what they have in common: longer stretches, if they are a good part of the shorter run, and
 * within one line also what they begin and end with.
 */
function united(mine: Token[], theirs: Token[], known: WordKnowledge): Token[] {
  const common = stretches(mine, theirs, known.keysOf).filter(
    ({ inMine, length }) => !isCommonplace(mine.slice(inMine, inMine + length), known),
  )
  const long = common.filter(({ words }) => words >= ROW)
  const share = long.reduce((sum, { words }) => sum + words, 0) / shorter(mine, theirs)
  const kept = share >= ALIKE ? long : common.flatMap((stretch) => endsOf(stretch, mine, theirs))
  const runs: Token[][] = []
  let [a, b] = [0, 0]
  for (const { length, inMine, inTheirs } of kept) {
    runs.push(oneAfterOther(theirs.slice(b, inTheirs), mine.slice(a, inMine)))
    a = inMine + length
    b = inTheirs + length
    runs.push(joined(mine.slice(inMine, a), theirs.slice(inTheirs, b)))
  }
  return [...runs.flat(), ...oneAfterOther(theirs.slice(b), mine.slice(a))]
}

/** A word or two that occur elsewhere too: two writers type such ones in one place, each for a sentence of his own. */
function isCommonplace(run: Token[], { isRecurring }: WordKnowledge): boolean {
  const words = run.filter(isWord)
  return words.length > 0 && words.length < ROW && words.every(isRecurring)
}

/** What both runs begin or end with: words of one line, or whole blocks. */
function endsOf(stretch: Stretch, mine: Token[], theirs: Token[]): Stretch[] {
  const { inMine, inTheirs, length } = stretch
  const isStart = inMine === 0 && inTheirs === 0
  const isEnd = inMine + length === mine.length && inTheirs + length === theirs.length
  if (!isStart && !isEnd) return []
  if (![...mine, ...theirs].some(({ leaf }) => leaf)) return [stretch]
  const run = mine.slice(inMine, inMine + length)
  const cut = isStart ? run.findLastIndex(({ leaf }) => leaf) : run.findIndex(({ leaf }) => leaf)
  if (cut < 0) return []
  if (isStart) return [{ ...stretch, length: cut }]
  return [{ ...stretch, inMine: inMine + cut, inTheirs: inTheirs + cut, length: length - cut }]
}

/** Words in a row that two runs hardly have in common by chance. */
const ROW = 3

/** Share of the words of the shorter run that must be common to both for them to be two versions of one text. */
const ALIKE = 0.3

const shorter = (a: Token[], b: Token[]): number =>
  Math.max(1, Math.min(a.filter(isWord).length, b.filter(isWord).length))

type Stretch = { inMine: number; inTheirs: number; length: number; words: number }

function stretches(mine: Token[], theirs: Token[], keysOf: Keys): Stretch[] {
  const found: Stretch[] = []
  let [a, b] = [0, 0]
  const end = { at: mine.length, end: mine.length, from: theirs.length, to: theirs.length }
  for (const hunk of [...diffNumbers(keysOf(mine), keysOf(theirs)), end]) {
    const length = hunk.at - a
    const words = mine.slice(a, hunk.at).filter(isWord).length
    if (length > 0) found.push({ inMine: a, inTheirs: b, length, words })
    a = hunk.end
    b = hunk.to
  }
  return found
}

/** The server's first; words before the first block belong to the line that is open. */
function oneAfterOther(theirs: Token[], mine: Token[]): Token[] {
  const whole = containing(mine, theirs)
  if (whole) return whole
  const [others, ours] = [openLine(theirs), openLine(mine)]
  return [
    ...theirs.slice(0, others),
    ...mine.slice(0, ours),
    ...theirs.slice(others),
    ...mine.slice(ours),
  ]
}

function openLine(run: Token[]): number {
  const first = run.findIndex(({ leaf }) => leaf)
  return first < 0 ? run.length : first
}
