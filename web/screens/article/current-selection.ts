import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { isOfInputMethod } from '../../keys.ts'

/**
 * Keys and pastes act where the caret is on the screen. The browser tells of a moved caret in a task of its own, which
 * keys overtake on a busy page: after 'select all' and End, a letter would replace the whole text.
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

/** Tells the editor now what the browser will say soon; without a move nothing is done. */
function readSelection({ dom, composing }: EditorView): false {
  if (!composing) dom.ownerDocument.dispatchEvent(new Event('selectionchange'))
  return false
}
