import type { Editor } from '@tiptap/core'

/** Moves the focus to the text: to the caret, or to the scroll container where the text cannot hold a caret. */
export function focusText(editor: Editor): void {
  if (editor.isDestroyed) return
  if (editor.isEditable) editor.commands.focus(null, { scrollIntoView: false })
  else editor.view.dom.closest<HTMLElement>('[tabindex="0"]')?.focus()
}
