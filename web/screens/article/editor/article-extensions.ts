import { Document } from '@tiptap/extension-document'
import { HardBreak } from '@tiptap/extension-hard-break'
import { ListItem } from '@tiptap/extension-list/item'
import { ListKeymap } from '@tiptap/extension-list/keymap'
import { Paragraph } from '@tiptap/extension-paragraph'
import { Text } from '@tiptap/extension-text'
import { Dropcursor } from '@tiptap/extensions/drop-cursor'
import { Gapcursor } from '@tiptap/extensions/gap-cursor'
import { UndoRedo } from '@tiptap/extensions/undo-redo'
import { PassageMarks } from '../review/passage-marks.ts'
import { EntityMarks } from '../scorecard/entity-marks.ts'
import { CurrentSelection } from './current-selection.ts'
import { Link } from './link.ts'
import { ListNumbers } from './list-numbers.ts'
import { Bold, Italic, Strike } from './marks.ts'
import { OrderedList } from './ordered-list.ts'
import { Pastes } from './pastes.ts'
import { Placeholder } from './placeholder.ts'
import { ProtectRemoteEdits } from './protect-remote-edits.ts'
import { Blockquote, BulletList, Heading, HorizontalRule } from './typed-blocks.ts'
import { TypedRun } from './typed-run.ts'

/** Each block runs in the direction of its first letter that has one. */
const BLOCK = { HTMLAttributes: { dir: 'auto' } }

/**
 * Exactly the nodes and marks that the server accepts. No trailing paragraph is enforced: adding one would change an
 * article that is only viewed.
 */
export const ARTICLE_EXTENSIONS = [
  Bold,
  Blockquote.configure(BLOCK),
  BulletList.configure(BLOCK),
  Document,
  Dropcursor,
  Gapcursor,
  HardBreak,
  Heading.configure(BLOCK),
  UndoRedo.configure({ depth: 100, newGroupDelay: 500 }),
  HorizontalRule,
  Italic,
  ListItem,
  ListKeymap,
  OrderedList,
  Paragraph.configure(BLOCK),
  Strike,
  Link,
  Text,
  Placeholder,
  CurrentSelection,
  Pastes,
  ListNumbers,
  EntityMarks,
  PassageMarks,
  ProtectRemoteEdits,
  TypedRun,
]

/** Options of every editor of such a text. */
export const ARTICLE_EDITOR = {
  extensions: ARTICLE_EXTENSIONS,
  // `delete` searches every change for deletions, which nothing uses; pastes.ts serializes the clipboard itself.
  enableCoreExtensions: { delete: false, clipboardTextSerializer: false },
  // The page's content security policy refuses style elements; article-text.css has these rules.
  injectCSS: false,
} as const
