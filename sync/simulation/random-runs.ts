import type { Side, Triple } from './merge-triples.ts'
import type { Word } from './random-text.ts'
import { isEnd, recognised, sentencesOf } from './recognised-words.ts'
import { BLOCK, lookOf, occurrencesIn, type Stream } from './text-stream.ts'

/**
 * What one side put in at one place of the base in one go, as its own text has it in the end. `names`: its words, with
 * BLOCK where the writer has a block begin. `readings`: the same, and each other row of words that gives the same text.
 */
export type Run = {
  words: Word[]
  names: string[]
  looks: string[]
  readings: string[][]
  /** Between sentences, or at an end of a block. */
  isAtBoundary: boolean
  /** Ids of the words of the base around it in its line; null at the end of the line. */
  before: string | null
  after: string | null
  /** Ids of the words of the base before and after it, whatever the block; '' at the ends of the text. */
  from: string
  to: string
  /** The sentences of the base around it, and those that the side removed: it may have one of them in it. */
  near: string[][]
  /** No word of the base between those words was removed. */
  isInserted: boolean
  /** No empty block is between those words, neither in the base nor in the text of the side. */
  isClear: boolean
}

type Line = Word[]

export function runsOf(triple: Triple, side: 'mine' | 'theirs'): Run[] {
  const known = new Set(triple.words.base.flat().map(({ id }) => id))
  const lines = recognised(triple, side)
  const isNew = ({ id }: Word): boolean => !known.has(id)
  const flat = lines.flatMap((line, at) => line.map((word) => ({ word, at })))
  const runs: Run[] = []
  for (let from = 0; from < flat.length; ) {
    const first = flat[from]
    if (!first || !isNew(first.word)) {
      from += 1
      continue
    }
    let end = from + 1
    while (end < flat.length && isOneRun(flat[end - 1], flat[end], isNew)) end += 1
    runs.push(runOf(lines, flat, from, end, isNew))
    from = end
  }
  return runs.map((run) => {
    const seen = { near: near(run, triple, side), isClear: isClear(run, triple, lines) }
    return asBlocks({ ...run, ...seen, isInserted: isInserted(run, triple) }, triple, side)
  })
}

/** Words of lines that the writer of a side typed in one go each, as an editor notes them. */
export function typedRunsOf({ words }: Triple, side: 'mine' | 'theirs'): string[] {
  const known = new Set(words.base.flat().map(({ id }) => id))
  return words[side].flatMap((line) => {
    const runs: Word[][] = []
    for (const [at, word] of line.entries()) {
      if (known.has(word.id)) continue
      const before = line[at - 1]
      const isOn = before && !known.has(before.id) && before.go === word.go
      if (isOn) runs.at(-1)?.push(word)
      else runs.push([word])
    }
    return runs.map((run) => run.map(({ name }) => name).join(' '))
  })
}

/** Shorter ones recur by chance. */
const COPY_MIN = 3

function near({ from, to }: Run, { words }: Triple, side: Exclude<Side, 'base'>): string[][] {
  const own = new Set(words[side].flat().map(({ id }) => id))
  return words.base.flatMap((block) => {
    const isNear = block.some(({ id }) => id === from || id === to)
    return sentencesOf(block)
      .filter((sentence) => isNear || sentence.some(({ id }) => !own.has(id)))
      .filter((sentence) => sentence.length >= COPY_MIN)
      .map((sentence) => sentence.map(({ name }) => name))
  })
}

function isInserted({ from, to }: Run, { words: { base } }: Triple): boolean {
  const ids = ['', ...base.flat().map(({ id }) => id), '']
  return ids.indexOf(to, 1) === ids.indexOf(from) + 1
}

function isClear({ from, to }: Run, { words: { base } }: Triple, lines: readonly Line[]): boolean {
  const isBlank = base.flat().length === 0 && base.length === 1
  return [lines, isBlank ? [] : base].every((blocks) => {
    const [start, end] = [blockOf(blocks, from, -1), blockOf(blocks, to, blocks.length)]
    return blocks.slice(start + 1, end).every((words) => words.length > 0)
  })
}

/** The place of the block with this word; `edge` for an end of the text. */
const blockOf = (blocks: readonly Line[], id: string, edge: number): number =>
  id === '' ? edge : blocks.findIndex((words) => words.some((word) => word.id === id))

type PlacedWord = { word: Word; at: number }

/** What was typed at two times is one run within a line: by its text it cannot be told apart. */
const isOneRun = (
  before: PlacedWord | undefined,
  next: PlacedWord | undefined,
  isNew: (word: Word) => boolean,
): boolean =>
  before !== undefined &&
  next !== undefined &&
  isNew(next.word) &&
  (before.at === next.at || before.word.go === next.word.go)

