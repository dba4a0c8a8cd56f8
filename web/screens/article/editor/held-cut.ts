import type { Editor } from '@tiptap/core'
import { isHistoryTransaction } from '@tiptap/pm/history'
import type { Node, Slice } from '@tiptap/pm/model'
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'
import type { Clock } from '../../../../sync/ports.ts'

/**
 * `whole` is the text before the cut, as long as nothing else changed. `at` is the position of the cut, `isAlone` when
 * it left its paragraph empty.
 */
type Cut = { whole: Node | null; slice: Slice; at: number; isAlone: boolean }

const key = new PluginKey<Cut | null>('heldCut')
/** Longer than most moves take. */
const CUT_HELD_MS = 10_000

/** Events that release a cut: what is saved or completed then must be the text that the page shows. */
const LETTING_GO = ['beforeunload', 'visibilitychange', 'freeze', 'pagehide', 'blur']

/**
 * A cut is the first half of a move. Sent alone it is a deletion: a merge with another writer's words in the paragraph
 * would restore it, and after the paste it would be there twice. So until it is pasted, undone or released, the cut text
 * counts as being in its old place, and merges wait, as they do for an input method. Returns a function that ends this.
 */
export function holdCuts(editor: Editor, clock: Clock, edited: () => void): () => void {
  editor.registerPlugin(heldCut())
  function letGo(): void {
    if (editor.isDestroyed || !holdsCut(editor.state)) return
    editor.view.dispatch(editor.state.tr.setMeta(key, true))
    edited()
  }
  function begin({ transaction }: { transaction: Transaction }): void {
    if (isCut(transaction)) clock.after(CUT_HELD_MS, letGo)
  }
  editor.on('update', begin)
  // Capturing, so that it runs before the listeners that save.
  for (const event of LETTING_GO) window.addEventListener(event, letGo, true)
  return () => {
    for (const event of LETTING_GO) window.removeEventListener(event, letGo, true)
    editor.off('update', begin)
    editor.unregisterPlugin(key)
  }
}

export const heldCut = (): Plugin<Cut | null> =>
  new Plugin<Cut | null>({
    key,
    state: {
      init: () => null,
      apply(tr, cut, before) {
        if (isCut(tr)) return cutOut(tr, before)
        if (tr.getMeta('uiEvent') === 'paste' || isHistoryTransaction(tr) || tr.getMeta(key))
          return null
        return cut && tr.docChanged ? { ...cut, whole: null, at: tr.mapping.map(cut.at) } : cut
      },
    },
  })

const isCut = (tr: Transaction): boolean => tr.docChanged && tr.getMeta('uiEvent') === 'cut'

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
