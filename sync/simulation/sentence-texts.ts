import { everydaySentence, sentenceLike, sentenceShape, typedSentence } from './everyday.ts'
import type { Random } from './random.ts'
import {
  createWriter,
  type Edits,
  edit,
  linkSome,
  type Vocabulary,
  type Writer,
} from './random-edits.ts'
import {
  type Block,
  type Box,
  copyOf,
  isList,
  isText,
  type Part,
  type Place,
  placesOf,
  tidy,
  type Word,
} from './random-text.ts'

/**
 * A text of everyday sentences that two people go on writing at the same time: in half of all texts at the same place of
 * it, or both in one sentence. `both` is what they had when they parted.
 */
export function sentenceTexts(random: Random, vocabulary: Vocabulary) {
  const say = createSpeech(random, vocabulary)
  const base = articleOf(say, createWriter('b', random, vocabulary))
  const writers = ['m', 't'].map((name) => createWriter(name, random, vocabulary))
  const sides = writers.map(() => copyOf(base))
  const meet = random.chance(0.5) ? meetingIn(base, say) : null
  for (const [at, side] of sides.entries()) {
    const writer = writers[at] as Writer
    meet?.[at]?.(side, writer)
    goOn(side, writer, say, meet ? 1 : 0)
    tidy(side)
  }
  const [mine, theirs] = sides as [Box, Box]
  return { base, both: copyOf(base), mine, theirs }
}

const EDITS: Edits = {
  replace: 3,
  type: 2,
  remove: 3,
  split: 2,
  join: 2,
  cut: 1,
  move: 2,
  section: 1,
  list: 1,
  quote: 0.5,
  unwrap: 0.5,
  turn: 1,
  mark: 2,
  link: 2,
  unlink: 0.5,
  hardBreak: 0.5,
}

/** Sentences, as the names of their words. */
type Sentences = string[][]
/** What is typed in one go: lines of sentences, with Enter between them. */
type Run = Sentences[]

type Speech = ReturnType<typeof createSpeech>

function createSpeech(random: Random, vocabulary: Vocabulary) {
  let said = 0
  /** Where words are unique, a sentence keeps its capital and its full stop. */
  const own = (names: string[]): string[] =>
    vocabulary === 'everyday'
      ? names
      : names.map((name) => {
          said += 1
          const isCapital = /^[A-Z]/.test(name)
          return `${isCapital ? 'W' : 'w'}${said}${isEnd(name) ? '.' : ''}`
        })
  const sentence = (): string[] =>
    own(random.chance(0.1) ? everydaySentence(random) : typedSentence(random))
  const sentences = (most: number): Sentences =>
    Array.from({ length: random.between(1, most) }, sentence)
  const run = (): Run =>
    random.chance(0.75)
      ? [sentences(3)]
      : Array.from({ length: random.between(2, 3) }, () => sentences(2))
  const alike = (): [Run, Run] => {
    const shape = sentenceShape(random)
    return [[[own(sentenceLike(shape, random))]], [[own(sentenceLike(shape, random))]]]
  }
  return { random, sentence, sentences, run, alike }
}

const isEnd = (name: string): boolean => /[.!?]$/.test(name)

function articleOf(say: Speech, writer: Writer): Box {
  const { random } = say
  const words = (sentences: Sentences): Word[] => sentences.flat().map(writer.named)
  const block = (sentences: Sentences, type: Block['type'] = 'paragraph'): Block => ({
    type,
    level: random.between(1, 6),
    words: words(sentences),
  })
  const partOf = (): Part => {
    const type = random.weighted({ text: 14, heading: 2, list: 3, quote: 1, empty: 1, rule: 1 })
    if (type === 'rule') return { type: 'horizontalRule', level: 0, words: [] }
    if (type === 'heading') return block([say.sentence()], 'heading')
    if (type === 'quote') return { type: 'blockquote', children: [block(say.sentences(3))] }
    if (type !== 'list') return block(type === 'empty' ? [] : say.sentences(4))
    const items = Array.from(
      { length: random.between(1, 3) },
      (): Box => ({ type: 'listItem', children: [block(say.sentences(2))] }),
    )
    return { type: random.pick(['bulletList', 'orderedList']), children: items }
  }
  const parts = random.chance(0.12) ? 0 : random.between(1, 6)
  const root: Box = { type: 'doc', children: Array.from({ length: parts }, partOf) }
  tidy(root)
  if (random.chance(0.2)) linkSome(root, writer)
  return root
}

