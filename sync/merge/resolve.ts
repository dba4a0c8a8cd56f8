import { diffNumbers } from '../../domain/diff.ts'
import { hasAddressesOf, isTorn } from './addresses.ts'
import { NONE } from './alignment.ts'
import { isWord, type Keys, linesOf, type Token } from './tokens.ts'

export type Resolved = { run: Token[]; conflict: boolean }

/** One token of two equal ones, in the order in which they are given. */
export type Join = (first: Token, second: Token) => Token

/** What a merge knows of the gap in which both sides inserted. */
export type Gap = {
  keysOf: Keys
  /** Whether the words around the gap are surely those of the base on both sides. */
  hasSureEdges: boolean
  /** Whether the word occurs more than once in one of the texts. */
  isRecurring(token: Token): boolean
  join: Join
}

/**
 * Both sides inserted in the same place. What both inserted is kept once; a run that contains all of the other replaces
 * both; else both stay, one after the other.
 */
export function resolve(first: Token[], second: Token[], gap: Gap): Resolved {
  if (isSame(first, second)) {
    const conflict = first.some(({ text, links }, at) =>
      isTorn('', second[at]?.links ?? '', links, text.length),
    )
    return { run: joined(first, second, gap), conflict }
  }
  return { run: containing(first, second, gap) ?? united(first, second, gap), conflict: true }
}

const isSame = (a: Token[], b: Token[]): boolean =>
  a.length === b.length && a.every((token, index) => isEqual(token, b[index]))

const isEqual = (a: Token, b: Token | undefined): boolean =>
  a.text === b?.text && a.leaf?.shape === b.leaf?.shape

const joined = (first: Token[], second: Token[], { join }: Gap): Token[] =>
  first.map((token, index) => join(token, second[index] ?? token))

/** The run that has all of the other in it, addresses too. */
function containing(first: Token[], second: Token[], gap: Gap): Token[] | null {
  const found = within(second, first, gap)
  if (found && hasAddressesOf(found, second)) return found
  const join: Join = (one, other) => gap.join(other, one)
  const other = within(first, second, { ...gap, join })
  return other && hasAddressesOf(other, first) ? other : null
}

/**
 * `all`, if `some` is in it: each line of `some` as the beginning or the end of a line, or as a longer row of words in
 * it, behind the one before; or all its words without regard to lines. A word or two that are also somewhere in the midst
 * of what the other writer typed are not the same addition.
 */
function within(some: Token[], all: Token[], gap: Gap): Token[] | null {
  const lines = linesOf(all)
  let [next, used] = [0, 0]
  const isInLines = linesOf(some).every((line, index) => {
    const isOpen = index === 0 && !line[0]?.leaf
    let end = NONE
    const found = lines.findIndex((other, at) => {
      if (at >= next) end = endOfLine(other, line, at === 0, at === next ? used : 0, gap)
      return end !== NONE
    })
    if (found < 0 || (isOpen && (found > 0 || isApart(some, all)))) return false
    const [[head], [other, ...words]] = [line, lines[found] ?? []]
    if (head?.leaf && other?.leaf) lines[found] = [gap.join(other, head), ...words]
    next = found
    used = end
    return true
  })
  if (isInLines) return lines.flat()
  if (isApart(some, all)) return null
  const [words, others] = [some.filter(isWord), all.filter(isWord)]
  return words.length > 0 && endOfRow(others, words, 0, gap) !== NONE ? all : null
}

/** Whether one was typed on in a line and the other begins a line of its own: two additions, even of the same words. */
const isApart = (a: Token[], b: Token[]): boolean => (a[0]?.leaf === null) !== (b[0]?.leaf === null)

/** Where the words of `part` end in the line, of which so many are used; NONE where they are not in the rest of it. */
function endOfLine(line: Token[], part: Token[], isFirst: boolean, used: number, gap: Gap): number {
  const [head, words] = split(part)
  const [otherHead, others] = split(line)
  if (head && (!otherHead || !isEqual(head, otherHead))) return NONE
  if (words.length > 0) return endOfRow(others, words, used, gap)
  return isFirst || others.length === 0 ? used : NONE
}

function endOfRow(all: Token[], row: Token[], used: number, gap: Gap): number {
  const isAt = (from: number): boolean =>
    row.every((token, index) => isEqual(token, all[from + index])) &&
    isOneAddition(row, all.slice(from, from + row.length), gap)
  const last = all.length - row.length
  if (last < used) return NONE
  if (isAt(used)) return used + row.length
  const isLong = row.filter(isWord).length >= ROW
  const from = isLong ? all.findIndex((_, at) => at > used && at <= last && isAt(at)) : NONE
  return from !== NONE ? from + row.length : isAt(last) ? all.length : NONE
}

const split = (line: Token[]): [head: Token | null, words: Token[]] =>
  line[0]?.leaf ? [line[0], line.slice(1)] : [null, line]

/**
 * Both runs around what they have in common: longer stretches, if they are a good part of the shorter run, and
 * within one line also what they begin and end with.
 */
