import type { Hunk } from './diff.ts'
import { createReader, differences, type Numbered, runStarts } from './numbered-text.ts'

/** The marks of an earlier text: everything but its words. */
export type RevisionMark = {
  textVersion: number
  /** The version that its writer had before, null when the writer named none. */
  baseTextVersion: number | null
  /** Null when no user wrote it or the account is gone. */
  authorId: string | null
  reason: string
  words: number
  /** ISO time in UTC. */
  createdAt: string
}

/** A text as plain lines, and when it became the article's text, in milliseconds since 1970. */
export type RevisionText = { textVersion: number; at: number; text: string }

/**
 * Consecutive autosaves of one author in the same ten-minute slot. The last one stays; each of `candidates` may be
 * pruned if its words are in a kept version.
 */
export type PruningGroup = {
  /** The previous version, which stays. */
  before: number
  candidates: number[]
  last: number
}

/** Length of an ISO time up to the tens of its minutes. */
const SLOT_LENGTH = '2026-03-02T09:1'.length
const SLOT_MS = 10 * 60_000

/** Words that existed for this long are never lost. */
const SETTLED_MS = 60_000
/** This many words in a row identify a passage, even if they are common words. */
const RUN = 8
/** Lost words that are corrections: fewer than this, and a smaller part of the text. */
const FEW = 10
const FEW_OF_A_TEXT = 0.05
/** One or two corrected words are no loss, even in a text of few words. */
const CORRECTIONS = 2

/** A time span, in ISO; the end is exclusive. */
export type Span = { from: string; to: string }

/**
 * Which versions of a time span may be pruned, by their marks alone. An autosave always stays when another author's
 * text, a merge, a restoration or a plain write follows it, or a text that is shorter by at least 10 words or 5 %. Also
 * kept: a text that is no autosave of a known author, one that was handed in, the base of a merge, the current text, the last one
 * of each ten-minute slot, and what an earlier run kept (its predecessor or successor is missing).
 */
export function pruningGroups(
  revisions: readonly RevisionMark[],
  handedIn: ReadonlySet<number>,
  { from, to }: Span,
): PruningGroup[] {
  const ordered = revisions.toSorted((a, b) => a.textVersion - b.textVersion)
  const bases = new Set(
    revisions.filter(({ reason }) => reason === 'merge').map((merge) => merge.baseTextVersion),
  )
  const groups: PruningGroup[] = []
  let open: PruningGroup | undefined
  for (const [index, revision] of ordered.entries()) {
    const [previous, next] = [ordered[index - 1], ordered[index + 1]]
    const { textVersion } = revision
    const mayGo =
      from <= revision.createdAt &&
      revision.createdAt < to &&
      previous?.textVersion === textVersion - 1 &&
      next !== undefined &&
      isContinuedBy(revision, next) &&
      !hasFewerWords(revision.words, next.words) &&
      !bases.has(textVersion) &&
      !handedIn.has(textVersion)
    if (!mayGo) {
      open = undefined
    } else if (open) {
      open.candidates.push(textVersion)
      open.last = next.textVersion
    } else {
      open = { before: previous.textVersion, candidates: [textVersion], last: next.textVersion }
      groups.push(open)
    }
  }
  return groups
}

const isContinuedBy = (revision: RevisionMark, next: RevisionMark): boolean =>
  revision.reason === 'autosave' &&
  next.reason === 'autosave' &&
  revision.textVersion === next.textVersion - 1 &&
  revision.authorId !== null &&
  revision.authorId === next.authorId &&
  slotOf(revision) === slotOf(next)

const slotOf = ({ createdAt }: RevisionMark): string => createdAt.slice(0, SLOT_LENGTH)

/** Start of the ten-minute slot of `now`, as ISO: earlier slots have ended. */
export const slotStart = (now: number): string => new Date(now - (now % SLOT_MS)).toISOString()

const hasFewerWords = (words: number, next: number): boolean => isMuch(words - next, words)

const isMuch = (lost: number, words: number): boolean =>
  lost >= FEW || (lost > 0 && lost >= words * FEW_OF_A_TEXT)

/**
 * The versions of a group to prune, given the text before it, its candidates and its last text, in this order. One is
 * pruned only when its words are, in their order, in the next kept version or in the one before the group, except for
 * a few that were corrected within a minute: every run of eight words that existed for a minute is in a kept version.
 */