/** An edit of a side that is as it was when the writers parted. */
type Act = (side: Box, writer: Writer) => void

/** What the two do at one place. */
function meetingIn(base: Box, say: Speech): [Act, Act] {
  const { random } = say
  const kind = random.weighted({ runs: 12, rewrite: 5, apart: 3 })
  const spot = kind === 'runs' ? null : sentenceIn(base, random, kind === 'apart' ? 6 : 3)
  if (spot && kind === 'rewrite') return rewritings(spot, say)
  if (spot && kind === 'apart') return changesApart(spot, say)
  const place = placeIn(base, random)
  const runs = runsAlike(say)
  return runs.map(
    (run): Act =>
      (side, writer) => {
        typeAt(side, place, run, writer)
      },
  ) as [Act, Act]
}

function runsAlike(say: Speech): [Run, Run] {
  const { random } = say
  const kind = random.weighted({ other: 50, alike: 18, same: 12, within: 10, sharing: 10 })
  if (kind === 'other') return [say.run(), say.run()]
  if (kind === 'alike') return say.alike()
  const run = say.run()
  if (kind === 'same') return [run, run]
  if (kind === 'within') return swapped([run, extended(run, say)], random)
  const [shared, mine, theirs] = [say.sentences(2), say.sentences(2), say.sentences(2)]
  const around = (own: Sentences): Run =>
    random.chance(0.5) ? [[...own, ...shared]] : [[...shared, ...own]]
  return [around(mine), around(theirs)]
}

const swapped = <T>(pair: [T, T], random: Random): [T, T] =>
  random.chance(0.5) ? pair : [pair[1], pair[0]]

/** The run with more before or after it. */
function extended(run: Run, say: Speech): Run {
  const more = say.sentences(2)
  if (say.random.chance(0.3)) return [...run, more]
  if (say.random.chance(0.5)) return [[...more, ...(run[0] ?? [])], ...run.slice(1)]
  return [...run.slice(0, -1), [...(run.at(-1) ?? []), ...more]]
}

/** `block` counts the blocks of text; the sentence is its words from `from` up to `end`. */
type Sentence = { block: number; from: number; end: number }

function sentenceIn(root: Box, random: Random, least: number): Sentence | null {
  const found = blocksIn(root).flatMap(({ words }, block) =>
    sentencesOf(words)
      .filter(({ from, end }) => end - from >= least)
      .map((span) => ({ block, ...span })),
  )
  return found[random.between(0, Math.max(0, found.length - 1))] ?? null
}

function sentencesOf(words: readonly Word[]): { from: number; end: number }[] {
  const ends = words.flatMap(({ name }, at) =>
    isEnd(name) || at === words.length - 1 ? [at + 1] : [],
  )
  return ends.map((end, at) => ({ from: ends[at - 1] ?? 0, end }))
}

const blocksIn = (root: Box): Block[] =>
  placesOf(root).flatMap(({ part }) => (isText(part) ? [part] : []))

/** Both replace the same words of the sentence, rewrite it, or put words in at the same place inside it. */
function rewritings({ block, from, end }: Sentence, say: Speech): [Act, Act] {
  const { random } = say
  const pivot = random.between(from + 1, end - 1)
  const way = random.weighted({ words: 6, whole: 2, same: 1, into: 3 })
  const shared = way === 'same' ? say.sentence() : null
  const act = (): Act => {
    if (way === 'into') return replacing(block, pivot, pivot, null, say)
    if (way !== 'words') return replacing(block, from, end, shared ?? say.sentence(), say)
    const start = Math.max(from, pivot - random.between(0, 2))
    return replacing(block, start, Math.min(end, pivot + random.between(1, 3)), null, say)
  }
  return [act(), act()]
}

