import { diff } from '../../domain/text/diff.ts'
import type { Triple } from './merge-triples.ts'
import { isIn, type Run } from './random-runs.ts'
import type { Word } from './random-text.ts'
import { isEnd, recognised, sentencesOf } from './recognised-words.ts'
import type { Stream } from './text-stream.ts'

/** A sentence of the base, and the pieces that the result must have of it, one after the other. */
export type Judged = { pieces: string[][]; isUntouched: boolean }

export type SentenceVerdict = {
  judged: Judged[]
  /** Ids of the words that were typed into the sentences that are judged. */
  typed: Set<string>
  torn: string[]
  doubled: string[]
  disordered: string[]
  /** Those that both rewrote at one place. */
  rewritten: string[]
}

type Line = Word[]

/**
 * Sentences of the base that both sides still have in one line. What one side changed comes as it has it; what both
 * changed in different places comes with both changes, once; what both changed at one place comes as each has it, that of
 * `theirs` first. Where the texts leave open which of these it is, one of them must be there. One that is in a run too is
 * not judged: which is which is not in the text.
 */
export function judgeSentences(
  triple: Triple,
  runs: readonly Run[],
  result: Stream,
): SentenceVerdict {
  const verdict: SentenceVerdict = {
    judged: [],
    typed: new Set(),
    torn: [],
    doubled: [],
    disordered: [],
    rewritten: [],
  }
  const sides = (['mine', 'theirs'] as const).map((side) => homesOf(recognised(triple, side)))
  for (const block of triple.words.base) {
    for (const sentence of sentencesOf(block)) {
      if (runs.some(({ names }) => isIn(namesOf(sentence), names))) continue
      const [mine, theirs] = sides.map((homes) => formOf(block, sentence, homes))
      if (!mine || !theirs) continue
      if (maySlideOut(sentence, mine) || maySlideOut(sentence, theirs)) continue
      for (const { id } of [...mine, ...theirs]) verdict.typed.add(id)
      judge(sentence, mine, theirs, result, verdict)
    }
  }
  return verdict
}

/** Whether words that were typed into it may as well have been typed before or after it. */
function maySlideOut(sentence: Line, form: Line): boolean {
  if (form.length <= sentence.length) return false
  const [base, names] = [namesOf(sentence), namesOf(form)]
  return (
    isSame(names.slice(0, base.length), base) ||
    isSame(names.slice(names.length - base.length), base)
  )
}

type Homes = Map<string, { line: Line; at: number }>

const homesOf = (lines: Line[]): Homes =>
  new Map(lines.flatMap((line) => line.map(({ id }, at) => [id, { line, at }] as const)))

/** The sentence as a side has it; null where it is gone, in several lines, or several sentences or half of one. */
function formOf(block: Line, sentence: Line, homes: Homes): Line | null {
  const from = block.indexOf(sentence[0] as Word)
  const end = from + sentence.length
  const kept = sentence.flatMap(({ id }) => homes.get(id) ?? [])
  const [first, last] = [kept[0], kept.at(-1)]
  if (!first || !last) return null
  const isOneLine = kept.every(({ line, at }, index) => {
    const before = kept[index - 1]
    return line === first.line && (before === undefined || at > before.at)
  })
  if (!isOneLine) return null
  const { line } = first
  const known = new Set(block.map(({ id }) => id))
  const isTyped = ({ id }: Word): boolean => !known.has(id) && /^[mt]/.test(id)
  const own = new Set(sentence.map(({ id }) => id))
  const isWhole = line
    .slice(first.at, last.at + 1)
    .every((word) => own.has(word.id) || isTyped(word))
  if (!isWhole) return null
  const hasFirst = homes.has(sentence[0]?.id ?? '')
  const hasLast = homes.has(sentence.at(-1)?.id ?? '')
  const isCut =
    (!hasFirst && from > 0 && !homes.has(block[from - 1]?.id ?? '')) ||
    (!hasLast && end < block.length && !homes.has(block[end]?.id ?? ''))
  if (isCut) return null
  let [start, stop] = [first.at, last.at + 1]
  const isPart = (word: Word | undefined): boolean => word !== undefined && isTyped(word)
  while (!hasFirst && isPart(line[start - 1]) && !isEnd(line[start - 1] as Word)) start -= 1
  while (!hasLast && isPart(line[stop]) && !isEnd(line[stop - 1] as Word)) stop += 1
  const form = line.slice(start, stop)
  return form.slice(0, -1).some(isEnd) ? null : form
}

const namesOf = (line: Line): string[] => line.map(({ name }) => name)
const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, at) => name === b[at])

