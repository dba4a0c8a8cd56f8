import { isTextBlock } from '../../domain/text/article-text.ts'
import type { ArticleDocument, DocumentNode } from '../../domain/text/document.ts'
import { linksOf } from '../../domain/text/links.ts'
import { compareTexts } from '../../domain/text/passages.ts'
import type { Merge } from '../merge/merge3.ts'
import type { Triple } from './merge-triples.ts'
import type { Word } from './random-text.ts'

/** What a merge did wrong, each entry for the reader of a failed test. */
export type Verdict = {
  /** Words that a side added, or that both kept, of which the result has too few. */
  lost: string[]
  /** Words of which the result has more than all texts together account for. */
  doubled: string[]
  /** Whole blocks, or runs of eight words, that occur more often than they were typed. */
  doubledRuns: string[]
  /** Words of one block of the result that are in different blocks in every text that has both. */
  glued: string[]
  /** Words that no text has. */
  invented: string[]
  /** How many words the two sides added. */
  added: number
}

const RUN = 8
/** Shorter blocks are often equal by chance. */
const BLOCK_MIN = 3

/**
 * Judges a result by the ids of the typed words, which the merge does not see. A sentence that both rewrote is there as each
 * of them has it: its words may be there twice.
 */
export function verdictOf(triple: Triple, { document, both }: Merge): Verdict {
  const blocks = namesIn(document)
  const rewritten = both.flatMap(({ mine, isSentence }) => (isSentence ? [mine] : []))
  const twice = countOf(rewritten.flatMap((text) => text.split(/\s+/)))
  const have = countOf(blocks.flat())
  const { owed, restorable, common, joint, seams, added } = accountOf(triple)
  const [base, mine, theirs] = [triple.words.base, triple.words.mine, triple.words.theirs].map(
    (text) => countOf(text.flat().map(({ name }) => name)),
  )
  /** A merge sees texts and no ids: a word removed here and typed again there is the same one for it. */
  const visible = (name: string): number =>
    (mine?.get(name) ?? 0) +
    (theirs?.get(name) ?? 0) -
    (base?.get(name) ?? 0) -
    (common.get(name) ?? 0)
  const known = new Set(allWords(triple).map(({ name }) => name))
  const names = [...new Set([...have.keys(), ...owed.keys()])]
  const excess = (name: string): number => (have.get(name) ?? 0) - (owed.get(name) ?? 0)
  return {
    lost: names.filter((name) => {
      const least = Math.min(owed.get(name) ?? 0, visible(name))
      return (have.get(name) ?? 0) < least - (joint.get(name) ?? 0)
    }),
    doubled: names.flatMap((name) => {
      const over = excess(name) - (restorable.get(name) ?? 0) - (twice.get(name) ?? 0)
      return over > 0 ? Array<string>(over).fill(name) : []
    }),
    doubledRuns: [wholeBlock, runsOf]
      .flatMap((runs) => tooMany(triple, seams, blocks, runs))
      .filter((run) => !rewritten.some((text) => text.replace(/\s+/g, ' ').includes(run))),
    glued: gluedIn(triple, blocks),
    invented: names.filter((name) => !known.has(name)),
    added,
  }
}

/** What a merge did wrong with the addresses of links. */
export type AddressVerdict = {
  /** Addresses that a writer set, or that a word has in all texts, which neither the result nor its review has. */
  lost: string[]
  /** Addresses that no text has. */
  invented: string[]
  /** How many addresses the two sides set, and how many of them only the review has. */
  set: number
  reviewed: number
}

/** The review is what the writer of `mine` is shown: where the result differs from the own text. */
export function addressesOf(triple: Triple, result: ArticleDocument): AddressVerdict {
  const hrefsIn = (text: ArticleDocument) => new Set(linksOf(text).map(({ href }) => href))
  const [base, mine, theirs] = [triple.base, triple.mine, triple.theirs].map(hrefsIn) as [
    Set<string>,
    Set<string>,
    Set<string>,
  ]
  const have = hrefsIn(result)
  const own = compareTexts(triple.mine, result).flatMap(({ links }) => links)
  const shown = new Set(own.map(({ from }) => from))
  const set = [...mine, ...theirs].filter((href) => !base.has(href))
  const kept = keptAddresses(triple)
  return {
    lost: [...set, ...kept].filter((href) => !have.has(href) && !shown.has(href)),
    invented: [...have].filter((href) => ![base, mine, theirs].some((all) => all.has(href))),
    set: set.length,
    reviewed: set.filter((href) => !have.has(href)).length,
  }
}

