import { plainText } from '../../domain/article-text.ts'
import { compareTexts } from '../../domain/compare.ts'
import type { ArticleDocument } from '../../domain/document.ts'
import { linksOf } from '../../domain/links.ts'
import type { Triple, TypedWord } from './merge-triples.ts'

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

/** Judges a result by the ids of the typed words, which the merge does not see. */
export function verdictOf(triple: Triple, result: ArticleDocument): Verdict {
  const blocks = namesIn(result)
  const have = countOf(blocks.flat())
  const { owed, restorable, common, joint, added } = accountOf(triple)
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
      const over = excess(name) - (restorable.get(name) ?? 0)
      return over > 0 ? Array<string>(over).fill(name) : []
    }),
    doubledRuns: [...tooMany(triple, blocks, wholeBlock), ...tooMany(triple, blocks, runsOf)],
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

const namesIn = (document: ArticleDocument): string[][] =>
  plainText(document)
    .split('\n')
    .map((line) => line.split(/\s+/).filter(Boolean))

/** How many words `after` has more of than `before`, name by name. */
export function addedBy(before: ArticleDocument, after: ArticleDocument): number {
  const counts = countOf(namesIn(after).flat())
  for (const name of namesIn(before).flat()) counts.set(name, (counts.get(name) ?? 0) - 1)
  return [...counts.values()].reduce((sum, count) => sum + Math.max(0, count), 0)
}

const allWords = ({ words }: Triple): TypedWord[] => [words.base, words.mine, words.theirs].flat(2)

function countOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/**
 * Per name: words that must be in the result, that a conflict may restore, that both have added, and that both may have
 * added at one place.
 */
function accountOf(triple: Triple) {
  const { base, mine, theirs } = triple.words
  const [known, left, right] = [base, mine, theirs].map(
    (blocks) => new Set(blocks.flat().map(({ id }) => id)),
  ) as [Set<string>, Set<string>, Set<string>]
  const all = new Map(allWords(triple).map((word) => [word.id, word]))
  const owed: string[] = []
  const restorable: string[] = []
  const common: string[] = []
  for (const { id, name } of all.values()) {
    const isInBoth = left.has(id) && right.has(id)
    if (isInBoth || (!known.has(id) && (left.has(id) || right.has(id)))) owed.push(name)
    if (isInBoth && !known.has(id)) common.push(name)
    if (isInBoth || !known.has(id)) continue
    if (left.has(id) || right.has(id)) restorable.push(name)
  }
  const isNew = ({ id }: TypedWord): boolean => !known.has(id) && !(left.has(id) && right.has(id))
  const isShared = ({ id }: TypedWord): boolean => left.has(id) && right.has(id)
  const ours = placesOf(mine.flat(), isNew, isShared)
  const others = placesOf(theirs.flat(), isNew, isShared)
  const joint = new Map<string, number>()
  for (const [place, names] of ours) {
    const count = countOf(others.get(place) ?? [])
    for (const [name, times] of countOf(names)) {
      const both = Math.min(times, count.get(name) ?? 0)
      if (both > 0) joint.set(name, (joint.get(name) ?? 0) + both)
    }
  }
  const added = [...ours.values(), ...others.values()].flat().length / 2
  return {
    owed: countOf(owed),
    restorable: countOf([...restorable, ...common]),
    common: countOf(common),
    joint,
    added,
  }
}

/** New words by their place: the nearest shared word before it, and the nearest one after it. */
function placesOf(
  words: TypedWord[],
  isNew: (word: TypedWord) => boolean,
  isShared: (word: TypedWord) => boolean,
): Map<string, string[]> {
  const places = new Map<string, string[]>()
  const scan = (row: TypedWord[], direction: string): void => {
    let neighbour = ''
    for (const word of row) {
      const place = `${direction} ${neighbour}`
      if (isShared(word)) neighbour = word.id
      if (isNew(word)) places.set(place, [...(places.get(place) ?? []), word.name])
    }
  }
  scan(words, 'after')
  scan([...words].reverse(), 'before')
  return places
}

type Runs = (words: readonly string[]) => string[]

const wholeBlock: Runs = (words) =>
  words.length >= BLOCK_MIN && words.length < RUN ? [words.join(' ')] : []

const runsOf: Runs = (words) =>
  words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' '))

/** Runs that occur more often than there are different rows of typed words with these names. */
function tooMany(triple: Triple, blocks: string[][], runs: Runs): string[] {
  const typed = new Map<string, Set<string>>()
  const { base, mine, theirs } = triple.words
  const known = new Set(base.flat().map(({ id }) => id))
  for (const [side, text] of [base, mine, theirs].entries()) {
    for (const block of text) {
      // What both have and the base has not may have been added by each in a place of its own.
      const ids = runs(block.map(({ id }) => (known.has(id) ? id : `${id} of ${side}`)))
      for (const [at, run] of runs(block.map(({ name }) => name)).entries()) {
        typed.set(run, (typed.get(run) ?? new Set()).add(ids[at] ?? ''))
      }
    }
  }
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