function runOf(
  lines: readonly Line[],
  flat: readonly PlacedWord[],
  from: number,
  end: number,
  isNew: (word: Word) => boolean,
): Run {
  const own = flat.slice(from, end)
  const rows = own.flatMap(({ word, at }, index) => {
    const isBegin = index > 0 && own[index - 1]?.at !== at
    return isBegin ? [BREAK, word] : [word]
  })
  const [left, right] = [flat[from - 1], flat[end]]
  const [before, after] = [inLine(left, own[0]), inLine(right, own.at(-1))]
  const names = rows.map(({ name }) => name)
  const isAtBoundary =
    (before === null || isEnd(before)) && (after === null || isEnd(own.at(-1)?.word ?? BREAK))
  const isOpen = isAtBoundary || names.includes(BLOCK)
  return {
    words: own.map(({ word }) => word),
    names,
    looks: rows.map((word) => (word === BREAK ? '' : lookOf(word.marks, word.href))),
    readings: isOpen
      ? [names]
      : readingsOf(lines[own[0]?.at ?? 0] ?? [], own[0]?.word, own.length, isNew),
    isAtBoundary: before === null || isEnd(before),
    before: before?.id ?? null,
    after: after?.id ?? null,
    from: flat.findLast(({ word }, at) => at < from && !isNew(word))?.word.id ?? '',
    to: flat.find(({ word }, at) => at >= end && !isNew(word))?.word.id ?? '',
    near: [],
    isInserted: true,
    isClear: true,
  }
}

const BREAK: Word = { id: '', name: BLOCK, marks: [], href: null, go: 0 }

const inLine = (near: PlacedWord | undefined, own: PlacedWord | undefined): Word | null =>
  near && near.at === own?.at ? near.word : null

/**
 * Rows of words that may have been typed as well: 'b' and 'a' behind an 'a' are 'a' and 'b' before it. One that is whole
 * sentences is what a reader sees, and then the only one.
 */
function readingsOf(
  line: Line,
  first: Word | undefined,
  length: number,
  isNew: (word: Word) => boolean,
): string[][] {
  const start = first ? line.indexOf(first) : 0
  const starts = [start]
  const isShift = (at: number): boolean => {
    const [gone, come] = [line[at], line[at + length]]
    return gone !== undefined && come !== undefined && gone.name === come.name
  }
  for (let at = start; isShift(at) && !isNew(line[at + length] ?? BREAK); at += 1)
    starts.push(at + 1)
  for (let at = start - 1; isShift(at) && !isNew(line[at] ?? BREAK); at -= 1) starts.push(at)
  const whole = starts.filter(
    (at) =>
      (at === 0 || isEnd(line[at - 1] ?? BREAK)) &&
      (at + length === line.length || isEnd(line[at + length - 1] ?? BREAK)),
  )
  return (whole.length > 0 ? whole : starts).map((at) =>
    line.slice(at, at + length).map(({ name }) => name),
  )
}

/** Blocks of its own stay so, where it is sure between which blocks of the base they are. */
function asBlocks(run: Run, triple: Triple, side: Exclude<Side, 'base'>): Run {
  const { base } = triple.words
  const empty = (blocks: Line[]): number => blocks.filter((words) => words.length === 0).length
  const other = triple.words[side === 'mine' ? 'theirs' : 'mine']
  if (run.before !== null || run.after !== null) return run
  // It may have been typed into an empty one.
  if (empty(triple.words[side]) < empty(base)) return run
  const [above, below] = [blockOf(base, run.from, -1), blockOf(base, run.to, base.length)]
  const isBetween =
    below === above + 1 &&
    (run.from === '' || base[above]?.at(-1)?.id === run.from) &&
    (run.to === '' || base[below]?.[0]?.id === run.to)
  const [otherAbove, otherBelow] = [
    blockOf(other, run.from, -2),
    blockOf(other, run.to, other.length + 1),
  ]
  const isKept = otherAbove !== -1 && otherBelow !== -1 && otherAbove < otherBelow
  if (!isBetween || !isKept) return run
  const names = [BLOCK, ...run.names, BLOCK]
  return { ...run, names, looks: ['', ...run.looks, ''], readings: [names] }
}

/** Whether both are at one place of the base: surely, or only as far as one of the words around them says. */
export function isOnePlace(own: Run, other: Run): 'yes' | 'near' | 'no' {
  const isSame = own.from === other.from && own.to === other.to
  if (isSame && own.before === other.before && own.after === other.after) return 'yes'
  return own.from === other.from || own.to === other.to ? 'near' : 'no'
}

/** `own` and `other`: what each still owes; `shared`: the pieces that are one. */
type Sharing = { own: string[][]; other: string[][]; shared: string[][] }

const SENTENCE_MIN = 4

/**
 * Null where nothing of the two is one: none is in the other, and they share no whole sentence or block. Of sentences that
 * they share in different orders, those are one that the result has once.
 */
