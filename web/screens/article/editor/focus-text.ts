import type { Editor } from '@tiptap/core'

/** The reader goes on in the text: at the caret, or in what scrolls it where nothing in it can hold the caret. */
export function focusText(editor: Editor): void {
  if (editor.isDestroyed) return
  if (editor.isEditable) editor.commands.focus(null, { scrollIntoView: false })
  else editor.view.dom.closest<HTMLElement>('[tabindex="0"]')?.focus()
}
