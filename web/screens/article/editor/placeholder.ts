import { Extension, isNodeEmpty } from '@tiptap/core'
import { type EditorState, Plugin } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'

/** Spec section 2; the space and the single ellipsis character belong to it. */
export const PLACEHOLDER = 'Write your article here …'

/** Shown at the caret of an empty text, when it is editable. */
export const Placeholder = Extension.create({
  name: 'placeholder',
  addProseMirrorPlugins() {
    const { editor } = this
    return [
      new Plugin({
        props: {
          decorations: (state) =>
            editor.isEditable && isNodeEmpty(state.doc) ? atCaret(state) : null,
        },
      }),
    ]
  },
})

function atCaret({ doc, selection: { $anchor } }: EditorState): DecorationSet | null {
  if ($anchor.depth === 0 || !$anchor.node(1).isTextblock) return null
  return DecorationSet.create(doc, [
    Decoration.node($anchor.before(1), $anchor.after(1), {
      class: 'is-editor-empty',
      'data-placeholder': PLACEHOLDER,
    }),
  ])
}
