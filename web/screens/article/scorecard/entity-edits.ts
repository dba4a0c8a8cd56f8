import type { Editor } from '@tiptap/core'
import { closeHistory } from '@tiptap/pm/history'
import { Selection } from '@tiptap/pm/state'
import { kindAt, UNSPACED } from '../../../../domain/text/characters.ts'
import { type Occurrence, scrollTo } from './entity-marks.ts'

/** Replaces words in one step of undo, with the marks of the first letter. Does nothing in a text that is read only. */
export function replaceWords(editor: Editor, { from, to }: Occurrence, words: string): void {
  if (!editor.isEditable) return
  const { tr, doc, schema } = editor.state
  const marks = doc.nodeAt(from)?.marks
  editor.view.dispatch(closeHistory(tr.replaceWith(from, to, schema.text(words, marks))))
  scrollTo(editor, from)
}

/**
 * Inserts words at the cursor, at the end of the text where there was none yet, with the spaces that they need. The
 * text gets the focus. What is selected stays, and the words come after it. Does nothing in a text that is read only.
 */
export function insertAtCursor(editor: Editor, words: string, hadCursor: boolean): void {
  if (!editor.isEditable) return
  const { state, view } = editor
  const { doc, selection } = state
  const end = hadCursor ? selection.to : doc.content.size
  // A selected block ends between two.
  const { $to } = Selection.near(doc.resolve(end), -1)
  const { parent, parentOffset } = $to
  const before = parent.textBetween(0, parentOffset, '\n', '\n')
  const after = parent.textBetween(parentOffset, parent.content.size, '\n', '\n')
  const text = `${needsSpace(before, words) ? ' ' : ''}${words}${needsSpace(words, after) ? ' ' : ''}`
  const tr = closeHistory(state.tr.insertText(text, $to.pos))
  const behind = Selection.near(tr.doc.resolve(tr.mapping.map($to.pos)), -1)
  view.dispatch(tr.setSelection(behind).scrollIntoView())
  view.focus()
}

/** Whether words need a space between them. */
function needsSpace(before: string, after: string): boolean {
  const last = [...before.slice(-2)].at(-1) ?? ''
  const [first = ''] = after
  if ((kindAt(last, 0) | kindAt(first, 0)) & UNSPACED) return false
  return /[\p{L}\p{M}\p{N}_,.;:!?)\u201d\u2019]$/u.test(last) && /^[\p{L}\p{N}_]/u.test(first)
}
