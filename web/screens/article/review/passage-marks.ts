import { type Editor, Extension } from '@tiptap/core'
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import type { FoundPassage } from './changed-passages.ts'

/** `inReview` marks the words too; `current` is the passage that the user is looking at. */
export type ShownPassages = {
  found: readonly FoundPassage[]
  inReview: boolean
  current: number
}

const key = new PluginKey<DecorationSet>('passageMarks')

/** A bar at the edge of every block that was changed elsewhere. Decorations only: the text itself is never changed. */
export const PassageMarks = Extension.create({
  name: 'passageMarks',
  addProseMirrorPlugins() {
    return [
      new Plugin<DecorationSet>({
        key,
        state: {
          init: () => DecorationSet.empty,
          apply(tr, decorations) {
            const shown: ShownPassages | undefined = tr.getMeta(key)
            if (shown) return DecorationSet.create(tr.doc, decorate(tr, shown))
            return tr.docChanged ? decorations.map(tr.mapping, tr.doc) : decorations
          },
        },
        props: { decorations: (state) => key.getState(state) },
      }),
    ]
  },
})

function decorate({ doc }: Transaction, { found, inReview, current }: ShownPassages): Decoration[] {
  return found.flatMap(({ place, state, words }, index) => {
    if (place === null || state === 'undone') return []
    const bars: Decoration[] = []
    doc.nodesBetween(place.from, place.to, (block, position) => {
      const end = position + block.nodeSize
      if (position >= place.from && end <= place.to)
        bars.push(Decoration.node(position, end, { class: 'from-elsewhere' }))
      return false
    })
    const name = index === current ? 'words-from-elsewhere is-current' : 'words-from-elsewhere'
    const marks = words.map(({ from, to }) => Decoration.inline(from, to, { class: name }))
    return inReview ? [...bars, ...marks] : bars
  })
}

/** Shows the passages; positions must be those of the current text. */
export function showPassages(editor: Editor, shown: ShownPassages): void {
  if (!editor.isDestroyed) editor.view.dispatch(passagesTransaction(editor.state, shown))
}

export const passagesTransaction = (state: EditorState, shown: ShownPassages): Transaction =>
  state.tr.setMeta(key, shown).setMeta('addToHistory', false)

/** Brings a passage into the middle of its scroller. */
export function scrollToPassage(editor: Editor, { place, words }: FoundPassage): void {
  const position = words[0]?.from ?? place?.from
  if (position === undefined || editor.isDestroyed) return
  const { node, offset } = editor.view.domAtPos(Math.min(position, editor.state.doc.content.size))
  const child = node.childNodes[offset]
  const element =
    child instanceof Element ? child : node instanceof Element ? node : node.parentElement
  element?.scrollIntoView({ block: 'center' })
}
