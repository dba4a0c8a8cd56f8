import type { Editor } from '@tiptap/core'
import { Decoration } from '@tiptap/pm/view'
import { EditorContent } from '@tiptap/react'
import { useEffect, useLayoutEffect, useState } from 'react'
import { type NoteAnchor, notePlacer } from '../../../../domain/notes/note-place.ts'
import { plainText } from '../../../../domain/text/article-text.ts'
import type { ArticleDocument } from '../../../../domain/text/document.ts'
import { ARTICLE_EDITOR } from '../editor/article-extensions.ts'
import { LinkTools } from '../editor/link-tools.tsx'
import { changingTransaction } from '../editor/show-document.ts'
import { useEditor } from '../editor/use-editor.ts'
import { lettersOf, positionsOf } from '../notes/letters.ts'
import '../notes/note-bands.css'
import { showPlace } from '../notes/show-place.ts'
import { addDecorationLayer, type DecorationLayer } from '../scorecard/decoration-layer.ts'
import { comparedDocument } from './compared-document.ts'
import classes from './compared-text.module.css'

type ReadingTextProps = {
  text: ArticleDocument
  /** The text that it is compared with; null to show it alone. */
  other: ArticleDocument | null
  /** What is marked in it; null for nothing. */
  words?: NoteAnchor | null
  /** Receives the editor that shows the text, and null when it goes. */
  onShown?: (editor: Editor | null) => void
}

/** A text that is read only, in an editor: so the scorecard counts and marks it as it does the article's own text. */
export function ReadingText({ text, other, words = null, onShown }: ReadingTextProps) {
  const editor = useEditor({ ...READING, content: text })
  const [comparison] = useState(() => addDecorationLayer(editor, 'comparison'))
  const [marking] = useState(() => addDecorationLayer(editor, 'notedWords'))
  useLayoutEffect(() => {
    show(editor, comparison, text, other)
    mark(editor, marking, text, words)
  }, [editor, comparison, marking, text, other, words])
  // Not when only the other text changes: the page would leave what is being read.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has them at another place
  useLayoutEffect(() => {
    if (words) showPlace(editor, marking.shown()[0])
  }, [editor, marking, text, words])
  useEffect(() => {
    onShown?.(editor)
    return () => onShown?.(null)
  }, [editor, onShown])
  return (
    <>
      <EditorContent editor={editor} className={`article-text ${classes.text}`} />
      <LinkTools editor={editor} readOnly />
    </>
  )
}

const READING = {
  ...ARTICLE_EDITOR,
  editable: false,
  editorProps: { attributes: { role: 'article' } },
}

function show(
  editor: Editor,
  comparison: DecorationLayer,
  text: ArticleDocument,
  other: ArticleDocument | null,
): void {
  const { doc, decorations } = comparedDocument(editor.schema, text, other ?? text)
  const change = changingTransaction(editor.state, doc)
  if (change) editor.view.dispatch(change)
  comparison.show(decorations)
}

/** Marks the words of a note about this text. */
function mark(
  editor: Editor,
  marking: DecorationLayer,
  text: ArticleDocument,
  words: NoteAnchor | null,
): void {
  if (!words && marking.shown().length === 0) return
  const letters = plainText(text)
  const place = words && notePlacer(letters, () => letters)(words)
  if (place?.kind !== 'words') {
    marking.show([])
    return
  }
  const { from, to } = positionsOf(lettersOf(editor.state.doc), place)
  marking.show([Decoration.inline(from, to, { class: 'noted noted-now' })])
}
