import { Extension } from '@tiptap/core'
import { isHistoryTransaction } from '@tiptap/pm/history'
import type { Node } from '@tiptap/pm/model'
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'
import { StepMap } from '@tiptap/pm/transform'
import { incompleteSentence } from '../../../../sync/merge/tokens.ts'

/** Positions; `to` is where the caret was after the last key. */
type Run = { from: number; to: number }

/** `run`: the words being typed; `earlier`: runs typed before them, the latest last. */
type Typed = { run: Run | null; earlier: readonly Run[] }

const EARLIER_MAX = 8

const key = new PluginKey<Typed>('typedRun')

/**
 * Tracks the words that the user types without moving the caret, so that a merge can place the rest of a sentence directly
 * after its beginning, which the server may already have. A run ends when the caret moves or after an undo. If the user
 * returns to the end of an incomplete sentence, for example after correcting a word, the run contains the whole sentence.
 * Words that other users insert at the end of a run are placed after it.
 */
export const TypedRun = Extension.create({
  name: 'typedRun',
  addProseMirrorPlugins: () => [typedRun()],
})

export const typedRun = (): Plugin<Typed> =>
  new Plugin<Typed>({ key, state: { init: () => ({ run: null, earlier: [] }), apply: after } })

/** The words of the run in the line of the caret; '' when there are none. */
export function typedRunOf(state: EditorState): string {
  const run = key.getState(state)?.run
  return run ? lineOf(state.doc, run) : ''
}

/** Whether the position is the end of words that the user typed, now or in one of the last runs. */
export function isAfterTyped(state: EditorState, position: number): boolean {
  const { run = null, earlier = [] } = key.getState(state) ?? {}
  return [run, ...earlier].some((one) => one?.to === position)
}

/** Returns the words of a run in the line that contains its end. */
function lineOf(doc: Node, { from, to }: Run): string {
  const start = Math.max(from, doc.resolve(to).start())
  return doc.textBetween(start, to, '\n', '\n').split('\n').at(-1) ?? ''
}

function after(tr: Transaction, { run, earlier }: Typed): Typed {
  if (!changesText(tr)) {
    const isHere = run && tr.selection.empty && tr.selection.from === run.to
    return isHere ? { run, earlier } : ended(run, earlier)
  }
  const isOfOthers = tr.getMeta('addToHistory') === false
  const mapped = (one: Run): Run | null => {
    const { pos, deletedBefore } = tr.mapping.mapResult(one.to, -1)
    // If an undo replaces the end of a run, the restored text is not part of the run.
    const isUndone = isHistoryTransaction(tr) && deletedBefore
    const end = isUndone ? Math.min(pos, changedBy(tr).from) : pos
    const still = within(tr.mapping.map(one.from, 1), end)
    return still && isOfOthers ? behindOthers(tr, still) : still
  }
  const still = run && mapped(run)
  const others = earlier.flatMap((one) => mapped(one) ?? [])
  if (isOfOthers || tr.getMeta('appendedTransaction')) return { run: still, earlier: others }
  const { from, to } = changedBy(tr)
  if (isHistoryTransaction(tr) || !tr.selection.empty || to !== tr.selection.from)
    return ended(still, others)
  if (run && from >= run.from && tr.mapping.map(run.to, 1) === to)
    return { run: within(run.from, to), earlier: others }
  const before = ended(still, others)
  // If the last word of a run is replaced, its end is mapped to the end of the new word.
  const begun = before.earlier.findLast((one) => one.to === from || one.to === to)
  const start = begun ? sentenceStart(tr.doc, { ...begun, to: from }) : from
  return { ...before, run: within(start, to) }
}

/** Moves a run to `earlier`. A run inside an earlier one is part of it; one directly before an earlier one extends it. */
function ended(run: Run | null, earlier: readonly Run[]): Typed {
  const isWithin = (one: Run, all: Run) => one.from >= all.from && one.to <= all.to
  if (!run || earlier.some((one) => isWithin(run, one))) return { run: null, earlier }
  const next = earlier.find((one) => one.from === run.to)
  const whole = { from: run.from, to: next?.to ?? run.to }
  const others = earlier.filter((one) => !isWithin(one, whole))
  return { run: null, earlier: [...others, whole].slice(-EARLIER_MAX) }
}

/** Returns the start of the last sentence of a run, or the end of the run if that sentence is complete. */
const sentenceStart = (doc: Node, run: Run): number =>
  run.to - incompleteSentence(lineOf(doc, run)).length

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

/** From the first to the last change of the text, in the text after it. */
function changedBy(tr: Transaction): Run {
  const changes = changesOf(tr)
  return {
    from: Math.min(...changes.map(({ from }) => from)),
    to: Math.max(...changes.map(({ to }) => to)),
  }
}

/** Changed ranges, as positions in the document after all steps. */
function changesOf(tr: Transaction): Run[] {
  return tr.mapping.maps.flatMap((map, index) => {
    const rest = tr.mapping.slice(index + 1)
    const changes: Run[] = []
    map.forEach((_start, _end, from, to) => {
      changes.push({ from: rest.map(from, -1), to: rest.map(to) })
    })
    return changes
  })
}