export function sharedOf(own: Run, other: Run, isSure: boolean, result: Stream): Sharing | null {
  const [a, b] = [own, other].map(({ names }) => trimmed(names)) as [string[], string[]]
  const isSame = a.length === b.length
  if (isIn(a, b) && (isSure || isSame || isWorth(a)))
    return { own: [], other: [other.names], shared: isSame || isWorth(a) ? [a] : [] }
  if (isIn(b, a) && (isSure || isWorth(b)))
    return { own: [own.names], other: [], shared: isWorth(b) ? [b] : [] }
  const [parts, others] = [partsOf(a), partsOf(b)]
  const common = commonOf(parts, others, (part) => (result.count(trimmed(part)) > 1 ? 1 : 1.01))
  if (common.length === 0) return null
  return {
    own: between(parts, new Set(common.map(([at]) => at))),
    other: [
      ...between(others, new Set(common.map(([, at]) => at))),
      ...common.map(([, at]) => trimmed(others[at] ?? [])),
    ],
    shared: common.map(([at]) => trimmed(parts[at] ?? [])),
  }
}

/**
 * What each of several runs at one place still owes, where the two sides share sentences or blocks of them; empty where they
 * share none.
 */
export function sharedByAll(ours: readonly Run[], others: readonly Run[], result: Stream) {
  const [a, b] = [ours, others].map((runs) =>
    runs.flatMap((run) => partsOf(trimmed(run.names)).map((part, at) => ({ run, part, at }))),
  ) as [RunPart[], RunPart[]]
  const partsIn = (all: RunPart[]) => all.map(({ part }) => part)
  const common = commonOf(partsIn(a), partsIn(b), (part) =>
    result.count(trimmed(part)) > 1 ? 1 : 1.01,
  )
  const owed = new Map<Run, string[][]>()
  if (common.length === 0) return owed
  const places = [common.map(([at]) => at), common.map(([, at]) => at)]
  for (const [index, [runs, all]] of (
    [
      [ours, a],
      [others, b],
    ] as const
  ).entries()) {
    const shared = (places[index] ?? []).map((at) => all[at])
    for (const run of runs) {
      const known = shared.filter((part) => part?.run === run)
      const without = new Set(known.map((part) => part?.at ?? 0))
      if (without.size === 0) continue
      const parts = partsOf(trimmed(run.names))
      const once = index === 0 ? [] : known.map((part) => trimmed(part?.part ?? []))
      owed.set(run, [...between(parts, without), ...once])
    }
  }
  return owed
}

type RunPart = { run: Run; part: string[]; at: number }

/** A word or two that are also in what the other one typed may be one with it, or not. */
const isWorth = (names: string[]): boolean => names.length >= SENTENCE_MIN

export const trimmed = (names: string[]): string[] =>
  names.slice(names[0] === BLOCK ? 1 : 0, names.at(-1) === BLOCK ? -1 : undefined)

export const isIn = (part: string[], all: string[]): boolean => occurrencesIn(all, part) > 0

/** The sentences of a row, each with the BLOCK before it. */
export function partsOf(names: string[]): string[][] {
  const parts: string[][] = [[]]
  for (const name of names) {
    const last = parts.at(-1)?.at(-1)
    if (name === BLOCK || (last !== undefined && /[.!?]$/.test(last))) parts.push([])
    parts.at(-1)?.push(name)
  }
  return parts.filter((part) => trimmed(part).length > 0)
}

/** The common row of sentences of most weight, as pairs of their places. */
function commonOf(
  parts: string[][],
  others: string[][],
  weightOf: (part: string[]) => number,
): [number, number][] {
  type Row = { weight: number; pairs: [number, number][] }
  const best = new Map<number, Row>()
  const from = (a: number, b: number): Row => {
    const [part, other] = [parts[a], others[b]]
    if (!part || !other) return { weight: 0, pairs: [] }
    const key = a * (others.length + 1) + b
    const known = best.get(key)
    if (known) return known
    const choices = [from(a + 1, b), from(a, b + 1)]
    if (isShared(part, other)) {
      const rest = from(a + 1, b + 1)
      choices.push({ weight: rest.weight + weightOf(part), pairs: [[a, b], ...rest.pairs] })
    }
    const found = choices.reduce((most, choice) => (choice.weight > most.weight ? choice : most))
    best.set(key, found)
    return found
  }
  return from(0, 0).pairs
}

function isShared(part: string[], other: string[]): boolean {
  const [a, b] = [trimmed(part), trimmed(other)]
  return a.length >= SENTENCE_MIN && a.length === b.length && a.every((name, at) => name === b[at])
}

/** What is between the parts with these places. */
function between(parts: string[][], without: Set<number>): string[][] {
  const rows: string[][] = [[]]
  for (const [at, part] of parts.entries()) {
    if (without.has(at)) rows.push([])
    else rows.at(-1)?.push(...part)
  }
  return rows.map(trimmed).filter((row) => row.length > 0)
}