function united(first: Token[], second: Token[], gap: Gap): Token[] {
  const common = isApart(first, second) ? [] : stretches(first, second, gap.keysOf)
  const isOne = ({ inFirst, inSecond, length }: Stretch): boolean =>
    isOneAddition(
      first.slice(inFirst, inFirst + length),
      second.slice(inSecond, inSecond + length),
      gap,
    )
  const rows = common.filter(({ words }) => words >= ROW)
  // Where one row is one addition the runs are two versions of one text, and so are the rows between replaced words.
  const long = rows.some(isOne) ? rows : []
  const share = long.reduce((sum, { words }) => sum + words, 0) / shorter(first, second)
  const kept =
    share >= ALIKE ? long : common.filter(isOne).flatMap((one) => endsOf(one, first, second))
  const runs: Token[][] = []
  let [a, b] = [0, 0]
  for (const { length, inFirst, inSecond } of kept) {
    runs.push(oneAfterOther(first.slice(b, inFirst), second.slice(a, inSecond), gap))
    a = inSecond + length
    b = inFirst + length
    runs.push(joined(first.slice(inFirst, b), second.slice(inSecond, a), gap))
  }
  return [...runs.flat(), ...oneAfterOther(first.slice(b), second.slice(a), gap)]
}

/**
 * Whether equal words of both are one addition, and not a common word that two writers typed, or a sentence that both
 * pasted, near each other. They are if the words before and after them are equal too. Otherwise a row is one in a gap
 * with sure edges, one or two words there only with an equal neighbour, and a row below the length of a sentence in any
 * gap with one. A row whose words all recur is none; for one or two such words the end of a line is no neighbour.
 *
 * What was one and is kept twice is a nuisance; what was two and is kept once is lost.
 */
function isOneAddition(row: Token[], other: Token[], { hasSureEdges, isRecurring }: Gap): boolean {
  const words = row.filter(isWord)
  const [before, after] = [row[0]?.before, row.at(-1)?.after]
  const isLikeBefore = before === other[0]?.before
  const isLikeAfter = after === other.at(-1)?.after
  if (words.length === 0 || (isLikeBefore && isLikeAfter)) return true
  const isCommon = words.every(isRecurring)
  if (words.length < ROW && isCommon)
    return hasSureEdges && ((isLikeBefore && before !== '') || (isLikeAfter && after !== ''))
  if (words.length < ROW) return hasSureEdges && (isLikeBefore || isLikeAfter)
  return !isCommon && (hasSureEdges || (words.length < SENTENCE && (isLikeBefore || isLikeAfter)))
}

/** What both runs begin or end with: words of one line, or whole blocks. */
function endsOf(stretch: Stretch, first: Token[], second: Token[]): Stretch[] {
  const { inFirst, inSecond, length } = stretch
  const isStart = inSecond === 0 && inFirst === 0
  const isEnd = inSecond + length === second.length && inFirst + length === first.length
  if (!isStart && !isEnd) return []
  if (![...first, ...second].some(({ leaf }) => leaf)) return [stretch]
  const run = second.slice(inSecond, inSecond + length)
  const cut = isStart ? run.findLastIndex(({ leaf }) => leaf) : run.findIndex(({ leaf }) => leaf)
  if (cut < 0) return []
  if (isStart) return [{ ...stretch, length: cut }]
  return [{ ...stretch, inFirst: inFirst + cut, inSecond: inSecond + cut, length: length - cut }]
}

/** So many words in a row may be a sentence that both writers pasted. */
const SENTENCE = 8

/** Words in a row that two runs hardly have in common by chance. */
const ROW = 3

/** Share of the words of the shorter run that must be common to both for them to be two versions of one text. */
const ALIKE = 0.3

const shorter = (a: Token[], b: Token[]): number =>
  Math.max(1, Math.min(a.filter(isWord).length, b.filter(isWord).length))

type Stretch = { inFirst: number; inSecond: number; length: number; words: number }

function stretches(first: Token[], second: Token[], keysOf: Keys): Stretch[] {
  const found: Stretch[] = []
  let [a, b] = [0, 0]
  const end = { at: second.length, end: second.length, from: first.length, to: first.length }
  for (const hunk of [...diffNumbers(keysOf(second), keysOf(first)), end]) {
    const length = hunk.at - a
    const words = second.slice(a, hunk.at).filter(isWord).length
    if (length > 0) found.push({ inFirst: b, inSecond: a, length, words })
    a = hunk.end
    b = hunk.to
  }
  return found
}

/** Words before the first block belong to the line that is open. */
function oneAfterOther(first: Token[], second: Token[], gap: Gap): Token[] {
  const whole = containing(first, second, gap)
  if (whole) return whole
  const [end, other] = [openLine(first), openLine(second)]
  return [
    ...first.slice(0, end),
    ...second.slice(0, other),
    ...first.slice(end),
    ...second.slice(other),
  ]
}

function openLine(run: Token[]): number {
  const first = run.findIndex(({ leaf }) => leaf)
  return first < 0 ? run.length : first
}
