import type { ArticleDocument, ArticleText, DocumentNode } from '../../domain/document.ts'

/** The text of each block, in order; the empty document has one empty block. */
export function paragraphsOf(text: ArticleText): string[] {
  const blocks = 'content' in text ? text.content.map(textOf) : []
  return blocks.length === 0 ? [''] : blocks
}

export const wordsOf = (text: ArticleText): string[] =>
  paragraphsOf(text).flatMap((paragraph) => paragraph.split(/\s+/).filter(Boolean))

export function proseOf(paragraphs: readonly string[]): ArticleDocument {
  return { type: 'doc', content: paragraphs.map(paragraph) }
}

function paragraph(text: string): DocumentNode {
  const content = text === '' ? {} : { content: [{ type: 'text', text }] }
  return { type: 'paragraph', ...content }
}

const textOf = (node: DocumentNode): string =>
  node.text ?? (node.content ?? []).map(textOf).join('')
