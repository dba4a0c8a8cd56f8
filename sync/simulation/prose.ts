import type { ArticleDocument, ArticleText, DocumentNode } from '../../domain/document.ts'

export type BlockKind = 'paragraph' | 'heading' | 'item'
/** A line of a text: neighbouring items make a list. */
export type Block = { kind: BlockKind; text: string }

const NOTHING: Block = { kind: 'paragraph', text: '' }

/** The blocks that hold words, in order; the empty document has one empty paragraph. */
export function blocksOf(text: ArticleText): Block[] {
  const blocks = 'content' in text ? text.content.flatMap((node) => blocksIn(node, false)) : []
  return blocks.length === 0 ? [NOTHING] : blocks
}

/** The text of each block. */
export const paragraphsOf = (text: ArticleText): string[] => blocksOf(text).map((one) => one.text)

/** Words and structure: what two copies of a text must agree about. */
export const shapeOf = (text: ArticleText): string =>
  blocksOf(text)
    .map(({ kind, text }) => `${kind} ${text}`)
    .join('\n')

export const wordsOf = (text: ArticleText): string[] =>
  paragraphsOf(text).flatMap((paragraph) => paragraph.split(/\s+/).filter(Boolean))

export const proseOf = (paragraphs: readonly string[]): ArticleDocument =>
  documentOf(paragraphs.map((text) => ({ kind: 'paragraph', text })))

export function documentOf(blocks: readonly Block[]): ArticleDocument {
  const content: DocumentNode[] = []
  for (const block of blocks) {
    const last = content.at(-1)
    if (block.kind !== 'item') content.push(nodeOf(block))
    else if (last?.type === 'bulletList') last.content?.push(nodeOf(block))
    else content.push({ type: 'bulletList', content: [nodeOf(block)] })
  }
  return { type: 'doc', content }
}

function nodeOf({ kind, text }: Block): DocumentNode {
  const content = text === '' ? {} : { content: [{ type: 'text', text }] }
  if (kind === 'heading') return { type: 'heading', attrs: { level: 2 }, ...content }
  const paragraph: DocumentNode = { type: 'paragraph', ...content }
  return kind === 'item' ? { type: 'listItem', content: [paragraph] } : paragraph
}

function blocksIn(node: DocumentNode, isItem: boolean): Block[] {
  const children = node.content ?? []
  if (node.type === 'heading') return [{ kind: 'heading', text: textOf(node) }]
  if (node.type === 'paragraph')
    return [{ kind: isItem ? 'item' : 'paragraph', text: textOf(node) }]
  return children.flatMap((child) => blocksIn(child, isItem || node.type === 'listItem'))
}

const textOf = (node: DocumentNode): string =>
  node.text ?? (node.content ?? []).map(textOf).join('')
