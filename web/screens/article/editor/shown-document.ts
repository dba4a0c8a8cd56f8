import { Fragment, type Node } from '@tiptap/pm/model'
import type { ArticleDocument, DocumentNode } from '../../../../domain/document.ts'

const known = new WeakMap<Node, DocumentNode>()

/**
 * The document that the editor shows. A block that nobody typed in is the very object that it was at the last
 * reading, so that whatever is derived from it need not be made anew.
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
