import type { Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import type { Occurrence } from './entity-marks.ts'
import { editorTree } from './scorecard-store.ts'

/** Words that are shown in the text, like the current match of the search. `doc` is what the positions are of. */
export type Mark = { doc: Node; ranges: readonly Occurrence[] }

const key = new PluginKey<DecorationSet>('nearMarks')

/** Marks words of the text until `stop` is called. */
export function startMarking(editor: Editor): {
  mark: (mark: Mark | null) => void
  stop: () => void
} {
  editor.registerPlugin(
    new Plugin<DecorationSet>({
      key,
      state: {
        init: () => DecorationSet.empty,
        apply: (tr, marks) => tr.getMeta(key) ?? marks.map(tr.mapping, tr.doc),
      },
      props: { decorations: (state) => key.getState(state) },
    }),
  )
  return {
    mark(mark) {
      // Marks that come or go in the middle of a composition would end it.
      if (editor.isDestroyed || editor.view.composing) return
      const { doc, tr } = editor.state
      const ranges = mark?.doc === doc ? mark.ranges : []
      const marks = ranges.map(({ from, to }) =>
        Decoration.inline(from, to, { class: 'found-current' }),
      )
      const set = DecorationSet.create(doc, marks)
      editor.view.dispatch(tr.setMeta(key, set).setMeta('addToHistory', false))
    },
    stop() {
      if (!editor.isDestroyed) editor.unregisterPlugin(key)
    },
  }
}

/** The text blocks in order, and where the text of each begins. */
export function textBlocksOf(doc: Node): { text: string; start: number }[] {
  const blocks: { text: string; start: number }[] = []
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true
    blocks.push({ text: editorTree.blockText(node), start: position + 1 })
    return false
  })
  return blocks
}
