import { hasAddressesOf } from './addresses.ts'
import { matchNumbers, NONE } from './align.ts'
import { joinTokens } from './token-merge.ts'
import { endsSentence, headOf, isWord, type Token } from './tokens.ts'

/** What a side put in at one place of the base. */
export type Run = readonly Token[]

/** So many words in a row are hardly typed by two writers by chance. */
export const SENTENCE_WORDS = 4

export const hasWords = (run: Run): boolean => run.some(isWord)

const isEqual = (a: Token, b: Token | undefined): boolean =>
  b !== undefined && a.text === b.text && a.leaf?.shape === b.leaf?.shape

export const isSame = (a: Run, b: Run): boolean =>
  a.length === b.length && a.every((token, at) => isEqual(token, b[at]))

/** Two equal runs of both sides, with the marks and addresses of both. */
export const joined = (mine: Run, theirs: Run): Token[] =>
  theirs.map((token, at) => joinTokens(mine[at] ?? token, token))

/**
 * Whether `all` has all of `some` in one piece: at its begin or end, as sentences or lines of its own, or as at least
 * SENTENCE_WORDS words. Fewer words within a sentence are two additions, and so is what was typed on in a line and what
 * begins one. A run that starts a line may also be contained without its line start.
 */
export function contains(all: Run, some: Run): boolean {
  if (some.length === 0 || some.length > all.length) return some.length === 0
  const at = placeOf(some, all)
  const isLong = (): boolean => some.filter(isWord).length >= SENTENCE_WORDS
  if (at === null && some[0]?.leaf && isLong()) {
    const words = some.slice(1)
    const place = placeOf(words, all) ?? 0
    return place > 0 && contains(all.slice(place), words)
  }
  if (at === null || (!some[0]?.leaf && all[at - 1]?.leaf)) return false
  const end = at + some.length
  const isWhole = isUnitAt(all, at) && (end === all.length || isUnitAt(all, end))
  const isAtEdge = at === 0 || end === all.length
  return (isWhole || isLong() || isAtEdge || !hasWords(some)) && hasAddressesOf(all, some)
}

/** The one of two runs that has the other in it, with the marks of both where they are equal; null for none. */
export function oneOf(theirs: Run, mine: Run): Run | null {
  if (isSame(mine, theirs)) return joined(mine, theirs)
  return contains(theirs, mine) ? theirs : contains(mine, theirs) ? mine : null
}

/** Whether the shorter run is a prefix of the longer one within a sentence, of fewer than SENTENCE_WORDS words. */
export function beginAlike(run: Run, other: Run): boolean {
  const [some, all] = run.length < other.length ? [run, other] : [other, run]
  const isBegin = (token: Token, at: number) =>
    !token.leaf && !endsSentence(token) && isEqual(token, all[at])
  return some.length < SENTENCE_WORDS && all[some.length]?.leaf === null && some.every(isBegin)
}

/** Where `some` is in `all`; the last place, null for none. Linear, by the failure function of Knuth, Morris and Pratt. */
function placeOf(some: Run, all: Run): number | null {
  const fallbacks = new Int32Array(some.length)
  const advance = (known: number, token: Token): number => {
    let length = known
    while (length > 0 && (length === some.length || !isEqual(token, some[length])))
      length = fallbacks[length - 1] ?? 0
    return isEqual(token, some[length]) ? length + 1 : 0
  }
  for (let at = 1, length = 0; at < some.length; at += 1) {
    length = advance(length, some[at] as Token)
    fallbacks[at] = length
  }
  let found: number | null = null
  let length = 0
  for (const [at, token] of all.entries()) {
    length = advance(length, token)
    if (length === some.length) found = at + 1 - length
  }
  return found
}

/** Whether a sentence or a line begins at this place. */
function isUnitAt(run: Run, at: number): boolean {
  const [before, token] = [run[at - 1], run[at]]
  return !before || token?.leaf !== null || (!before.leaf && endsSentence(before))
}

/** `isMineFirst`: mine is inserted before theirs. `isLineStart`: the runs are at the start of a line. */
type Meeting = { isMineFirst: boolean; isLineStart: boolean }

