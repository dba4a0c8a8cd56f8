import { isMarkActive } from '@tiptap/core'
import { redoDepth, undoDepth } from '@tiptap/pm/history'
import type { Node } from '@tiptap/pm/model'
import type { EditorState } from '@tiptap/pm/state'

/** What the toolbar shows of the selection. */
export type ToolbarState = Record<PressedTool, boolean> & { canUndo: boolean; canRedo: boolean }

export const MARK_TOOLS = ['bold', 'italic', 'strike'] as const
export const BLOCK_TOOLS = ['paragraph', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const
export const WRAP_TOOLS = ['bulletList', 'orderedList', 'blockquote'] as const
export type PressedTool =
  | (typeof MARK_TOOLS)[number]
  | (typeof BLOCK_TOOLS)[number]
  | (typeof WRAP_TOOLS)[number]

export function toolbarState(state: EditorState): ToolbarState {
  const { $from, $to } = state.selection
  const block = blockTool($from.parent)
  const wraps = [$from.node(0)]
  for (let depth = 1; depth <= $from.sharedDepth($to.pos); depth += 1) wraps.push($from.node(depth))
  const inside = new Set(wraps.map(({ type }) => type.name))
  const pressed = [
    ...MARK_TOOLS.map((mark) => [mark, isMarkActive(state, mark)]),
    ...BLOCK_TOOLS.map((tool) => [tool, tool === block && tool === blockTool($to.parent)]),
    ...WRAP_TOOLS.map((wrap) => [wrap, inside.has(wrap)]),
  ]
  return {
    ...(Object.fromEntries(pressed) as Record<PressedTool, boolean>),
    canUndo: undoDepth(state) > 0,
    canRedo: redoDepth(state) > 0,
  }
}

function blockTool(block: Node): string {
  return block.type.name === 'heading' ? `h${block.attrs.level}` : block.type.name
}

export const sameToolbar = (a: ToolbarState, b: ToolbarState): boolean =>
  Object.entries(a).every(([tool, on]) => b[tool as keyof ToolbarState] === on)
