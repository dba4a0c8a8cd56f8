import type { ArticleText } from '../../domain/text/document.ts'
import type { EditorPort } from '../editing/editor-port.ts'
import { incompleteSentence } from '../merge/tokens.ts'
import {
  type Block,
  type BlockKind,
  blocksOf,
  documentOf,
  linkedWord,
  plainOf,
  wordsIn,
} from './prose.ts'
import type { Random } from './random.ts'

/** In the text of a block, the characters from `from` up to `to`. */
type TypedRun = { block: number; from: number; to: number }

/**
 * The end of the text or of a block, a line of its own behind a block, the beginning of a block, or the middle of the last
 * block.
 */
export type PlaceName = 'end' | 'block' | 'line' | 'start' | 'inside'

/** A text on the screen and the hands that change it. */
export type WriterEditor = Omit<EditorPort, 'show'> & {
  show(document: ArticleText): void
  compose(isComposing: boolean): void
  /** Puts a word or a phrase at the end of a block, between two words, or into a block of its own. */
  type(phrase: string, random: Random): void
  /** Types words at a place. */
  typeAt(place: PlaceName, phrase: string, random: Random): void
  /**
   * Types words directly after the last typed ones, or after the current sentence if the last typed words were a correction.
   * Returns false if that text no longer exists.
   */
  goOn(phrase: string): boolean
  /** Whether the text has the word, and it is no link. */
  has(word: string): boolean
  /** Puts paragraphs behind a block, or in the place of the empty one that a new text has. */
  paste(paragraphs: readonly string[], random: Random): void
  /** Continues a word that is in the text. Returns false when it is not. */
  typeOn(word: string, longer: string): boolean
  /** Makes a word a link. */
  link(word: string, name: string): void
  /** Removes a block and returns the words that it had. */
  deleteBlock(random: Random): string[]
  /** The key Enter between two words, if there is a block with two. */
  split(random: Random): void
  /** Backspace at the beginning of a block: it goes to the end of the one before. */
  join(random: Random): void
  /** Takes up to three neighbouring blocks to another place, if there is more than one. */
  moveSection(random: Random): void
  /** Makes a block a heading, an item of a list, or a paragraph. */
  turn(kind: BlockKind, random: Random): void
}

/** Returns the position of a run after an insertion in its block. Words inserted inside the run become part of it. */
function afterInsert(run: TypedRun, { block, from, to }: TypedRun): TypedRun {
  const by = to - from + 1
  if (block !== run.block || from > run.to) return run
  return from <= run.from
    ? { ...run, from: run.from + by, to: run.to + by }
    : { ...run, to: run.to + by }
}

