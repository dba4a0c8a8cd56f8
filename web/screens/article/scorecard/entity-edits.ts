import type { Editor } from '@tiptap/core'
import { closeHistory } from '@tiptap/pm/history'
import { Selection, TextSelection } from '@tiptap/pm/state'
import { kindAt, UNSPACED } from '../../../../domain/characters.ts'
import type { Occurrence } from './entity-marks.ts'

/** Replaces words in one step of undo, with the marks of the first letter. */
export function replaceWords(editor: Editor, { from, to }: Occurrence, words: string): void {
  const { tr } = editor.state
  editor.view.dispatch(closeHistory(tr.insertText(words, from, to)).scrollIntoView())
}

/**
 * Inserts words at the cursor, at the end of the text where there was none yet, with the spaces that they need. The
 * text gets the focus. What is selected stays, and the words come after it.
 */
export function insertAtCursor(editor: Editor, words: string): void {
  const { state, view } = editor
  const { doc, selection } = state
  const isUnused = selection.eq(Selection.atStart(doc))
  const place = isUnused ? Selection.atEnd(doc) : selection
  const { $to } = place
  const before = $to.parent.textBetween(0, $to.parentOffset, '\n', '\n').slice(-1)
  const after = $to.parent.textBetween($to.parentOffset, $to.parent.content.size, '\n', '\n')
  const text = `${joins(before, words) ? ' ' : ''}${words}${joins(words, after) ? ' ' : ''}`
  const tr = closeHistory(state.tr.insertText(text, place.to))
  const end = place.to + text.length
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, end)).scrollIntoView())
  view.focus()
}

/** Whether words need a space between them. */
function joins(before: string, after: string): boolean {
  const [last, first] = [before.slice(-1), after.slice(0, 1)]
  if ((kindAt(last, 0) | kindAt(first, 0)) & UNSPACED) return false
  return /[\p{L}\p{M}\p{N},.;:!?)\u201d\u2019]$/u.test(last) && /^[\p{L}\p{N}]/u.test(first)
}
