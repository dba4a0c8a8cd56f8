import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { isOfInputMethod } from '../../../keys.ts'

/**
 * Updates the editor's selection before keys and clipboard events. The browser dispatches `selectionchange` in a
 * separate task, which key events overtake on a busy page: after 'select all' and End, a letter would replace the whole
 * text.
 */
export const CurrentSelection = Extension.create({
  name: 'currentSelection',
  addProseMirrorPlugins() {
    return [
      new Plugin({
        props: {
          handleDOMEvents: {
            keydown: (view, event) => !isOfInputMethod(event) && readSelection(view),
            paste: readSelection,
            cut: readSelection,
            copy: readSelection,
          },
        },
      }),
    ]
  },
})

/** Dispatches `selectionchange` early. The editor ignores it when the selection did not change. */
function readSelection({ dom, composing }: EditorView): false {
  if (!composing) dom.ownerDocument.dispatchEvent(new Event('selectionchange'))
  return false
}
