import { Extension } from '@tiptap/core'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import { Plugin } from '@tiptap/pm/state'
import { isListStart, LIST_TYPES } from '../../../../domain/text/document-schema.ts'

/**
 * A pasted or typed list may start at any number or carry any marker; the server would refuse some of
 * them and with them the whole text. They become an ordinary list in the same step.
 */
export const ListNumbers = Extension.create({
  name: 'listNumbers',
  addProseMirrorPlugins() {
    return [
      new Plugin({
        appendTransaction: (transactions, _before, state) =>
          transactions.some(({ docChanged }) => docChanged) ? correction(state) : null,
      }),
    ]
  },
})

function correction(state: EditorState): Transaction | null {
  const { tr } = state
  state.doc.descendants((node, position) => {
    if (node.type.name !== 'orderedList') return !node.isTextblock
    const { start, type } = node.attrs
    const attrs = {
      start: isListStart(start) ? start : 1,
      type: LIST_TYPES.includes(type) ? type : null,
    }
    if (attrs.start !== start || attrs.type !== type) tr.setNodeMarkup(position, null, attrs)
    return true
  })
  return tr.docChanged ? tr : null
}