export function prunedVersions(group: readonly RevisionText[]): number[] {
  const reader = createReader(wordsIn)
  const texts = group.map((revision) => ({ ...revision, ...reader(revision.text) }))
  const kept = new Set([0, texts.length - 1])
  for (const index of withoutTheirWords(texts)) kept.add(index)
  for (const index of withoutTheirRuns(texts, kept)) kept.add(index)
  return texts.flatMap(({ textVersion }, index) => (kept.has(index) ? [] : [textVersion]))
}

type Text = RevisionText & Numbered

/** Words as they are counted here: with the signs at their ends. */
const wordsIn = (line: string): string[] => line.match(/\S+/g) ?? []

/** Versions with more than a few words that neither the next kept one nor the first one has, from the last back. */
function withoutTheirWords(texts: Text[]): number[] {
  const found: number[] = []
  const first = texts[0]
  let next = texts.at(-1)
  for (const [index, text] of [...texts.entries()].slice(1, -1).reverse()) {
    if (!first || !next) break
    const lost = lostWords(text, next, first)
    if (lost <= CORRECTIONS || !isMuch(lost, text.words.length)) continue
    found.push(index)
    next = text
  }
  return found
}

/** Number of words that are in neither of two texts in their order. */
function lostWords(text: Text, next: Text, first: Text): number {
  const gone = lostPlaces(text, next)
  if (gone.length <= CORRECTIONS) return gone.length
  const goneToo = new Set(lostPlaces(text, first))
  return gone.filter((place) => goneToo.has(place)).length
}

const lostPlaces = (text: Text, other: Text): number[] =>
  differences(text, other).flatMap(({ at, end }) =>
    Array.from({ length: end - at }, (_, place) => at + place),
  )

/**
 * Versions after which a run of words is missing that had existed for a minute and is in no kept one. A run that
 * existed for a minute is in the text of a minute ago; when that was before the group, it is also in the first text,
 * which is kept.
 */
function withoutTheirRuns(texts: Text[], kept: ReadonlySet<number>): number[] {
  const found: number[] = []
  let last = 0
  let settled = 0
  for (const [index, text] of texts.entries()) {
    const { words } = text
    const next = texts[index + 1]
    if (!next) break
    while ((texts[settled + 1]?.at ?? next.at) <= next.at - SETTLED_MS) settled += 1
    if (kept.has(index)) {
      last = index
      continue
    }
    if (settled === 0) continue
    const nextKept = texts.findIndex((_, later) => later > index && kept.has(later))
    const others = [texts[last], texts[nextKept]].map((other) => runsIn(other?.words))
    // The next version keeps the run or is searched for it; a text shorter than a run counts only as a whole.
    if (words.length >= RUN) others.push(runsIn(next.words))
    const wasThere = runsIn(texts[settled]?.words)
    const isLost = (run: Int32Array) => wasThere(run) && !others.some((has) => has(run))
    if (!touchedRuns(words, differences(text, next)).some(isLost)) continue
    found.push(index)
    last = index
  }
  return found
}

/** Whether every run of eight words of a text is in another one. */
export function standsIn(text: string, other: string): boolean {
  const reader = createReader(wordsIn)
  const [one, kept] = [reader(text), reader(other)]
  return touchedRuns(one.words, differences(one, kept)).every(runsIn(kept.words))
}

/** The runs that changes interrupted; a text of fewer words is one run. */
function touchedRuns(words: Int32Array, hunks: readonly Hunk[]): Int32Array[] {
  if (words.length < RUN) return words.length > 0 && hunks.length > 0 ? [words] : []
  const parts = hunks.map(({ at, end }) => ({ from: at, to: end }))
  return [...runStarts(parts, words.length, RUN)].map((start) => words.subarray(start, start + RUN))
}

/** From this number of searched runs on, building a table of all runs is faster. */
const LOOKS = 64

/** Returns a predicate: whether a text contains a run of words. */
function runsIn(words: Int32Array = new Int32Array()): (run: Int32Array) => boolean {
  let looks = 0
  const tables = new Map<number, Set<string>>()
  return (run) => {
    looks += 1
    if (looks <= LOOKS) return isWithin(words, run)
    const table = tables.get(run.length) ?? tableOf(words, run.length)
    tables.set(run.length, table)
    return table.has(run.join())
  }
}

function isWithin(words: Int32Array, run: Int32Array): boolean {
  for (let start = words.indexOf(run[0] ?? -1); start >= 0; ) {
    if (run.every((word, place) => words[start + place] === word)) return true
    start = words.indexOf(run[0] ?? -1, start + 1)
  }
  return false
}

function tableOf(words: Int32Array, length: number): Set<string> {
  const table = new Set<string>()
  for (let start = 0; start + length <= words.length; start += 1) {
    table.add(words.subarray(start, start + length).join())
  }
  return table
}
