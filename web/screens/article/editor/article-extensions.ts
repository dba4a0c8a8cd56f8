import { StarterKit } from '@tiptap/starter-kit'
import { PassageMarks } from '../review/passage-marks.ts'
import { EntityMarks } from '../scorecard/entity-marks.ts'
import { ClipboardContent } from './clipboard.ts'
import { CurrentSelection } from './current-selection.ts'
import { Link } from './link.ts'
import { ListNumbers } from './list-numbers.ts'
import { Bold, Italic, Strike } from './marks.ts'
import { OrderedList } from './ordered-list.ts'
import { Placeholder } from './placeholder.ts'
import { ProtectRemoteEdits } from './protect-remote-edits.ts'
import { Blockquote, BulletList, Heading, HorizontalRule } from './typed-blocks.ts'
import { TypedRun } from './typed-run.ts'

/** Each block runs in the direction of its first letter that has one. */
const BLOCK = { HTMLAttributes: { dir: 'auto' } }

/** Extensions that are disabled here are either replaced below or not part of articles. */
const KIT = StarterKit.configure({
  paragraph: BLOCK,
  undoRedo: { depth: 100, newGroupDelay: 500 },
  blockquote: false,
  bold: false,
  bulletList: false,
  heading: false,
  horizontalRule: false,
  italic: false,
  link: false,
  orderedList: false,
  strike: false,
  // Not part of articles.
  code: false,
  codeBlock: false,
  underline: false,
  // Would change an article that is only viewed.
  trailingNode: false,
})

/** Exactly the nodes and marks that the server accepts. */
export const ARTICLE_EXTENSIONS = [
  KIT,
  Bold,
  Blockquote.configure(BLOCK),
  BulletList.configure(BLOCK),
  Heading.configure(BLOCK),
  HorizontalRule,
  Italic,
  OrderedList,
  Strike,
  Link,
  Placeholder,
  CurrentSelection,
  ClipboardContent,
  ListNumbers,
  EntityMarks,
  PassageMarks,
  ProtectRemoteEdits,
  TypedRun,
]

/** Options of every editor of such a text. */
export const ARTICLE_EDITOR = {
  extensions: ARTICLE_EXTENSIONS,
  // `delete` searches every change for deletions, which nothing uses; clipboard.ts serializes the clipboard itself.
  enableCoreExtensions: { delete: false, clipboardTextSerializer: false },
  // The page's content security policy refuses style elements; article-text.css has these rules.
  injectCSS: false,
} as const