/** One changes the beginning of the sentence, the other its end. */
function changesApart({ block, from, end }: Sentence, say: Speech): [Act, Act] {
  const third = Math.floor((end - from) / 3)
  const first = from + say.random.between(1, third - 1)
  const last = end - say.random.between(1, third - 1) - 1
  const acts: [Act, Act] = [
    replacing(block, first, first + say.random.between(0, 1), null, say),
    replacing(block, last, last + say.random.between(0, 1), null, say),
  ]
  return swapped(acts, say.random)
}

/** Words in place of others; null for a few that come to mind. A sentence keeps its full stop. */
function replacing(
  block: number,
  from: number,
  end: number,
  names: string[] | null,
  { random }: Speech,
): Act {
  return (side, writer) => {
    const words = blocksIn(side)[block]?.words
    if (!words) return
    writer.newGo()
    const typed = names?.map(writer.named) ?? [writer.word(), ...writer.words(2)]
    const last = typed.at(-1)
    if (names === null && last && random && isEnd(words[end - 1]?.name ?? '') && end > from)
      last.name += '.'
    words.splice(from, end - from, ...typed)
  }
}

/** In a block of text, or as new blocks next to it. */
type Spot = { block: number; at: number; nextTo: 'before' | 'after' | null }

function placeIn(root: Box, random: Random): Spot {
  const blocks = blocksIn(root)
  const last = blocks.length - 1
  const block = random.chance(0.3) ? last : random.between(0, last)
  const words = blocks[block]?.words ?? []
  const kind = random.weighted({
    end: 35,
    start: 10,
    between: 15,
    inside: 15,
    after: 15,
    before: 5,
  })
  const between = sentencesOf(words).map(({ end }) => end)
  const at = {
    end: words.length,
    start: 0,
    between: between[random.between(0, Math.max(0, between.length - 1))] ?? words.length,
    inside: random.between(0, words.length),
    after: 0,
    before: 0,
  }[kind]
  return { block, at, nextTo: kind === 'after' || kind === 'before' ? kind : null }
}

function typeAt(root: Box, { block, at, nextTo }: Spot, run: Run, writer: Writer): void {
  const place = placesOf(root).filter(({ part }) => isText(part))[block]
  const target = place?.part
  if (!place || !isText(target)) return
  writer.newGo()
  const lines = run.map((sentences) => sentences.flat().map(writer.named))
  if (nextTo) {
    addBlocks(root, place, lines, nextTo === 'after' ? 1 : 0)
    return
  }
  const [first = [], ...more] = lines
  const rest = more.length > 0 ? target.words.splice(at) : []
  target.words.splice(at, 0, ...first)
  more.at(-1)?.push(...rest)
  addBlocks(root, place, more, 1)
}

/** Enter in a list makes an item. */
function addBlocks(root: Box, { parent, index }: Place, lines: Word[][], by: 0 | 1): void {
  const blocks = lines.map((words): Block => ({ type: 'paragraph', level: 1, words }))
  const list = placesOf(root).find(({ part }) => part === parent)
  if (parent.type !== 'listItem' || !list || !isList(list.parent)) {
    parent.children.splice(index + by, 0, ...blocks)
    return
  }
  const items = blocks.map((child): Box => ({ type: 'listItem', children: [child] }))
  list.parent.children.splice(list.index + by, 0, ...items)
}

const RUNS = { 1: 8, 2: 5, 3: 3, 4: 2, 5: 1 }

/** More runs, up to five in all, anywhere in the text, with other edits between them. */
function goOn(side: Box, writer: Writer, say: Speech, typed: number): void {
  const { random } = say
  let runs = Number(random.weighted(RUNS)) - typed
  let others = random.between(0, 3)
  while (runs + others > 0) {
    if (random.between(1, runs + others) <= runs) {
      runs -= 1
      if (blocksIn(side).length > 0) typeAt(side, placeIn(side, random), say.run(), writer)
    } else {
      others -= 1
      edit(side, writer, random.weighted<string>(EDITS))
    }
    tidy(side)
  }
}
