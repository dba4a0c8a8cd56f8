import type { ArticleDocument } from '../../domain/text/document.ts'
import type { Triple } from './merge-triples.ts'
import {
  isIn,
  isOnePlace,
  partsOf,
  type Run,
  runsOf,
  sharedByAll,
  sharedOf,
  trimmed,
} from './random-runs.ts'
import type { Word } from './random-text.ts'
import { type Judged, judgeSentences } from './sentence-forms.ts'
import { BLOCK, occurrencesIn, type Stream, streamOf } from './text-stream.ts'

/**
 * What a merge did wrong with the runs that two people typed and with the sentences that they had. Ids of the typed
 * words say which runs there are; the result has names alone, so a piece must be there as often as all texts owe it.
 */
export type RunVerdict = {
  /** Runs, rewritten sentences and untouched sentences of the base that are not there in one piece. */
  torn: string[]
  /** Sentences of runs that the result does not contain word for word. */
  broken: string[]
  /** What both typed at one place, or a sentence that both edited in different places, and is there twice. */
  doubled: string[]
  /** What `mine` typed at one place, or its form of a sentence, that is before that of `theirs`. */
  disordered: string[]
  /** Runs that are there without the marks or links that they were typed with. */
  bare: string[]
  /** Sentences that both rewrote, and no conflict is named. */
  unflagged: string[]
  /** How many runs there are. */
  runs: number
}

/**
 * What must be in the result in one piece. `forms`: one of them must; several where the text leaves open which. `run`: the
 * run that it is, if nothing of it may be one with words of the other side.
 */
type Piece = { forms: string[][]; run: Run | null }

export function runVerdictOf(
  triple: Triple,
  { document, conflict }: { document: ArticleDocument; conflict: boolean },
): RunVerdict {
  const result = streamOf(document)
  const [ours, others] = [runsOf(triple, 'mine'), runsOf(triple, 'theirs')]
  const sentences = judgeSentences(triple, [...ours, ...others], result)
  const isInside = ({ words }: Run): boolean => words.every(({ id }) => sentences.typed.has(id))
  const [left, right] = [ours, others].map((runs) => runs.filter((run) => !isInside(run))) as [
    Run[],
    Run[],
  ]
  const united = unite(left, right, result)
  const pieces = [
    ...united.pieces,
    ...sentences.judged.flatMap(({ pieces }) =>
      pieces.map((form) => ({ forms: [form], run: null })),
    ),
  ]
  const apart = united.meetings.filter(({ shared, isOnly }) => shared === null && isOnly)
  return {
    torn: [...sentences.torn, ...pieces.filter(isMissing(pieces, result)).map(named)],
    broken: [...left, ...right].flatMap((run) => brokenIn(run, result)).map(nameOf),
    doubled: [
      ...sentences.doubled,
      ...united.meetings.flatMap((meeting) => twice(meeting, triple, sentences.judged, result)),
    ],
    disordered: [
      ...sentences.disordered,
      ...apart
        .filter((meeting) => isDisordered(meeting, result))
        .map(({ own }) => nameOf(own.names)),
    ],
    bare: united.pieces.filter(isBare(result)).map(named),
    unflagged: conflict ? [] : sentences.rewritten,
    runs: ours.length + others.length,
  }
}

/** Returns the missing sentences of a run; none if the result contains all sentences of one of its readings. */
function brokenIn({ readings }: Run, result: Stream): string[][] {
  const missing = readings.map((names) =>
    partsOf(names)
      .map(trimmed)
      .filter((sentence) => sentence.length > 1 && result.count(sentence) === 0),
  )
  return missing.some((sentences) => sentences.length === 0) ? [] : (missing[0] ?? [])
}

const nameOf = (names: readonly string[]): string => `'${names.join(' ')}'`
const named = ({ forms }: Piece): string => nameOf(forms[0] ?? [])

/**
 * Two runs at one place. `shared`: the pieces that are one by the rule, null for none. `isOnly`: neither side put in more
 * between the same words of the base, and no empty block leaves open where it was.
 */
type Meeting = { own: Run; other: Run; shared: string[][] | null; isOnly: boolean }

/** Whether one of the runs has a sentence of the base around this one: which one is which is not in the text. */
const isCopied = ({ near }: Run, runs: readonly Run[]): boolean =>
  near.some((sentence) => runs.some(({ names }) => isIn(sentence, names)))

/** Its sentences, where it has one that is also in the base around it and may be that one; null for a run without. */
function withoutCopies({ names, near }: Run): string[][] | null {
  if (!near.some((sentence) => isIn(sentence, names))) return null
  return partsOf(names)
    .map(trimmed)
    .filter((part) => !near.some((sentence) => isIn(sentence, part)))
}

