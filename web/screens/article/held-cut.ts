import { type Editor, Extension } from '@tiptap/core'
import type { Node, Slice } from '@tiptap/pm/model'
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'

/**
 * `whole` is the text before the cut, as long as nothing else changed. `at` is where it was cut out, `isAlone` when nothing
 * was left of the paragraph there.
 */
type Cut = { whole: Node | null; slice: Slice; at: number; isAlone: boolean }

const key = new PluginKey<Cut | null>('heldCut')
/** As long as most moves take. */
export const CUT_HELD_MS = 10_000

/**
 * A cut is the first half of a move. Sent alone it is a deletion: another writer's words in the paragraph would bring
 * that back, and after the paste it would be there twice. So until it is pasted, undone or let go of, what is cut out
 * counts as being in its old place; merges wait for so long, as they do for an input method.
 */
export const HeldCut = Extension.create({
  name: 'heldCut',
  addProseMirrorPlugins: () => [heldCut()],
})

export const heldCut = (): Plugin<Cut | null> =>
  new Plugin<Cut | null>({
    key,
    state: {
      init: () => null,
      apply(tr, cut, before) {
        if (isCut(tr)) return cutOut(tr, before)
        if (tr.getMeta('uiEvent') === 'paste' || tr.getMeta('history$') || tr.getMeta(key))
          return null
        return cut && tr.docChanged ? { ...cut, whole: null, at: tr.mapping.map(cut.at) } : cut
      },
    },
  })

export const isCut = (tr: Transaction): boolean => tr.docChanged && tr.getMeta('uiEvent') === 'cut'

function cutOut(tr: Transaction, { doc, selection }: EditorState): Cut {
  const at = tr.mapping.map(selection.from)
  const isAlone = tr.doc.resolve(at).parent.content.size === 0
  return { whole: doc, slice: selection.content(), at, isAlone }
}

export const holdsCut = (state: EditorState): boolean => Boolean(key.getState(state))

/** The text with what is cut out in its old place. */
export function withCut(state: EditorState): Node {
  const cut = key.getState(state)
  if (!cut) return state.doc
  const { whole, slice, at, isAlone } = cut
  if (whole) return whole
  const place = state.doc.resolve(at)
  // The empty paragraph was removed, or written in.
  const isApart = isAlone && place.depth > 0 && place.parent.content.size > 0
  const { tr } = state
  return (isApart ? tr.insert(place.after(1), slice.content) : tr.replace(at, at, slice)).doc
}

/** From now on what is cut out is deleted. False when nothing is. */
export function letCutGo({ state, view, isDestroyed }: Editor): boolean {
  if (isDestroyed || !holdsCut(state)) return false
  view.dispatch(state.tr.setMeta(key, true))
  return true
}
