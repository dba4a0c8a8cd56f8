import type { Node } from '@tiptap/pm/model'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import { diffIndices } from 'node-diff3'

/**
 * The transaction that turns the shown text into `next` by changing only what differs, so that the caret
 * stays where it is. Not in the undo history and not an edit of the user's. Null when both are equal.
 */
export function showingTransaction(state: EditorState, next: Node): Transaction | null {
  if (state.doc.eq(next)) return null
  const { tr } = state
  for (const hunk of differingBlocks(state.doc, next).reverse()) replaceHunk(tr, hunk)
  const exact = tr.doc.eq(next) ? tr : replaceAll(state, next)
  return exact.setMeta('addToHistory', false).setMeta('preventUpdate', true)
}

/** Neighbouring blocks of the shown text, from `position` on, and what stands in their place. */
type Hunk = { position: number; before: Node[]; after: Node[] }

function differingBlocks(shown: Node, next: Node): Hunk[] {
  const starts: number[] = []
  shown.forEach((_block, offset) => {
    starts.push(offset)
  })
  return diffIndices(shown.children.map(blockKey), next.children.map(blockKey)).map((hunk) => {
    const [index, count] = hunk.buffer1
    const [nextIndex, nextCount] = hunk.buffer2
    return {
      position: starts[index] ?? shown.content.size,
      before: shown.children.slice(index, index + count),
      after: next.children.slice(nextIndex, nextIndex + nextCount),
    }
  })
}

const blockKey = (block: Node): string => JSON.stringify(block.toJSON())

/** Blocks of equal number are changed one by one, from the last to the first so that positions stay true. */
function replaceHunk(tr: Transaction, { position, before, after }: Hunk): void {
  const ends = before.map((_, index) => position + sizeOf(before.slice(0, index + 1)))
  if (before.length !== after.length) {
    tr.replaceWith(position, position + sizeOf(before), after)
    return
  }
  for (let index = before.length - 1; index >= 0; index -= 1) {
    const [old, fresh, end] = [before[index], after[index], ends[index]]
    if (old && fresh && end !== undefined) replaceBlock(tr, end - old.nodeSize, old, fresh)
  }
}

const sizeOf = (blocks: Node[]): number => blocks.reduce((size, block) => size + block.nodeSize, 0)

function replaceBlock(tr: Transaction, position: number, old: Node, fresh: Node): void {
  const start = old.content.findDiffStart(fresh.content)
  const end = old.content.findDiffEnd(fresh.content)
  if (!old.sameMarkup(fresh) || start === null || end === null) {
    tr.replaceWith(position, position + old.nodeSize, fresh)
    return
  }
  // Repeated letters can make both searches claim the same part.
  const overlap = Math.max(0, start - Math.min(end.a, end.b))
  const inside = position + 1
  const slice = fresh.slice(start, end.b + overlap)
  tr.replace(inside + start, inside + end.a + overlap, slice)
}

const replaceAll = (state: EditorState, next: Node): Transaction =>
  state.tr.replaceWith(0, state.doc.content.size, next.content)
