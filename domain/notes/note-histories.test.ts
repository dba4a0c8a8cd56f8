import { describe, expect, it } from 'vitest'
import { runCount } from '../../scripts/test-depth.ts'
import { doc, paragraph, text } from '../testing/nodes.ts'
import { everydayWord, type Random, randomOf, SENTENCES } from '../testing/random-prose.ts'
import { plainText } from '../text/article-text.ts'
import type { ArticleDocument } from '../text/document.ts'
import { anchorOf, type NoteAnchor, type NotePlace, notePlacer } from './note-place.ts'

/**
 * Random histories of an article with notes. Every letter has an id, which stays when it is moved, split off or restored,
 * so that the test knows which letters of a later text are those that a note is about.
 */

const HISTORIES = runCount('NOTE_HISTORIES')
const FIRST_SEED = Number(process.env.NOTE_SEED ?? 1)

type Letter = { id: number; sign: string }
type Text = Letter[][]

let lastId = 0
const typed = (words: string): Letter[] =>
  Array.from(words, (sign) => {
    lastId += 1
    return { id: lastId, sign }
  })

function sentence(random: Random): string {
  if (random.below(10) === 0) return `${random.pick(SENTENCES)}.`
  const words = Array.from({ length: 4 + random.below(9) }, () => everydayWord(random, 40))
  return `${words.join(' ')}.`
}

const paragraphOf = (random: Random): Letter[] =>
  typed(Array.from({ length: 1 + random.below(4) }, () => sentence(random)).join(' '))

const lineOf = (letters: readonly Letter[]): string => letters.map(({ sign }) => sign).join('')
const documentOf = (article: Text): ArticleDocument =>
  doc(
    ...article.map((letters) => (letters.length ? paragraph(text(lineOf(letters))) : paragraph())),
  )

/** All letters as `plainText` has them; a line end has the id 0. */
const lettersOf = (article: Text): Letter[] =>
  article.flatMap((letters, at) => (at === 0 ? letters : [{ id: 0, sign: '\n' }, ...letters]))

/** Starts of words and the end, most often of whole words, as people select. */
function wordStarts(letters: readonly Letter[]): number[] {
  const starts = letters.flatMap(({ sign }, at) =>
    sign !== ' ' && (letters[at - 1]?.sign ?? ' ') === ' ' ? [at] : [],
  )
  return [...starts, letters.length]
}

type Part = { line: number; from: number; to: number }

function part(article: Text, random: Random, most = 8): Part {
  const line = random.below(article.length)
  const starts = wordStarts(article[line] ?? [])
  const at = random.below(starts.length)
  const end = Math.min(starts.length - 1, at + 1 + random.below(most))
  return { line, from: starts[at] ?? 0, to: starts[end] ?? 0 }
}

const replaced = (article: Text, { line, from, to }: Part, put: readonly Letter[]): Text =>
  article.map((letters, at) =>
    at === line ? [...letters.slice(0, from), ...put, ...letters.slice(to)] : letters,
  )

const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, index) => index !== at)

type Change = (article: Text, random: Random) => Text

