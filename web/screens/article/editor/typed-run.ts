import { Extension } from '@tiptap/core'
import { isHistoryTransaction } from '@tiptap/pm/history'
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'
import { StepMap } from '@tiptap/pm/transform'

/** Positions; `to` is where the caret was after the last key. */
type Run = { from: number; to: number }

const key = new PluginKey<Run | null>('typedRun')

/**
 * Keeps what the user types in one go: a merge puts the rest of a sentence behind its beginning, which others may have
 * already. It ends where the caret moves, or with an undo. Words of others that come at its end are behind it.
 */
export const TypedRun = Extension.create({
  name: 'typedRun',
  addProseMirrorPlugins: () => [typedRun()],
})

export const typedRun = (): Plugin<Run | null> =>
  new Plugin<Run | null>({ key, state: { init: () => null, apply: runAfter } })

/** The words of the run in the line of the caret; '' when there are none. */
export function typedRunOf(state: EditorState): string {
  const run = key.getState(state)
  if (!run) return ''
  const start = Math.max(run.from, state.doc.resolve(run.to).start())
  return state.doc.textBetween(start, run.to, '\n', '\n').split('\n').at(-1) ?? ''
}

function runAfter(tr: Transaction, run: Run | null): Run | null {
  if (!changesText(tr))
    return run && tr.selection.empty && tr.selection.from === run.to ? run : null
  const isOfUser =
    tr.getMeta('addToHistory') !== false && tr.getMeta('appendedTransaction') === undefined
  if (!isOfUser) return run && within(tr.mapping.map(run.from, 1), tr.mapping.map(run.to, -1))
  if (isHistoryTransaction(tr) || !tr.selection.empty) return null
  const { from, to } = changedBy(tr)
  const isTypedOn = run && from >= run.from && tr.mapping.map(run.to, 1) === to
  return to === tr.selection.from ? within(isTypedOn ? run.from : from, to) : null
}

/** Returns false when only marks change. */
const changesText = (tr: Transaction): boolean =>
  tr.mapping.maps.some((map) => map !== StepMap.empty)

const within = (from: number, to: number): Run | null => (from < to ? { from, to } : null)

/** From the first to the last change, in the text after it. */
function changedBy(tr: Transaction): Run {
  let [from, to] = [tr.doc.content.size, 0]
  for (const [index, map] of tr.mapping.maps.entries()) {
    const rest = tr.mapping.slice(index + 1)
    map.forEach((_start, _end, newFrom, newTo) => {
      from = Math.min(from, rest.map(newFrom, -1))
      to = Math.max(to, rest.map(newTo, 1))
    })
  }
  return { from, to }
}