export function createWriterEditor(): WriterEditor {
  let blocks: Block[] = blocksOf({})
  let isComposing = false
  /** In the text of a block as it is here, with what marks a link. */
  let run: TypedRun | null = null
  /** The current sentence. */
  let begun: TypedRun | null = null
  const anyBlock = (random: Random) => random.between(0, blocks.length - 1)
  const wordsAt = (at: number) => (blocks[at]?.text ?? '').split(' ').filter(Boolean)

  function write(at: number, words: readonly string[]): void {
    blocks[at] = { kind: 'paragraph', ...blocks[at], text: words.join(' ') }
  }

  function insert(block: number, place: number, phrase: string): void {
    const words = wordsAt(block)
    const before = words.slice(0, place).join(' ')
    const from = before === '' ? 0 : before.length + 1
    words.splice(place, 0, phrase)
    write(block, words)
    run = { block, from, to: from + phrase.length }
    begun = begun && afterInsert(begun, run)
  }

  function insertInto(at: number, word: string, random: Random): void {
    const { length } = wordsAt(at)
    insert(at, random.chance(0.6) ? length : random.between(0, length), word)
  }

  function addLine(at: number, phrase: string): void {
    blocks.splice(at, 0, { kind: 'paragraph', text: phrase })
    run = { block: at, from: 0, to: phrase.length }
    if (begun && begun.block >= at) begun = { ...begun, block: begun.block + 1 }
  }

  function endRuns(): void {
    run = null
    begun = null
  }

  /** Returns the position in `shown` of the words of a run: the occurrence nearest to its last position. */
  function runIn(shown: readonly Block[], known: TypedRun | null): TypedRun | null {
    if (!known) return null
    const { block, from, to } = known
    const typed = blocks[block]?.text.slice(from, to) ?? ''
    const found = shown.flatMap(({ text }, at) => {
      const places: TypedRun[] = []
      for (let is = text.indexOf(typed); is >= 0; is = text.indexOf(typed, is + 1))
        places.push({ block: at, from: is, to: is + typed.length })
      return places
    })
    const farness = (place: TypedRun): [number, number] => [
      Math.abs(place.block - block),
      Math.abs(place.from - from),
    ]
    return found.reduce<TypedRun | null>((best, place) => {
      if (!best) return place
      const [[a, b], [c, d]] = [farness(place), farness(best)]
      return a < c || (a === c && b < d) ? place : best
    }, null)
  }

  /** Returns the incomplete sentence at the end of a run; an empty range if there is none. */
  function lastSentence({ block, from, to }: TypedRun): TypedRun {
    const typed = blocks[block]?.text.slice(from, to) ?? ''
    const rest = incompleteSentence(typed)
    return { block, from: to - rest.length, to }
  }

  return {
    read: () => documentOf(blocks),
    typedRun: () => (run ? plainOf(blocks[run.block]?.text.slice(run.from, run.to) ?? '') : ''),
    show(document) {
      if (isComposing) throw new Error('The text was changed under an input method')
      const shown = blocksOf(document)
      const isTypedOn = begun === run
      run = runIn(shown, run)
      begun = isTypedOn ? run : runIn(shown, begun)
      blocks = shown
    },
    isComposing: () => isComposing,
    compose(value) {
      isComposing = value
    },
    type(phrase, random) {
      if (random.chance(0.2)) addLine(anyBlock(random) + 1, phrase)
      else insertInto(anyBlock(random), phrase, random)
    },
    typeAt(place, phrase, random) {
      const last = blocks.length - 1
      const block = place === 'end' || place === 'inside' ? last : anyBlock(random)
      const { length } = wordsAt(block)
      if (place === 'line') addLine(block + 1, phrase)
      else
        insert(block, { end: length, block: length, start: 0, inside: length >> 1 }[place], phrase)
      begun = run
    },
    goOn(phrase) {
      const last = begun && begun !== run ? lastSentence(begun) : run
      const block = last && blocks[last.block]
      if (!last || !block) return false
      const { block: at, from, to } = last
      blocks[at] = { ...block, text: `${block.text.slice(0, to)} ${phrase}${block.text.slice(to)}` }
      run = { block: at, from: from < to ? from : to + 1, to: to + 1 + phrase.length }
      begun = run
      return true
    },
    has: (word) => blocks.some((_, at) => wordsAt(at).includes(word)),
    paste(paragraphs, random) {
      endRuns()
      const pasted = paragraphs.map((text): Block => ({ kind: 'paragraph', text }))
      const isNew = blocks.length === 1 && blocks[0]?.text === ''
      if (isNew) blocks = pasted
      else blocks.splice(anyBlock(random) + 1, 0, ...pasted)
    },
    typeOn(word, longer) {
      endRuns()
      const at = blocks.findIndex((_, place) => wordsAt(place).includes(word))
      if (at >= 0) write(at, wordsAt(at).with(wordsAt(at).indexOf(word), longer))
      return at >= 0
    },
    link(word, name) {
      endRuns()
      const at = blocks.findIndex((_, place) => wordsAt(place).includes(word))
      if (at >= 0) write(at, wordsAt(at).with(wordsAt(at).indexOf(word), linkedWord(word, name)))
    },
    deleteBlock(random) {
      endRuns()
      const at = anyBlock(random)
      const taken = wordsIn(blocks[at]?.text ?? '')
      blocks.splice(at, 1)
      if (blocks.length === 0) blocks = blocksOf({})
      return taken
    },
    split(random) {
      endRuns()
      const at = anyBlock(random)
      const words = wordsAt(at)
      if (words.length < 2) return
      const place = random.between(1, words.length - 1)
      write(at, words.slice(0, place))
      const { kind = 'paragraph' } = blocks[at] ?? {}
      blocks.splice(at + 1, 0, { kind, text: words.slice(place).join(' ') })
    },
    join(random) {
      endRuns()
      const at = anyBlock(random)
      if (at === 0) return
      write(at - 1, [...wordsAt(at - 1), ...wordsAt(at)])
      blocks.splice(at, 1)
    },
    moveSection(random) {
      endRuns()
      if (blocks.length < 2) return
      const most = Math.min(3, blocks.length - 1)
      const section = blocks.splice(random.between(0, blocks.length - 2), random.between(1, most))
      blocks.splice(random.between(0, blocks.length), 0, ...section)
    },
    turn(kind, random) {
      endRuns()
      const at = anyBlock(random)
      blocks[at] = { text: '', ...blocks[at], kind }
    },
  }
}
