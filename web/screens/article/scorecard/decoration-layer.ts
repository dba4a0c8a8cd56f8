import type { Editor } from '@tiptap/core'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { type Decoration, DecorationSet } from '@tiptap/pm/view'

/** Decorations of the text that come and go with what shows them. They move with the text that they are of. */
export type DecorationLayer = {
  /**
   * Replaces them; positions must be those of the current text. Those for which `isDrawn` returns false are only
   * mapped: the editor's work for a key grows with the decorations that it draws.
   */
  show(decorations: Decoration[], isDrawn?: (decoration: Decoration) => boolean): void
  /** All of them, where they are now. */
  shown(): Decoration[]
  remove(): void
}

type Layer = { drawn: DecorationSet; undrawn: DecorationSet }

const NOTHING: Layer = { drawn: DecorationSet.empty, undrawn: DecorationSet.empty }

export function addDecorationLayer(editor: Editor, name: string): DecorationLayer {
  const key = new PluginKey<Layer>(name)
  editor.registerPlugin(
    new Plugin<Layer>({
      key,
      state: {
        init: () => NOTHING,
        apply: (tr, { drawn, undrawn }) =>
          tr.getMeta(key) ?? {
            drawn: drawn.map(tr.mapping, tr.doc),
            undrawn: undrawn.map(tr.mapping, tr.doc),
          },
      },
      props: { decorations: (state) => key.getState(state)?.drawn },
    }),
  )
  return {
    show(decorations, isDrawn = () => true) {
      const { doc, tr } = editor.state
      const layer: Layer = {
        drawn: DecorationSet.create(doc, decorations.filter(isDrawn)),
        undrawn: DecorationSet.create(
          doc,
          decorations.filter((decoration) => !isDrawn(decoration)),
        ),
      }
      editor.view.dispatch(tr.setMeta(key, layer).setMeta('addToHistory', false))
    },
    shown() {
      const { drawn, undrawn } = key.getState(editor.state) ?? NOTHING
      return [...drawn.find(), ...undrawn.find()]
    },
    remove() {
      if (!editor.isDestroyed) editor.unregisterPlugin(key)
    },
  }
}
