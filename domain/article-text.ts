import { ALPHANUMERIC, kindAt, SPACE } from './characters.ts'
import { type ArticleText, asDocument, type DocumentNode } from './document.ts'
import { NODE_RULES } from './document-schema.ts'

/** Words are separated by any Unicode white space and have at least one letter or digit (Q34). */
export function countWords(text: string): number {
  let words = 0
  let counted = false
  for (let index = 0; index < text.length; index += 1) {
    const kind = kindAt(text, index)
    if (kind & SPACE) counted = false
    else if (!counted && kind & ALPHANUMERIC) {
      counted = true
      words += 1
    }
  }
  return words
}

/**
 * Block ends and hard breaks separate words, marks never split one (Q34). Each block's count is kept with it: who has
 * a document counted must not change its nodes any more.
 */
export const wordCount = (text: ArticleText): number => wordsIn(asDocument(text))

const counts = new WeakMap<DocumentNode, number>()

function wordsIn(node: DocumentNode): number {
  const known = counts.get(node)
  if (known !== undefined) return known
  const words = isTextBlock(node)
    ? countWords(textOfBlock(node))
    : (node.content ?? []).reduce((sum, child) => sum + wordsIn(child), 0)
  counts.set(node, words)
  return words
}

/** One line per paragraph or heading; a hard break is a new line too. */
export const plainText = (text: ArticleText): string => blockTexts(text).join('\n')

export const isTextBlock = (node: DocumentNode): boolean =>
  NODE_RULES.get(node.type)?.holds === 'inline'

/** The text of one paragraph or heading. A hard break is '\n', so an index here is a position in the block. */
export function textOfBlock(node: DocumentNode): string {
  return (node.content ?? [])
    .map((child) => (child.type === 'hardBreak' ? '\n' : (child.text ?? '')))
    .join('')
}

function blockTexts(text: ArticleText): string[] {
  const textsIn = (node: DocumentNode): string[] =>
    isTextBlock(node) ? [textOfBlock(node)] : (node.content ?? []).flatMap(textsIn)
  return asDocument(text).content.flatMap(textsIn)
}

export type MinimumVerdict = 'no-minimum' | 'warning' | 'met'

/** Reaching the minimum exactly still warns: 'at or below' (spec section 2, Q35). */
export function minimumVerdict(words: number, minimum: number): MinimumVerdict {
  if (minimum === 0) return 'no-minimum'
  return words <= minimum ? 'warning' : 'met'
}

/** Lit part of the moon from 0 to 1. It is full when the warning ends; without a minimum, at the first word. */
export function moonPhase(words: number, minimum: number): number {
  return Math.min(1, words / (minimum + 1))
}