/**
 * Combines two runs at one place, each in one piece. Sentences and lines that both contain in the same order are inserted once. At
 * the start of a line, the second run starts a new line if it has several lines.
 */
export function oneAfterOther(
  theirs: Run,
  mine: Run,
  { isMineFirst, isLineStart }: Meeting,
): Token[] {
  const [first, second] = isMineFirst ? [mine, theirs] : [theirs, mine]
  const [some, others] = [unitsOf(first), unitsOf(second)]
  const out: Token[] = []
  const add = (run: Run): void => {
    for (const token of run) out.push(token)
  }
  let [a, b] = [0, 0]
  for (const [end, to] of [...shared(some, others), [some.length, others.length] as const]) {
    const [run, other] = [some.slice(a, end).flat(), others.slice(b, to).flat()]
    const [unit = [], same = []] = [some[end], others[to]]
    const [head, otherHead] = [headIn(unit), headIn(same)]
    const begin = head.length > 0 ? head : otherHead
    const [lines, typed] = head.length > otherHead.length ? [run, other] : [other, run]
    if (head.length !== otherHead.length && hasWords(typed))
      add(isOpen(typed) ? [...lines, ...begin, ...typed] : inLines(lines, typed))
    else {
      const isLine = isLineStart && a + b === 0 && hasWords(run)
      add([...inLines(run, isLine ? asLines(other) : other), ...begin])
    }
    add(joined(same.slice(otherHead.length), unit.slice(head.length)))
    a = end + 1
    b = to + 1
  }
  return out
}

/** Returns the line start token of a sentence; empty if it does not start a line. */
const headIn = ([first]: Run): Run => (first?.leaf ? [first] : [])

/** The sentences of a run, and of each line the begin with its first one. */
function unitsOf(run: Run): Token[][] {
  const units: Token[][] = []
  for (const [at, token] of run.entries()) {
    if (isUnitAt(run, at)) units.push([token])
    else units.at(-1)?.push(token)
  }
  return units
}

/** The places of the units that count as the same. */
function shared(some: Token[][], others: Token[][]): [number, number][] {
  const numbers = new Map<string, number>()
  const numbered = (units: Token[][]) =>
    Int32Array.from(units, (unit, at) => {
      const next = units[at + 1]
      const isLine = unit[0]?.leaf != null && (!next || next[0]?.leaf != null)
      const words = unit.filter(({ leaf }) => !leaf)
      const isCounted = isLine || words.filter(isWord).length >= SENTENCE_WORDS
      const begin = isLine && words.length < SENTENCE_WORDS ? `\0${unit[0]?.leaf?.shape}` : ''
      const name = isCounted
        ? `${begin}${words.map(({ text }) => text).join(' ')}`
        : `\0${numbers.size}`
      const number = numbers.get(name) ?? numbers.size
      numbers.set(name, number)
      return number
    })
  const matches = matchNumbers(numbered(some), numbered(others))
  return [...matches.entries()].filter(([, place]) => place !== NONE)
}

/** Two pieces, each whole. Words of the line that is open come before lines; words after the lines of another begin one. */
export function inLines(first: Run, second: Run): Token[] {
  const [end, other] = [openWords(first), openWords(second)]
  if (end === first.length || other === 0) return [...first, ...second]
  const open = first.slice(0, end)
  const [at, next] = [placeOf(open, second), first[end + 1]]
  // The other one divided the line there: the next word is in a line of its own.
  const isDivided = at !== null && next !== undefined && second[at + end]?.text === next.text
  const isTypedOn = other === second.length && !isDivided && contains(second, open)
  if (end === 0 || isTypedOn) return [...second, ...first.slice(end)]
  return [...first, headOf(second[0] as Token), ...second]
}

/** Adds the line start token to a run of several lines that has none; returns any other run unchanged. */
function asLines(run: Run): Run {
  const [first] = run
  return first && !first.leaf && !isOpen(run) ? [headOf(first), ...run] : run
}

/** Whether a run contains no line start. */
const isOpen = (run: Run): boolean => openWords(run) === run.length

/** How many tokens of a run belong to the line that is open. */
export function openWords(run: Run): number {
  const begin = run.findIndex(({ leaf }) => leaf)
  return begin < 0 ? run.length : begin
}
