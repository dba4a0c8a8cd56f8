import { Blockquote } from '@tiptap/extension-blockquote'
import { Bold } from '@tiptap/extension-bold'
import { Document } from '@tiptap/extension-document'
import { HardBreak } from '@tiptap/extension-hard-break'
import { Heading } from '@tiptap/extension-heading'
import { HorizontalRule } from '@tiptap/extension-horizontal-rule'
import { Italic } from '@tiptap/extension-italic'
import { BulletList } from '@tiptap/extension-list/bullet-list'
import { ListItem } from '@tiptap/extension-list/item'
import { ListKeymap } from '@tiptap/extension-list/keymap'
import { OrderedList } from '@tiptap/extension-list/ordered-list'
import { Paragraph } from '@tiptap/extension-paragraph'
import { Strike } from '@tiptap/extension-strike'
import { Text } from '@tiptap/extension-text'
import { Dropcursor } from '@tiptap/extensions/drop-cursor'
import { Gapcursor } from '@tiptap/extensions/gap-cursor'
import { UndoRedo } from '@tiptap/extensions/undo-redo'
import { EntityMarks } from './entity-marks.ts'
import { ForeignWords } from './foreign-words.ts'
import { ListNumbers } from './list-numbers.ts'
import { Placeholder } from './placeholder.ts'
import { PassageMarks } from './review/passage-marks.ts'

/**
 * Exactly the nodes and marks that the server takes. No trailing paragraph is kept at the end of a text:
 * adding one would change an article that somebody only looked at.
 */
export const ARTICLE_EXTENSIONS = [
  Bold,
  Blockquote,
  BulletList,
  Document,
  Dropcursor,
  Gapcursor,
  HardBreak,
  Heading,
  UndoRedo.configure({ depth: 100, newGroupDelay: 500 }),
  HorizontalRule,
  Italic,
  ListItem,
  ListKeymap,
  OrderedList,
  Paragraph,
  Strike,
  Text,
  Placeholder,
  ListNumbers,
  EntityMarks,
  PassageMarks,
  ForeignWords,
]
