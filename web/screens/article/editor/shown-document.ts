import { Fragment, type Node } from '@tiptap/pm/model'
import type { ArticleDocument, DocumentNode } from '../../../../domain/text/document.ts'

const known = new WeakMap<Node, DocumentNode>()

/**
 * The document that the editor shows. An unchanged block is the same object as at the last reading, so that derived
 * values can be reused.
 */
export const shownDocument = (doc: Node): ArticleDocument => ({
  type: 'doc',
  content: doc.children.map(blockOf),
})

function blockOf(node: Node): DocumentNode {
  const before = known.get(node)
  if (before) return before
  const isOfBlocks = !node.isTextblock && !node.isLeaf
  const block: DocumentNode = isOfBlocks
    ? { ...node.copy(Fragment.empty).toJSON(), content: node.children.map(blockOf) }
    : node.toJSON()
  known.set(node, block)
  return block
}