/** The runs between the same words of the base. */
function groupsOf(runs: readonly Run[]): Run[][] {
  const groups: Run[][] = []
  for (const run of runs) {
    const last = groups.at(-1)
    if (last?.[0] && isNextTo(last[0], run)) last.push(run)
    else groups.push([run])
  }
  return groups
}

const isNextTo = (run: Run, other: Run): boolean => run.from === other.from && run.to === other.to

/** The pieces that both sides owe: what is one with a run of the other side at its place is owed once. */
function unite(
  ours: Run[],
  others: Run[],
  result: Stream,
): { pieces: Piece[]; meetings: Meeting[] } {
  const owed = new Map<Run, string[][]>()
  const met = new Set<Run>()
  const meetings: Meeting[] = []
  for (const own of groupsOf(ours)) {
    for (const other of groupsOf(others)) {
      if (own.length + other.length < 3 || !isNextTo(own[0] as Run, other[0] as Run)) continue
      for (const [run, parts] of sharedByAll(own, other, result)) {
        owed.set(run, parts)
        met.add(run)
      }
    }
  }
  for (const own of ours) {
    for (const other of others) {
      const nearness = isOnePlace(own, other)
      if (nearness === 'no') continue
      const sharing = sharedOf(own, other, nearness === 'yes', result)
      const isSure = [own, other].every(
        (run) => run.isClear && !isCopied(run, [...ours, ...others]),
      )
      const isAlone = [ours, others].every(
        (runs) => runs.filter((run) => isNextTo(run, own)).length === 1,
      )
      if (nearness === 'yes')
        meetings.push({ own, other, shared: sharing?.shared ?? null, isOnly: isSure && isAlone })
      if (!sharing) continue
      for (const run of [own, other]) met.add(run)
      if (owed.has(own) || owed.has(other)) continue
      owed.set(own, sharing.own)
      owed.set(other, sharing.other)
    }
  }
  const pieces = [...others, ...ours].flatMap((run): Piece[] => {
    const parts = owed.get(run) ?? withoutCopies(run)
    if (parts) return parts.map((part) => ({ forms: [part], run: null }))
    return [{ forms: run.readings, run: run.isInserted && !met.has(run) ? run : null }]
  })
  return { pieces, meetings }
}

/** Whether the result has none of its forms as often as all pieces together owe it. */
function isMissing(pieces: readonly Piece[], result: Stream): (piece: Piece) => boolean {
  const there = pieces.map(({ forms }) => forms.find((form) => result.count(form) > 0) ?? forms[0])
  const owed = (form: string[]): number =>
    there.reduce((sum, names = []) => sum + occurrencesIn(names, form), 0)
  return ({ forms }) => forms.every((form) => result.count(form) < Math.max(1, owed(form)))
}

/**
 * What is one and has come twice: more often than both texts have it, less what they have in common. Inside a sentence it
 * comes with the sentence that either side wrote.
 */
function twice(
  { own, other, shared, isOnly }: Meeting,
  { words }: Triple,
  judged: readonly Judged[],
  result: Stream,
): string[] {
  const countIn = (blocks: Word[][], part: string[]): number => occurrencesIn(namesOf(blocks), part)
  const isSure = isOnly && own.isAtBoundary && other.isAtBoundary
  return (isSure && shared ? shared : []).flatMap((part) => {
    const common = judged
      .filter(({ isUntouched }) => isUntouched)
      .reduce((sum, { pieces }) => sum + occurrencesIn(pieces[0] ?? [], part), 0)
    const most = countIn(words.mine, part) + countIn(words.theirs, part) - common - 1
    return result.count(part) > Math.max(1, most) ? [nameOf(part)] : []
  })
}

const namesOf = (blocks: Word[][]): string[] => [
  BLOCK,
  ...blocks
    .filter((words) => words.length > 0)
    .flatMap((words) => [...words.map(({ name }) => name), BLOCK]),
]

/** At one place the run of `theirs` comes first, and nothing is between the two. */
function isDisordered({ own, other }: Meeting, result: Stream): boolean {
  const isOneKind = areBlocks(own) ? areBlocks(other) : isInLine(own) && isInLine(other)
  const isSure = [own, other].every((run) => run.isAtBoundary && run.isInserted)
  if (!isSure || !isOneKind) return false
  const [first, second] = [result.placesOf(other.names), result.placesOf(own.names)]
  const [before] = first
  const [after] = second
  if (before === undefined || after === undefined || first.length + second.length > 2) return false
  return before >= after + own.names.length - 1
}

const areBlocks = ({ names }: Run): boolean => names[0] === BLOCK
const isInLine = ({ names }: Run): boolean => !names.includes(BLOCK)

/** Whether the words are there, but nowhere with their marks and links. */
function isBare(result: Stream): (piece: Piece) => boolean {
  return ({ run, forms: [form = []] }) => {
    if (!run) return false
    const places = result.placesOf(form)
    return places.length > 0 && !places.some((place) => result.hasLooks(place, run.looks))
  }
}
