import type { DocumentNode } from '../../domain/text/document.ts'
import type { Addresses } from './addresses.ts'
import { attributesOf, type Container, ITEM, inlineNodes, type Leaf, RULE } from './leaves.ts'
import type { Renames } from './token-merge.ts'

const PARAGRAPH = 'paragraph'

type Open = { node: DocumentNode; children: DocumentNode[] }

/**
 * Builds the tree over a row of blocks. A block continues in the open containers as far as they are of the same kind.
 * The result is always a document that the editor and the server accept: an item begins with a paragraph, and nothing
 * is empty.
 */
export function treeOf(leaves: Leaf[], renames: Renames, addresses: Addresses): DocumentNode[] {
  const content: DocumentNode[] = []
  const open: Open[] = []
  const childrenAt = (depth: number): DocumentNode[] => open[depth - 1]?.children ?? content
  for (const leaf of leaves) {
    const way = leaf.path.map((container) => renamed(container, renames))
    const depth = way.findIndex(
      ({ node, isNew }, level) => isNew || open[level]?.node.type !== node.type,
    )
    const kept = depth < 0 ? way.length : depth
    open.length = kept
    const rest = fitting(way.slice(kept))
    for (const { node } of rest) {
      const container = containerOf(node)
      childrenAt(open.length).push(container.node)
      open.push(container)
    }
    const beginsItem = rest.at(-1)?.node.type === ITEM
    childrenAt(open.length).push(
      ...(beginsItem ? firstOfItem(leaf, addresses) : [blockOf(leaf, addresses)]),
    )
  }
  return content
}

const renamed = (container: Container, renames: Renames): Container => ({
  ...container,
  node: renames.get(container.node) ?? container.node,
})

/** Nothing but a paragraph may begin an item: when its first line is gone, a list or quote in it gives way. */
function fitting(way: Container[]): Container[] {
  const item = way.findIndex(({ node }) => node.type === ITEM)
  return item < 0 ? way : way.slice(0, item + 1)
}

function firstOfItem(leaf: Leaf, addresses: Addresses): DocumentNode[] {
  if (leaf.type === PARAGRAPH) return [blockOf(leaf, addresses)]
  if (leaf.type === RULE) return [{ type: PARAGRAPH }, blockOf(leaf, addresses)]
  return [blockOf({ ...leaf, type: PARAGRAPH, attrs: {}, node: null }, addresses)]
}

function containerOf(node: DocumentNode): Open {
  const children: DocumentNode[] = []
  const attrs = attributesOf(node)
  const bare = { type: node.type, content: children }
  return { node: Object.keys(attrs).length > 0 ? { ...bare, attrs } : bare, children }
}

function blockOf(leaf: Leaf, addresses: Addresses): DocumentNode {
  const { node, type, attrs, text } = leaf
  if (node) return node
  const built: DocumentNode = { type }
  if (Object.keys(attrs).length > 0) built.attrs = attrs
  if (text !== '') built.content = inlineNodes(leaf, addresses)
  return built
}
