import { Extension } from '@tiptap/core'
import { isHistoryTransaction } from '@tiptap/pm/history'
import type { Node } from '@tiptap/pm/model'
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
  const isOfOthers = tr.getMeta('addToHistory') === false
  const isOfUser = !isOfOthers && tr.getMeta('appendedTransaction') === undefined
  if (!isOfUser) {
    const mapped = run && within(tr.mapping.map(run.from, 1), tr.mapping.map(run.to, -1))
    return mapped && isOfOthers ? behindOthers(tr, mapped) : mapped
  }
  if (isHistoryTransaction(tr) || !tr.selection.empty) return null
  const { from, to } = changedBy(tr)
  const isTypedOn = run && from >= run.from && tr.mapping.map(run.to, 1) === to
  return to === tr.selection.from ? within(isTypedOn ? run.from : from, to) : null
}

/**
 * Returns the part of the run after words that other users inserted in it. With equal spaces or words on both sides of an
 * insertion, a diff can place it inside the run although it is before it; the merge would then continue the run after it.
 */
function behindOthers(tr: Transaction, { from, to }: Run): Run | null {
  const ends = changesOf(tr)
    .filter((change) => change.from < change.to && change.from < to)
    .map((change) => change.to)
  let start = Math.max(from, ...ends)
  while (start > from && start < to && isInWord(tr.doc, start)) start += 1
  return within(start, to)
}

const isInWord = (doc: Node, at: number): boolean =>
  /^[\p{L}\p{M}\p{N}]{2}$/u.test(doc.textBetween(at - 1, at + 1))

/** Returns false when only marks change. */
const changesText = (tr: Transaction): boolean =>
  tr.mapping.maps.some((map) => map !== StepMap.empty)

const within = (from: number, to: number): Run | null => (from < to ? { from, to } : null)

/** From the first to the last change, in the text after it. */
function changedBy(tr: Transaction): Run {
  const changes = changesOf(tr)
  return {
    from: Math.min(tr.doc.content.size, ...changes.map(({ from }) => from)),
    to: Math.max(0, ...changes.map(({ to }) => to)),
  }
}

/** Changed ranges, as positions in the document after all steps. */
function changesOf(tr: Transaction): Run[] {
  return tr.mapping.maps.flatMap((map, index) => {
    const rest = tr.mapping.slice(index + 1)
    const changes: Run[] = []
    map.forEach((_start, _end, from, to) => {
      changes.push({ from: rest.map(from, -1), to: rest.map(to, 1) })
    })
    return changes
  })
}
