import type { Editor } from '@tiptap/core'
import { closeHistory } from '@tiptap/pm/history'
import type { Node } from '@tiptap/pm/model'
import {
  type EditorState,
  Plugin,
  PluginKey,
  TextSelection,
  type Transaction,
} from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { type Occurrence, occurrences, scrollTo } from '../scorecard/entity-marks.ts'
import { findText, unitsOf, type Wanted } from './find-text.ts'

/** The search terms and their occurrences, in order. `current` counts from 0; -1 when nothing was found. */
export type Finding = { wanted: Wanted; found: Occurrence[]; current: number }

type Searched = Finding & { decorations: DecorationSet; blocks: WeakMap<Node, Occurrence[]> }
/** `replacedTo` is where the text ends that took the place of the current one. */
type Step = { wanted: Wanted } | { current: number } | { replacedTo: number }

const key = new PluginKey<Searched>('find')
const NOTHING: Wanted = { text: '', matchCase: false }

/** From now on what is looked for is marked; by decorations only. Returns the function that ends it. */
export function startFinding(editor: Editor): () => void {
  editor.registerPlugin(findPlugin())
  return () => {
    if (!editor.isDestroyed) editor.unregisterPlugin(key)
  }
}

function findPlugin(): Plugin {
  return new Plugin<Searched>({
    key,
    state: {
      init: (_config, state) => search(state, NOTHING, new WeakMap(), 0),
      apply(tr, before, _old, state) {
        const step: Step | undefined = tr.getMeta(key)
        if (step && 'wanted' in step) {
          return search(state, step.wanted, new WeakMap(), state.selection.from)
        }
        if (step && 'current' in step) {
          return shown(state.doc, { ...before, current: step.current })
        }
        if (step) return search(state, before.wanted, before.blocks, step.replacedTo)
        if (!tr.docChanged) return before
        const at = before.found[before.current]?.from ?? 0
        return search(state, before.wanted, before.blocks, tr.mapping.map(at, -1))
      },
    },
    props: { decorations: (state) => key.getState(state)?.decorations },
  })
}

/** Only blocks that are not known yet are read. The current one is the first at `from` or behind. */
function search(
  { doc }: EditorState,
  wanted: Wanted,
  blocks: WeakMap<Node, Occurrence[]>,
  from: number,
): Searched {
  const found = occurrences(doc, (block) => {
    const known = blocks.get(block) ?? findText(unitsOf(block), wanted)
    blocks.set(block, known)
    return known
  })
  const next = found.findIndex((range) => range.from >= from)
  const current = next < 0 ? Math.min(0, found.length - 1) : next
  return shown(doc, { wanted, found, current, blocks })
}

function shown(doc: Node, finding: Omit<Searched, 'decorations'>): Searched {
  const ranges = finding.found.map(({ from, to }, at) =>
    Decoration.inline(from, to, { class: at === finding.current ? 'found-current' : 'found' }),
  )
  return { ...finding, decorations: DecorationSet.create(doc, ranges) }
}

/** Null while the plugin is not there. */
export const findingOf = (state: EditorState): Finding | null => key.getState(state) ?? null

export function lookFor(editor: Editor, wanted: Wanted): void {
  dispatch(editor, { wanted })
  show(editor)
}

/** To the next (1) or the one before (-1), round the ends. */
export function goOn(editor: Editor, by: 1 | -1): void {
  const finding = findingOf(editor.state)
  if (!finding || finding.found.length === 0) return
  const { length } = finding.found
  dispatch(editor, { current: (finding.current + by + length) % length })
  show(editor)
}

/** Moves the caret to the current occurrence, when the bar is left. */
export function selectCurrent(editor: Editor): void {
  const range = currentOf(editor.state)
  if (!range) return
  const { tr, doc } = editor.state
  editor.view.dispatch(tr.setSelection(TextSelection.create(doc, range.from, range.to)))
}

/**
 * Replaces the current occurrence in one transaction and one undo step, with the marks of the replaced text. The next
 * occurrence after it becomes current, even where the new text contains the search text.
 */
export function replaceCurrent(editor: Editor, text: string): void {
  const range = currentOf(editor.state)
  if (!range) return
  const tr = replaced(closeHistory(editor.state.tr), range, text)
  editor.view.dispatch(tr.setMeta(key, { replacedTo: range.from + text.length } satisfies Step))
  show(editor)
}

/** Replaces all occurrences in one transaction, which one Undo reverts. Returns their number. */
export function replaceAll(editor: Editor, text: string): number {
  const found = findingOf(editor.state)?.found ?? []
  const tr = closeHistory(editor.state.tr)
  for (const range of found.toReversed()) replaced(tr, range, text)
  if (found.length > 0) editor.view.dispatch(tr)
  return found.length
}

const replaced = (tr: Transaction, { from, to }: Occurrence, text: string): Transaction =>
  text === '' ? tr.delete(from, to) : tr.insertText(text, from, to)

function currentOf(state: EditorState): Occurrence | undefined {
  const finding = findingOf(state)
  return finding?.found[finding.current]
}

function dispatch(editor: Editor, step: Step): void {
  editor.view.dispatch(editor.state.tr.setMeta(key, step).setMeta('addToHistory', false))
}

function show(editor: Editor): void {
  const range = currentOf(editor.state)
  if (range) scrollTo(editor, range.from)
}
