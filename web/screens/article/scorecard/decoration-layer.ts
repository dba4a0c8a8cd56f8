import type { Editor } from '@tiptap/core'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { type Decoration, DecorationSet } from '@tiptap/pm/view'

/** Decorations of the text that come and go with what shows them. They move with the text that they are of. */
export type DecorationLayer = {
  /** Replaces them; positions must be those of the current text. */
  show(decorations: Decoration[]): void
  /** Those that are shown, where they are now. */
  shown(): Decoration[]
  remove(): void
}

export function addDecorationLayer(editor: Editor, name: string): DecorationLayer {
  const key = new PluginKey<DecorationSet>(name)
  editor.registerPlugin(
    new Plugin<DecorationSet>({
      key,
      state: {
        init: () => DecorationSet.empty,
        apply: (tr, shown) => tr.getMeta(key) ?? shown.map(tr.mapping, tr.doc),
      },
      props: { decorations: (state) => key.getState(state) },
    }),
  )
  return {
    show(decorations) {
      const { doc, tr } = editor.state
      const shown = DecorationSet.create(doc, decorations)
      editor.view.dispatch(tr.setMeta(key, shown).setMeta('addToHistory', false))
    },
    shown: () => key.getState(editor.state)?.find() ?? [],
    remove() {
      if (!editor.isDestroyed) editor.unregisterPlugin(key)
    },
  }
}