/** Addresses that one and the same word has in all three texts. */
function keptAddresses({ words: { base, mine, theirs } }: Triple): string[] {
  const [left, right] = [mine, theirs].map(
    (blocks) => new Map(blocks.flat().map(({ id, href }) => [id, href])),
  )
  return base.flat().flatMap(({ id, href }) => {
    const isKept = href !== null && left?.get(id) === href && right?.get(id) === href
    return isKept ? [href] : []
  })
}

/** The words of each block. A hard break separates words, and is no end of a block. */
const namesIn = ({ content }: ArticleDocument): string[][] => content.flatMap(namesOf)

function namesOf(node: DocumentNode): string[][] {
  const { content = [] } = node
  if (!isTextBlock(node)) return content.flatMap(namesOf)
  const text = content.map(({ text = ' ' }) => text).join('')
  return [text.split(/\s+/).filter(Boolean)]
}

/** How many words `after` has more of than `before`, name by name. */
export function addedBy(before: ArticleDocument, after: ArticleDocument): number {
  const counts = countOf(namesIn(after).flat())
  for (const name of namesIn(before).flat()) counts.set(name, (counts.get(name) ?? 0) - 1)
  return [...counts.values()].reduce((sum, count) => sum + Math.max(0, count), 0)
}

const allWords = ({ words }: Triple): Word[] => [words.base, words.mine, words.theirs].flat(2)

function countOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/**
 * Per name: words that must be in the result, that a conflict may restore, that both have added, and that both may have
 * added at one place. `seams`: the end of what one added and the begin of what the other added at one place. What both
 * had before they parted, in the base or not, and one of them removed, was lost by that writer and not by the merge; it
 * may be there, as the merge does not see the text that they had.
 */
function accountOf(triple: Triple) {
  const { base, both, mine, theirs } = triple.words
  const [known, before, left, right] = [base, both, mine, theirs].map(
    (blocks) => new Set(blocks.flat().map(({ id }) => id)),
  ) as [Set<string>, Set<string>, Set<string>, Set<string>]
  const all = new Map(allWords(triple).map((word) => [word.id, word]))
  // A merge can take a word for another one of its name in the base or on the other side.
  const [leftNames, rightNames] = [mine, theirs].map(
    (blocks) => new Set([...base, ...blocks].flat().map(({ name }) => name)),
  ) as [Set<string>, Set<string>]
  const owed: string[] = []
  const restorable: string[] = []
  const common: string[] = []
  for (const { id, name } of all.values()) {
    const isInBoth = left.has(id) && right.has(id)
    const others = left.has(id) ? rightNames : leftNames
    const wasInBoth = known.has(id) || (before.has(id) && others.has(name))
    if (isInBoth || (!wasInBoth && (left.has(id) || right.has(id)))) owed.push(name)
    if (isInBoth && !known.has(id)) common.push(name)
    if (isInBoth || !wasInBoth) continue
    if (left.has(id) || right.has(id)) restorable.push(name)
  }
  const isNew = ({ id }: Word): boolean => !known.has(id) && !(left.has(id) && right.has(id))
  const isShared = ({ id }: Word): boolean => left.has(id) && right.has(id)
  const [ours, others] = [mine, theirs].map((text) => runsIn(text.flat(), isNew, isShared)) as [
    NewRun[],
    NewRun[],
  ]
  const meetings = meetingsOf(ours, others)
  // Only what crosses a seam is new in the result.
  const seams = meetings.flatMap(({ own, other }) => [seamOf(other, own), seamOf(own, other)])
  const added = [...ours, ...others].flatMap(({ names }) => names).length
  return {
    owed: countOf(owed),
    restorable: countOf([...restorable, ...common]),
    common: countOf(common),
    joint: jointNames(meetings),
    seams,
    added,
  }
}

/** Runs of new words of both that may be at one place. */
type Meeting = { own: NewRun; other: NewRun }

function meetingsOf(ours: NewRun[], others: NewRun[]): Meeting[] {
  const at = new Map<string, NewRun[]>()
  for (const other of others) {
    for (const place of other.places) at.set(place, [...(at.get(place) ?? []), other])
  }
  return ours.flatMap((own) => {
    const met = new Set(own.places.flatMap((place) => at.get(place) ?? []))
    return [...met].map((other) => ({ own, other }))
  })
}

/** Per name how many words of either side have one of the other at their place. Each word counts once. */
function jointNames(meetings: Meeting[]): Map<string, number> {
  const left = metNames(meetings.map(({ own, other }) => [own, other]))
  const right = metNames(meetings.map(({ own, other }) => [other, own]))
  return new Map([...left].map(([name, times]) => [name, Math.min(times, right.get(name) ?? 0)]))
}

