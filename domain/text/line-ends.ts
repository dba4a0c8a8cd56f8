import { isTextBlock } from './article-text.ts'
import {
  type ArticleDocument,
  type ArticleText,
  asDocument,
  type DocumentNode,
} from './document.ts'

/** The document without the white space at the ends of its lines, which no reader sees. */
export const withoutLineEndSpaces = (text: ArticleText): ArticleDocument => ({
  type: 'doc',
  content: asDocument(text).content.map(trimmedNode),
})

function trimmedNode(node: DocumentNode): DocumentNode {
  if (!node.content) return node
  if (!isTextBlock(node)) return { ...node, content: node.content.map(trimmedNode) }
  const content: DocumentNode[] = []
  let endsLine = true
  for (const child of node.content.toReversed()) {
    const text = endsLine ? child.text?.trimEnd() : child.text
    if (text === '') continue
    content.unshift(text === undefined ? child : { ...child, text })
    endsLine = child.type === 'hardBreak'
  }
  return { ...node, content }
}
