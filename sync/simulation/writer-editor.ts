import type { ArticleText } from '../../domain/document.ts'
import type { EditorPort } from '../sync-client.ts'
import { paragraphsOf, proseOf } from './prose.ts'
import type { Random } from './random.ts'

/** A text on the screen and the hands that change it. */
export type WriterEditor = Omit<EditorPort, 'show'> & {
  show(document: ArticleText): void
  compose(isComposing: boolean): void
  /** Puts a word at the end of a block, between two words, or into a block of its own. */
  type(word: string, random: Random): void
  /** Takes a block away and returns the words that it had. */
  deleteBlock(random: Random): string[]
}

export function createWriterEditor(): WriterEditor {
  let blocks = ['']
  let isComposing = false
  const anyBlock = (random: Random) => random.between(0, blocks.length - 1)

  function insertInto(at: number, word: string, random: Random): void {
    const words = (blocks[at] ?? '').split(' ').filter(Boolean)
    words.splice(random.chance(0.6) ? words.length : random.between(0, words.length), 0, word)
    blocks[at] = words.join(' ')
  }

  return {
    read: () => proseOf(blocks),
    show(document) {
      if (isComposing) throw new Error('The text was changed under an input method')
      blocks = paragraphsOf(document)
    },
    isComposing: () => isComposing,
    compose(value) {
      isComposing = value
    },
    type(word, random) {
      if (random.chance(0.2)) blocks.splice(anyBlock(random) + 1, 0, word)
      else insertInto(anyBlock(random), word, random)
    },
    deleteBlock(random) {
      const [taken = ''] = blocks.splice(anyBlock(random), 1)
      if (blocks.length === 0) blocks = ['']
      return taken.split(' ').filter(Boolean)
    },
  }
}