/** Per name how many words of the first runs are also in the runs that they meet. */
function metNames(meetings: [NewRun, NewRun][]): Map<string, number> {
  const met = new Map<NewRun, string[]>()
  for (const [run, { names }] of meetings) met.set(run, [...(met.get(run) ?? []), ...names])
  const found = [...met].flatMap(([{ names }, others]) => {
    const count = countOf(others)
    return [...countOf(names)].flatMap(([name, times]) =>
      Array<string>(Math.min(times, count.get(name) ?? 0)).fill(name),
    )
  })
  return countOf(found)
}

const seamOf = (first: NewRun, second: NewRun): string[] => [
  ...first.names.slice(1 - RUN),
  ...second.names.slice(0, RUN - 1),
]

/**
 * New words between two shared ones. `places`: behind the one and before the other, and each other place that gives the
 * same text: 'b' and 'a' typed behind an 'a' are 'a' and 'b' typed before it.
 */
type NewRun = { places: string[]; names: string[] }

function runsIn(
  words: Word[],
  isNew: (word: Word) => boolean,
  isShared: (word: Word) => boolean,
): NewRun[] {
  const runs: NewRun[] = []
  const idAt = (at: number): string => words[at]?.id ?? ''
  const placesAt = (from: number, end: number): string[] => [
    `after ${idAt(from - 1)}`,
    `before ${idAt(end)}`,
  ]
  const slides = (from: number, end: number, step: 1 | -1): string[] => {
    const places: string[] = []
    for (let by = step; ; by += step) {
      const [gone, come] = step > 0 ? [from + by - 1, end + by - 1] : [end + by, from + by]
      const word = words[come]
      if (!word || !isShared(word) || word.name !== words[gone]?.name) return places
      // The words that are passed take the place of their likes, and keep their identity.
      places.push(
        `after ${step > 0 ? word.id : idAt(come - 1)}`,
        `before ${step > 0 ? idAt(come + 1) : word.id}`,
      )
    }
  }
  for (let from = 0; from < words.length; ) {
    let end = from
    while (end < words.length && !isShared(words[end] as Word)) end += 1
    const names = words.slice(from, end).flatMap((word) => (isNew(word) ? [word.name] : []))
    if (names.length > 0) {
      const places = [...placesAt(from, end), ...slides(from, end, 1), ...slides(from, end, -1)]
      runs.push({ places, names })
    }
    from = end + 1
  }
  return runs
}

type Runs = (words: readonly string[]) => string[]

const wholeBlock: Runs = (words) =>
  words.length >= BLOCK_MIN && words.length < RUN ? [words.join(' ')] : []

const runsOf: Runs = (words) =>
  words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' '))

/** Runs that occur more often than there are different rows of typed words with these names. */
function tooMany(
  triple: Triple,
  seams: readonly string[][],
  blocks: string[][],
  runs: Runs,
): string[] {
  const typed = new Map<string, Set<string>>()
  const allow = (run: string, ids: string): void => {
    typed.set(run, (typed.get(run) ?? new Set()).add(ids))
  }
  const { base, mine, theirs } = triple.words
  const known = new Set(base.flat().map(({ id }) => id))
  for (const [side, text] of [base, mine, theirs].entries()) {
    for (const block of text) {
      // What both have and the base has not may have been added by each in a place of its own.
      const ids = runs(block.map(({ id }) => (known.has(id) ? id : `${id} of ${side}`)))
      for (const [at, run] of runs(block.map(({ name }) => name)).entries()) {
        allow(run, ids[at] ?? '')
      }
    }
  }
  for (const [at, seam] of seams.entries()) for (const run of runs(seam)) allow(run, `seam ${at}`)
  return [...countOf(blocks.flatMap(runs))].flatMap(([run, count]) => {
    const allowed = typed.get(run)?.size
    return allowed !== undefined && count > allowed ? [run] : []
  })
}

function gluedIn(triple: Triple, blocks: string[][]): string[] {
  const { base, mine, theirs } = triple.words
  const homes = [base, mine, theirs].map(
    (texts) => new Map(texts.flatMap((block, at) => block.map(({ id }) => [id, at] as const))),
  )
  const isKnown = (name: string): boolean => homes.some((home) => home.has(name))
  return blocks.flatMap((block) => {
    const own = block.filter(isKnown)
    const together = new Set(own.slice(0, 1))
    const isTogether = (name: string): boolean =>
      homes.some((home) => [...together].some((other) => isSame(home, name, other)))
    for (let size = 0; size < together.size; ) {
      size = together.size
      for (const name of own) if (isTogether(name)) together.add(name)
    }
    return own.filter((name) => {
      const isApart = homes.some(
        (home) => home.has(name) && [...together].some((other) => home.has(other)),
      )
      return !together.has(name) && isApart
    })
  })
}

const isSame = (home: Map<string, number>, name: string, other: string): boolean =>
  home.has(name) && home.get(name) === home.get(other)
