import type { Node } from '@tiptap/pm/model'

/** Positions in the shown text; the end is exclusive. */
export type Range = { from: number; to: number }

/** `offset` is where the line begins in the text of all the blocks, `position` where in the document. */
type Line = { offset: number; position: number; size: number }

/** The lines of the blocks from one index up to another. `isLine`: which nodes are one, by default rules too. */
export function linesIn(
  shown: Node,
  { from, to }: Range,
  isLine = ({ isTextblock, isLeaf }: Node): boolean => isTextblock || isLeaf,
): Line[] {
  const lines: Line[] = []
  let offset = 0
  shown.nodesBetween(positionOf(shown, from), positionOf(shown, to), (node, position) => {
    if (!isLine(node)) return true
    lines.push({ offset, position: position + 1, size: node.content.size })
    offset += node.content.size + 1
    return false
  })
  return lines
}

/** Where block `index` begins; behind the last block for an index past it. */
export const positionOf = (shown: Node, index: number): number =>
  shown.children.slice(0, index).reduce((size, block) => size + block.nodeSize, 0)

/** The positions of the letters `from` up to `to`, one range for each line that has some of them. */
export const within = (lines: Line[], from: number, to: number): Range[] =>
  lines
    .map(({ offset, position, size }) => ({
      from: position + Math.max(0, from - offset),
      to: position + Math.min(size, to - offset),
    }))
    .filter((range) => range.from < range.to)
