import type { ChainedCommands } from '@tiptap/core'
import {
  Bold,
  CornerDownLeft,
  Italic,
  List,
  ListOrdered,
  type LucideIcon,
  Minus,
  Pilcrow,
  Redo2,
  Strikethrough,
  TextQuote,
  Undo2,
} from 'lucide-react'
import type { PressedTool } from './toolbar-state.ts'

export type Tool = {
  name: string
  /** An icon, or the letters themselves for the headings. */
  face: LucideIcon | string
  run: (chain: ChainedCommands) => ChainedCommands
  /** 'Mod' is Control, or Command on a Mac. */
  shortcut?: string
  /** The toolbar state that presses the button: whether the selection has this format. */
  pressed?: PressedTool
  /** Only of use while there is a step to take. */
  needs?: 'canUndo' | 'canRedo'
}

const heading = (level: 1 | 2 | 3 | 4 | 5 | 6): Tool => ({
  name: `Heading ${level}`,
  face: `H${level}`,
  run: (chain) => chain.toggleHeading({ level }),
  shortcut: `Mod+Alt+${level}`,
  pressed: `h${level}`,
})

/** Spec section 2, in its order: marks, blocks, lists, insertions, and undo and redo at the right end. */
export const TOOL_GROUPS: readonly (readonly Tool[])[] = [
  [
    {
      name: 'Bold',
      face: Bold,
      run: (chain) => chain.toggleMark('bold'),
      shortcut: 'Mod+B',
      pressed: 'bold',
    },
    {
      name: 'Italic',
      face: Italic,
      run: (chain) => chain.toggleMark('italic'),
      shortcut: 'Mod+I',
      pressed: 'italic',
    },
    {
      name: 'Strike',
      face: Strikethrough,
      run: (chain) => chain.toggleMark('strike'),
      shortcut: 'Mod+Shift+S',
      pressed: 'strike',
    },
  ],
  [
    {
      name: 'Paragraph',
      face: Pilcrow,
      run: (chain) => chain.setParagraph(),
      shortcut: 'Mod+Alt+0',
      pressed: 'paragraph',
    },
    heading(1),
    heading(2),
    heading(3),
    heading(4),
    heading(5),
    heading(6),
  ],
  [
    {
      name: 'Bullet list',
      face: List,
      run: (chain) => chain.toggleBulletList(),
      shortcut: 'Mod+Shift+8',
      pressed: 'bulletList',
    },
    {
      name: 'Ordered list',
      face: ListOrdered,
      run: (chain) => chain.toggleOrderedList(),
      shortcut: 'Mod+Shift+7',
      pressed: 'orderedList',
    },
    {
      name: 'Blockquote',
      face: TextQuote,
      run: (chain) => chain.toggleBlockquote(),
      shortcut: 'Mod+Shift+B',
      pressed: 'blockquote',
    },
  ],
  [
    { name: 'Horizontal rule', face: Minus, run: (chain) => chain.setHorizontalRule() },
    {
      name: 'Hard break',
      face: CornerDownLeft,
      run: (chain) => chain.setHardBreak(),
      shortcut: 'Shift+Enter',
    },
  ],
  [
    {
      name: 'Undo',
      face: Undo2,
      run: (chain) => chain.undo(),
      shortcut: 'Mod+Z',
      needs: 'canUndo',
    },
    {
      name: 'Redo',
      face: Redo2,
      run: (chain) => chain.redo(),
      shortcut: 'Mod+Shift+Z',
      needs: 'canRedo',
    },
  ],
]
