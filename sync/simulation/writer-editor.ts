import type { ArticleText } from '../../domain/document.ts'
import type { EditorPort } from '../editing/editor-port.ts'
import { type Block, type BlockKind, blocksOf, documentOf, linkedWord, wordsIn } from './prose.ts'
import type { Random } from './random.ts'

/** A text on the screen and the hands that change it. */
export type WriterEditor = Omit<EditorPort, 'show'> & {
  show(document: ArticleText): void
  compose(isComposing: boolean): void
  /** Puts a word or a phrase at the end of a block, between two words, or into a block of its own. */
  type(phrase: string, random: Random): void
  /** Puts paragraphs behind a block, or in the place of the empty one that a new text has. */
  paste(paragraphs: readonly string[], random: Random): void
  /** Continues a word that is in the text. Returns false when it is not. */
  typeOn(word: string, longer: string): boolean
  /** Makes a word a link. Returns false when it is not in the text, or is one. */
  link(word: string, name: string): boolean
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

export function createWriterEditor(): WriterEditor {
  let blocks: Block[] = blocksOf({})
  let isComposing = false
  const anyBlock = (random: Random) => random.between(0, blocks.length - 1)
  const wordsAt = (at: number) => (blocks[at]?.text ?? '').split(' ').filter(Boolean)

  function write(at: number, words: readonly string[]): void {
    blocks[at] = { kind: 'paragraph', ...blocks[at], text: words.join(' ') }
  }

  function insertInto(at: number, word: string, random: Random): void {
    const words = wordsAt(at)
    words.splice(random.chance(0.6) ? words.length : random.between(0, words.length), 0, word)
    write(at, words)
  }

  return {
    read: () => documentOf(blocks),
    show(document) {
      if (isComposing) throw new Error('The text was changed under an input method')
      blocks = blocksOf(document)
    },
    isComposing: () => isComposing,
    compose(value) {
      isComposing = value
    },
    type(phrase, random) {
      if (random.chance(0.2)) {
        blocks.splice(anyBlock(random) + 1, 0, { kind: 'paragraph', text: phrase })
      } else insertInto(anyBlock(random), phrase, random)
    },
    paste(paragraphs, random) {
      const pasted = paragraphs.map((text): Block => ({ kind: 'paragraph', text }))
      const isNew = blocks.length === 1 && blocks[0]?.text === ''
      if (isNew) blocks = pasted
      else blocks.splice(anyBlock(random) + 1, 0, ...pasted)
    },
    typeOn(word, longer) {
      const at = blocks.findIndex((_, place) => wordsAt(place).includes(word))
      if (at >= 0) write(at, wordsAt(at).with(wordsAt(at).indexOf(word), longer))
      return at >= 0
    },
    link(word, name) {
      const at = blocks.findIndex((_, place) => wordsAt(place).includes(word))
      if (at >= 0) write(at, wordsAt(at).with(wordsAt(at).indexOf(word), linkedWord(word, name)))
      return at >= 0
    },
    deleteBlock(random) {
      const at = anyBlock(random)
      const taken = wordsIn(blocks[at]?.text ?? '')
      blocks.splice(at, 1)
      if (blocks.length === 0) blocks = blocksOf({})
      return taken
    },
    split(random) {
      const at = anyBlock(random)
      const words = wordsAt(at)
      if (words.length < 2) return
      const place = random.between(1, words.length - 1)
      write(at, words.slice(0, place))
      const { kind = 'paragraph' } = blocks[at] ?? {}
      blocks.splice(at + 1, 0, { kind, text: words.slice(place).join(' ') })
    },
    join(random) {
      const at = anyBlock(random)
      if (at === 0) return
      write(at - 1, [...wordsAt(at - 1), ...wordsAt(at)])
      blocks.splice(at, 1)
    },
    moveSection(random) {
      if (blocks.length < 2) return
      const most = Math.min(3, blocks.length - 1)
      const section = blocks.splice(random.between(0, blocks.length - 2), random.between(1, most))
      blocks.splice(random.between(0, blocks.length), 0, ...section)
    },
    turn(kind, random) {
      const at = anyBlock(random)
      blocks[at] = { text: '', ...blocks[at], kind }
    },
  }
}
