import { type Editor, Extension } from '@tiptap/core'
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import type { FoundPassage } from './changed-passages.ts'
import type { FoundPlace } from './found-places.ts'
import type { Range } from './shown-lines.ts'

/**
 * `inReview` marks the words too; `current` is the passage that the user is looking at. `place`: where both wrote, with
 * the words of each marked in another way; null while none is looked at.
 */
export type ShownPassages = {
  found: readonly FoundPassage[]
  inReview: boolean
  current: number
  place: FoundPlace | null
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
            if (shown)
              return DecorationSet.create(tr.doc, [...decorate(tr, shown), ...ofBoth(shown)])
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
    return inReview ? [...bars, ...marked(words, name)] : bars
  })
}

const ofBoth = ({ place }: ShownPassages): Decoration[] => [
  ...marked(place?.theirs, 'words-from-elsewhere is-current'),
  ...marked(place?.mine, 'words-from-here'),
]

const marked = (ranges: readonly Range[] = [], name: string): Decoration[] =>
  ranges.map(({ from, to }) => Decoration.inline(from, to, { class: name }))

/** Shows the passages; positions must be those of the current text. */
export function showPassages(editor: Editor, shown: ShownPassages): void {
  if (!editor.isDestroyed) editor.view.dispatch(passagesTransaction(editor.state, shown))
}

export const passagesTransaction = (state: EditorState, shown: ShownPassages): Transaction =>
  state.tr.setMeta(key, shown).setMeta('addToHistory', false)

/** Brings what is there into the middle of its scroller; nothing without a position. */
export function scrollToPosition(editor: Editor, position: number | undefined): void {
  if (position === undefined || editor.isDestroyed) return
  const { node, offset } = editor.view.domAtPos(Math.min(position, editor.state.doc.content.size))
  const child = node.childNodes[offset]
  const element =
    child instanceof Element ? child : node instanceof Element ? node : node.parentElement
  element?.scrollIntoView({ block: 'center' })
}
