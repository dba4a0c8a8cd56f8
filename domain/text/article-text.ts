import {
  ALPHANUMERIC,
  DASH,
  EXTENDS,
  IDEOGRAPH,
  INVISIBLE,
  kindAt,
  SPACE,
  UNSPACED,
} from './characters.ts'
import { type ArticleText, asDocument, type DocumentNode } from './document.ts'
import { NODE_RULES } from './document-schema.ts'

/**
 * Words are separated by any Unicode white space, em dash or horizontal bar, and have at least one letter or digit. Each
 * Han or Kana letter is a word, and Intl.Segmenter splits runs of letters of other scripts without spaces (Q34).
 */
export function countWords(text: string): number {
  let words = 0
  /** 1 or 0. */
  let isInWord = 0
  for (let index = 0; index < text.length; index += 1) {
    const kind = kindAt(text, index)
    if (kind & UNSPACED && kind & ALPHANUMERIC) {
      isInWord = 0
      const end = kind & IDEOGRAPH ? endOfCharacter(text, index) : endOfUnspaced(text, index)
      words += kind & IDEOGRAPH ? 1 : unspacedWords(text.slice(index, end))
      index = end - 1
      continue
    }
    // Bits instead of branches: where a word ends cannot be predicted, and a wrong prediction costs more than this.
    const begins = (kind & ALPHANUMERIC) >> ALPHANUMERIC_BIT
    words += begins & ~isInWord
    isInWord = (isInWord | begins) & ~(kind & SPACE) & ~((kind & DASH) >> DASH_BIT)
  }
  return words
}

/** SPACE is bit 0. */
const ALPHANUMERIC_BIT = Math.log2(ALPHANUMERIC)
const DASH_BIT = Math.log2(DASH)

const endOfCharacter = (text: string, index: number): number =>
  index + ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1)

/** Longest run for Intl.Segmenter, whose time grows faster than the length. */
const RUN_MAX = 1_000

/** A zero-width space separates words in scripts that write no others. */
function endOfUnspaced(text: string, index: number): number {
  const most = Math.min(text.length, index + RUN_MAX)
  let end = index
  while (end < most && text[end] !== '\u200b') {
    const kind = kindAt(text, end)
    if (!(kind & EXTENDS) && (kind & (UNSPACED | IDEOGRAPH)) !== UNSPACED) break
    end += 1
  }
  return end
}

let segmenter: Intl.Segmenter | undefined

function unspacedWords(text: string): number {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
  let words = 0
  for (const { isWordLike } of segmenter.segment(text.replace(INVISIBLE, ''))) {
    if (isWordLike) words += 1
  }
  return words
}

/**
 * Block ends and hard breaks separate words, marks never split one (Q34). The count of each block is cached with it:
 * the nodes of a counted document must not be changed.
 */
export const wordCount = (text: ArticleText): number => wordsIn(asDocument(text), counts)

/** The same for a document that is counted once: remembering its blocks costs as much as counting them. */
export const wordCountOnce = (text: ArticleText): number => wordsIn(asDocument(text), null)

type Counts = WeakMap<DocumentNode, number>
const counts: Counts = new WeakMap()

function wordsIn(node: DocumentNode, kept: Counts | null): number {
  const known = kept?.get(node)
  if (known !== undefined) return known
  let words = 0
  if (isTextBlock(node)) words = countWords(textOfBlock(node))
  else for (const child of node.content ?? []) words += wordsIn(child, kept)
  kept?.set(node, words)
  return words
}

/** One line per paragraph or heading; a hard break is a new line too. */
export const plainText = (text: ArticleText): string => blockTexts(text).join('\n')

export const isTextBlock = (node: DocumentNode): boolean =>
  NODE_RULES.get(node.type)?.holds === 'inline'

/** The text of one paragraph or heading. A hard break is '\n', so an index here is a position in the block. */
export function textOfBlock(node: DocumentNode): string {
  let text = ''
  for (const child of node.content ?? []) {
    text += child.type === 'hardBreak' ? '\n' : (child.text ?? '')
  }
  return text
}

function blockTexts(text: ArticleText): string[] {
  const textsIn = (node: DocumentNode): string[] =>
    isTextBlock(node) ? [textOfBlock(node)] : (node.content ?? []).flatMap(textsIn)
  return asDocument(text).content.flatMap(textsIn)
}