const CHANGES: [weight: number, change: Change][] = [
  // Types words.
  [
    30,
    (article, random) => {
      const { line, from } = part(article, random)
      return replaced(article, { line, from, to: from }, typed(`${sentence(random)} `))
    },
  ],
  // Types a letter into a word, or takes one out of it.
  [
    15,
    (article, random) => {
      const { line, from, to } = part(article, random, 1)
      const at = from + random.below(Math.max(1, to - from))
      return random.below(2) === 0
        ? replaced(article, { line, from: at, to: at }, typed('e'))
        : replaced(article, { line, from: at, to: at + 1 }, [])
    },
  ],
  // Deletes words.
  [15, (article, random) => replaced(article, part(article, random), [])],
  // Writes others in their place.
  [
    12,
    (article, random) => replaced(article, part(article, random), typed(`${sentence(random)} `)),
  ],
  // Pastes words of another place over some.
  [
    5,
    (article, random) => {
      const { line, from, to } = part(article, random)
      const copied = (article[line] ?? []).slice(from, to)
      return replaced(article, part(article, random), typed(lineOf(copied)))
    },
  ],
  // Moves words.
  [
    6,
    (article, random) => {
      const cut = part(article, random)
      const words = (article[cut.line] ?? []).slice(cut.from, cut.to)
      const rest = replaced(article, cut, [])
      const { line, from } = part(rest, random)
      return replaced(rest, { line, from, to: from }, words)
    },
  ],
  // Moves a paragraph.
  [
    6,
    (article, random) => {
      const line = random.below(article.length)
      const rest = without(article, line)
      rest.splice(random.below(rest.length + 1), 0, article[line] ?? [])
      return rest
    },
  ],
  // Splits one.
  [
    8,
    (article, random) => {
      const { line, from } = part(article, random)
      const letters = article[line] ?? []
      return article.flatMap((own, at) =>
        at === line ? [letters.slice(0, from), letters.slice(from)] : [own],
      )
    },
  ],
  // Joins two.
  [
    6,
    (article, random) => {
      if (article.length < 2) return article
      const line = random.below(article.length - 1)
      const joined = [...(article[line] ?? []), ...(article[line + 1] ?? [])]
      return without(article, line + 1).map((own, at) => (at === line ? joined : own))
    },
  ],
  // Adds one.
  [
    6,
    (article, random) => {
      const at = random.below(article.length + 1)
      return [...article.slice(0, at), paragraphOf(random), ...article.slice(at)]
    },
  ],
  // Deletes one.
  [
    4,
    (article, random) =>
      article.length < 2 ? article : without(article, random.below(article.length)),
  ],
]

const TOTAL = CHANGES.reduce((sum, [weight]) => sum + weight, 0)

function changed(article: Text, random: Random): Text {
  let left = random.below(TOTAL)
  for (const [weight, change] of CHANGES) {
    if (left < weight) return change(article, random)
    left -= weight
  }
  return article
}

/** What two writers made of the same paragraphs: each paragraph is that of the one who changed it. */
function mergedWith(article: Text, random: Random): Text {
  const isOthers = article.map(() => random.below(2) === 0)
  return article.map((letters, at) =>
    isOthers[at]
      ? (replaced([letters], part([letters], random), typed(`${sentence(random)} `))[0] ?? [])
      : letters,
  )
}

type Note = { anchor: NoteAnchor; ids: number[]; paragraph: readonly Letter[] }
type Found = { note: Note; place: NotePlace; letters: Letter[] }

/** A history: notes are written on its way, and found in its last text. */
function history(seed: number): { found: Found[]; present: Letter[] } {
  const random = randomOf(seed)
  const versions: Text[] = [Array.from({ length: 2 + random.below(6) }, () => paragraphOf(random))]
  const notes: Note[] = []
  for (let step = 1 + random.below(20); step > 0; step -= 1) {
    const last = versions.at(-1) ?? []
    if (notes.length < 5 && random.below(3) === 0) {
      const note = noteOn(last, versions.length - 1, random)
      if (note) notes.push(note)
    }
    const action = random.below(12)
    // Undo takes back one change, a restore goes to any version.
    if (action === 0) versions.push(versions.at(-2) ?? last)
    else if (action === 1) versions.push(random.pick(versions))
    else if (action === 2) versions.push(mergedWith(last, random))
    else versions.push(changed(last, random))
  }
  const last = versions.at(-1) ?? []
  const placeOf = notePlacer(plainText(documentOf(last)), (version) =>
    plainText(documentOf(versions[version] ?? [])),
  )
  const letters = lettersOf(last)
  return {
    present: letters,
    found: notes.map((note) => {
      const place = placeOf(note.anchor)
      return {
        note,
        place,
        letters: place.kind === 'gone' ? [] : letters.slice(place.from, place.to),
      }
    }),
  }
}

function noteOn(article: Text, version: number, random: Random): Note | null {
  const { line, from, to } = part(article, random, 6)
  const start = article.slice(0, line).reduce((sum, letters) => sum + letters.length + 1, 0)
  const letters = lettersOf(article)
  const anchor = anchorOf(lineOf(letters), { from: start + from, to: start + to }, version)
  if (!anchor) return null
  const first = lineOf(letters).indexOf(anchor.quote, start + from)
  const ids = letters.slice(first, first + anchor.quote.length).map(({ id }) => id)
  return { anchor, ids, paragraph: article[line] ?? [] }
}

