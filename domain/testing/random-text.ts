import { everydayWord, type Random, SENTENCES } from './random-prose.ts'

/** A text that is changed as writers do, for random histories of its versions. */

/** The words of each paragraph. */
export type Paragraphs = string[][]

/** Everyday words that repeat, and sentences that come again and again. */
export function phrase(random: Random, count: number): string[] {
  if (random.below(12) === 0) return random.pick(SENTENCES).split(' ')
  return Array.from({ length: count }, () => everydayWord(random, 400))
}

type Change = (text: Paragraphs, random: Random, write: typeof phrase) => Paragraphs

/** Changes that one writer makes to a text between two saves. */
const CHANGES: [weight: number, change: Change][] = [
  [
    40,
    (text, random, write) =>
      at(text, text.length - 1, (words) => [...words, ...write(random, 1 + random.below(9))]),
  ],
  [
    8,
    (text, random, write) =>
      inside(text, random, (words, place) =>
        words.toSpliced(place, 0, ...write(random, 1 + random.below(4))),
      ),
  ],
  [
    8,
    (text, random, write) =>
      inside(text, random, (words, place) => words.toSpliced(place, 1, ...write(random, 1))),
  ],
  [
    6,
    (text) =>
      at(text, text.length - 1, (words) =>
        words.with(-1, (words.at(-1) ?? '').slice(0, -1) || 'x'),
      ),
  ],
  [
    6,
    (text, random) =>
      inside(text, random, (words, place) => words.toSpliced(place, 1 + random.below(6))),
  ],
  [5, (text, random, write) => [...text, write(random, 3)]],
  [
    3,
    (text, random, write) =>
      inside(text, random, (words, place) => words.toSpliced(place, 12, ...write(random, 12))),
  ],
  [3, (text, random) => moved(text, random)],
  [3, (text, random) => text.toSpliced(random.below(text.length), 1)],
  [3, (text, random) => joined(text, random)],
  [3, (text, random) => split(text, random)],
  [2, () => [[]]],
  [2, (_, random, write) => Array.from({ length: 1 + random.below(4) }, () => write(random, 20))],
  [1, (text, random) => pasted(text, random)],
]

function at(text: Paragraphs, index: number, change: (words: string[]) => string[]): Paragraphs {
  const words = text[index] ?? []
  return text.toSpliced(index, 1, words.length > 0 ? change(words) : ['first', 'words'])
}

function inside(
  text: Paragraphs,
  random: Random,
  change: (words: string[], place: number) => string[],
): Paragraphs {
  const index = random.below(text.length)
  const place = random.below((text[index]?.length ?? 0) + 1)
  return at(text, index, (words) => change(words, place))
}

function moved(text: Paragraphs, { below }: Random): Paragraphs {
  const from = below(text.length)
  const taken = text.slice(from, from + 1 + below(3))
  const rest = text.toSpliced(from, taken.length)
  return rest.toSpliced(below(rest.length + 1), 0, ...taken)
}

function joined(text: Paragraphs, { below }: Random): Paragraphs {
  const index = below(text.length)
  return text.toSpliced(index, 2, [...(text[index] ?? []), ...(text[index + 1] ?? [])])
}

function split(text: Paragraphs, { below }: Random): Paragraphs {
  const index = below(text.length)
  const words = text[index] ?? []
  const place = below(words.length + 1)
  return text.toSpliced(index, 1, words.slice(0, place), words.slice(place))
}

/** The same passage a second time, somewhere else. */
function pasted(text: Paragraphs, { below, pick }: Random): Paragraphs {
  return text.toSpliced(below(text.length + 1), 0, pick(text))
}

function changeOf({ below }: Random) {
  let left = below(CHANGES.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, change] of CHANGES) {
    left -= weight
    if (left < 0) return change
  }
  throw new Error('No change')
}

/** One to three changes, with words that `write` gives; an empty text has one empty paragraph. */
export function changed(text: Paragraphs, random: Random, write = phrase): Paragraphs {
  let result = text
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const next = changeOf(random)(result, random, write)
    result = next.length > 0 ? next : [[]]
  }
  return result
}

export const plain = (text: Paragraphs) => text.map((words) => words.join(' ')).join('\n')