function judge(
  sentence: Line,
  mine: Line,
  theirs: Line,
  result: Stream,
  verdict: SentenceVerdict,
): void {
  const [base, own, other] = [sentence, mine, theirs].map(namesOf) as [string[], string[], string[]]
  const add = (pieces: string[][], isUntouched = false): void => {
    verdict.judged.push({ pieces, isUntouched })
  }
  if (isSame(own, base) || isSame(other, base) || isSame(own, other)) {
    add([isSame(own, base) ? other : own], isSame(own, base) && isSame(other, base))
    return
  }
  const combined = combinationsOf(sentence, mine, theirs)
  const isOpen = combined.length > 0
  const isApart = isOpen && areApart(base, own, other)
  const chosen = [...combined, ...containing(base, own, other)].find(
    (names) => result.count(names) > 0,
  )
  if (chosen) {
    add([chosen])
    return
  }
  const shown = `'${own.join(' ')}' and '${other.join(' ')}'`
  if (![own, other].every((names) => result.count(names) > 0)) {
    verdict.torn.push(shown)
    return
  }
  add([other, own])
  if (isApart) {
    verdict.doubled.push(shown)
    return
  }
  if (!isOpen) verdict.rewritten.push(shown)
  const [first, second] = [result.placesOf(other), result.placesOf(own)]
  const [before = 0, after = 0] = [first[0], second[0]]
  const isSure = first.length + second.length === 2 && result.isOneBlock(after, before)
  if (isSure && before > after) verdict.disordered.push(shown)
}

/** `base[from, end)` was replaced by these. */
type Change = { from: number; end: number; typed: string[] }

/** The sentence with the changes of both, by the ids of its words and by its text; none where they touch. */
function combinationsOf(sentence: Line, mine: Line, theirs: Line): string[][] {
  const base = namesOf(sentence)
  const ways: [Change[], Change[]][] = [
    [changesById(sentence, mine), changesById(sentence, theirs)],
    [changesByText(base, namesOf(mine)), changesByText(base, namesOf(theirs))],
    [changesFromEnd(base, namesOf(mine)), changesFromEnd(base, namesOf(theirs))],
  ]
  return ways.flatMap(([ours, others]) => {
    const combined = combine(base, ours, others)
    return combined ? [combined] : []
  })
}

function changesById(sentence: Line, form: Line): Change[] {
  const places = new Map(sentence.map(({ id }, at) => [id, at]))
  const changes: Change[] = []
  let [from, typed]: [number, string[]] = [0, []]
  const close = (end: number): void => {
    if (end > from || typed.length > 0) changes.push({ from, end, typed })
  }
  for (const { id, name } of form) {
    const place = places.get(id)
    if (place === undefined) typed.push(name)
    else {
      close(place)
      ;[from, typed] = [place + 1, []]
    }
  }
  close(sentence.length)
  return changes
}

const changesByText = (base: string[], form: string[]): Change[] =>
  diff(base, form).map(({ from, to, newFrom, newTo }) => ({
    from,
    end: to,
    typed: form.slice(newFrom, newTo),
  }))

const changesFromEnd = (base: string[], form: string[]): Change[] =>
  changesByText(base.toReversed(), form.toReversed())
    .map(({ from, end, typed }) => ({
      from: base.length - end,
      end: base.length - from,
      typed: typed.toReversed(),
    }))
    .toReversed()

/** Null where the changes of both touch. What one only removed may not be on both sides of what the other typed. */
function combine(base: string[], ours: Change[], others: Change[]): string[] | null {
  const isTouching = ours.some((own) => others.some((other) => areTouching(own, other)))
  if (isTouching) return null
  const removed = new Set<number>()
  const typed = new Map<number, string[]>()
  for (const { from, end, typed: names } of [...others, ...ours]) {
    for (let at = from; at < end; at += 1) removed.add(at)
    typed.set(from, [...(typed.get(from) ?? []), ...names])
  }
  return Array.from({ length: base.length + 1 }, (_, at) => [
    ...(typed.get(at) ?? []),
    ...(at < base.length && !removed.has(at) ? [base[at] ?? ''] : []),
  ]).flat()
}

function areTouching(own: Change, other: Change): boolean {
  const isBordering = own.from <= other.end && other.from <= own.end
  if (!isBordering) return false
  if (own.typed.length > 0 && other.typed.length > 0) return true
  const [removed, typed] = own.typed.length === 0 ? [own, other] : [other, own]
  return typed.typed.length > 0 && removed.from < typed.from && typed.end < removed.end
}

/** Whether a word that both have is between the changes, wherever equal words let them begin and end. */
function areApart(base: string[], own: string[], other: string[]): boolean {
  const [a, b] = [hullOf(base, own), hullOf(base, other)]
  return a.end < b.from || b.end < a.from
}

function hullOf(base: string[], form: string[]): { from: number; end: number } {
  const least = Math.min(base.length, form.length)
  let [head, tail] = [0, 0]
  while (head < least && base[head] === form[head]) head += 1
  while (tail < least && base.at(-1 - tail) === form.at(-1 - tail)) tail += 1
  return { from: Math.min(head, least - tail), end: Math.max(base.length - tail, head) }
}

/** The form that has the change of the other one in it: what one typed at the place may contain what the other did. */
function containing(base: string[], own: string[], other: string[]): string[][] {
  const [a, b] = [changesByText(base, own), changesByText(base, other)]
  const [left, right] = [a[0], b[0]]
  if (a.length !== 1 || b.length !== 1 || !left || !right) return []
  if (left.from !== right.from || left.end !== right.end) return []
  const isIn = (part: string[], all: string[]): boolean =>
    all.some((_, at) => part.every((name, by) => all[at + by] === name))
  return [
    ...(isIn(right.typed, left.typed) ? [own] : []),
    ...(isIn(left.typed, right.typed) ? [other] : []),
  ]
}