/**
 * `same words`, `like words`: another copy of them. `missed`: the words are all there, in one place only, and were not
 * found.
 */
type Verdict =
  | 'exact'
  | 'same words'
  | 'changed'
  | 'like words'
  | 'block'
  | 'gone'
  | 'wrong'
  | 'torn'
  | 'missed'

/** A quote that is shorter may be anywhere. */
const DISTINCT = 12

function judged({ note, place, letters }: Found, present: Letter[], text: string): Verdict {
  const { anchor, ids, paragraph: around } = note
  const words = lineOf(letters)
  if (place.kind !== 'words') {
    if (anchor.quote.length >= DISTINCT && isAlone(anchor.quote, text) && isWhole(ids, present))
      return 'missed'
    return place.kind === 'gone' || isOfParagraph(letters, around) ? place.kind : 'wrong'
  }
  if (words !== words.trim() || isInWord(text, place.from) || isInWord(text, place.to))
    return 'torn'
  const own = new Set(ids)
  const isOwn = letters.some(({ id }) => own.has(id))
  if (words === anchor.quote) return isOwn ? 'exact' : 'same words'
  if (!place.isChanged) return 'wrong'
  if (isOwn) return 'changed'
  return isLike(words, anchor.quote) ? 'like words' : 'wrong'
}

const wordsIn = (line: string): string[] => line.match(/[\p{L}\p{N}]+/gu) ?? []

/** Whether a reader sees most of the quoted words, in another copy of the text. */
function isLike(words: string, quote: string): boolean {
  const [seen, quoted] = [wordsIn(words), wordsIn(quote)]
  return quoted.filter((word) => seen.includes(word)).length * 2 >= quoted.length
}

/** Whether it has letters of this paragraph, or three words of it in a row. */
function isOfParagraph(letters: readonly Letter[], paragraph: readonly Letter[]): boolean {
  const own = new Set(paragraph.map(({ id }) => id))
  if (letters.some(({ id }) => own.has(id))) return true
  const [words, present] = [wordsIn(lineOf(paragraph)), wordsIn(lineOf(letters)).join(' ')]
  return words.some((_, at) => present.includes(words.slice(at, at + 3).join(' ')))
}

function isWhole(ids: readonly number[], present: readonly Letter[]): boolean {
  const at = present.findIndex(({ id }) => id === ids[0])
  return at >= 0 && ids.every((id, index) => present[at + index]?.id === id)
}

const isAlone = (quote: string, line: string): boolean =>
  line.indexOf(quote) === line.lastIndexOf(quote)

const isLetter = (sign: string | undefined): boolean =>
  sign !== undefined && /[\p{L}\p{N}]/u.test(sign)
const isInWord = (line: string, at: number): boolean => isLetter(line[at - 1]) && isLetter(line[at])

describe('notes in random histories', () => {
  const timeout = 60_000 + HISTORIES * 100
  it('are at their words, at their paragraph or gone, and never at other words', {
    timeout,
  }, () => {
    const shares = new Map<Verdict, number>()
    const failures: string[] = []
    for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed += 1) {
      const { found, present } = history(seed)
      const text = lineOf(present)
      for (const one of found) {
        const verdict = judged(one, present, text)
        shares.set(verdict, (shares.get(verdict) ?? 0) + 1)
        if (verdict !== 'wrong' && verdict !== 'torn') continue
        failures.push(
          `seed ${seed}: ${verdict}: ‘${one.note.anchor.quote}’ at ‘${lineOf(one.letters)}’ in ${text}`,
        )
      }
    }
    expect(failures).toEqual([])
    const share = (...verdicts: Verdict[]) =>
      verdicts.reduce((sum, verdict) => sum + (shares.get(verdict) ?? 0), 0) / total
    const total = [...shares.values()].reduce((sum, count) => sum + count, 0)
    expect(share('exact', 'same words')).toBeGreaterThan(0.7)
    expect(share('gone')).toBeLessThan(0.2)
    expect(share('like words')).toBeLessThan(0.005)
    expect(share('missed')).toBeLessThan(0.005)
  })
})
