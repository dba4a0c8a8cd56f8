import { Extension } from '@tiptap/core'
import { isHistoryTransaction, redoDepth } from '@tiptap/pm/history'
import type { Node, Slice } from '@tiptap/pm/model'
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'
import type { StepMap } from '@tiptap/pm/transform'

/** Positions; the end is exclusive. */
type Range = { from: number; to: number }

const key = new PluginKey<Range[]>('protectRemoteEdits')

/**
 * Undo removes what the writer typed with everything in it, including words that another writer added there later. This
 * restores those words: undo applies to the writer's own words only. Words that a merge has already restored are not
 * restored a second time.
 */
export const ProtectRemoteEdits = Extension.create({
  name: 'protectRemoteEdits',
  addProseMirrorPlugins: () => [protectRemoteEdits()],
})

export const protectRemoteEdits = (): Plugin<Range[]> =>
  new Plugin<Range[]>({
    key,
    state: {
      init: () => [],
      apply(tr, ranges) {
        if (!tr.docChanged) return ranges
        const kept = tr.mapping.maps.reduce(after, ranges)
        return tr.getMeta(key) ? [...kept, ...insertedBy(tr)] : kept
      },
    },
    appendTransaction(transactions, before, next) {
      const [undo] = transactions
      const isUndo = undo?.docChanged && isHistoryTransaction(undo) && transactions.length === 1
      return isUndo ? putBack(undo, before, next) : null
    },
  })

/** Marks a transaction as one that brings edits of other writers. */
export const asRemoteEdit = (tr: Transaction): Transaction => tr.setMeta(key, true)

const isThere = ({ from, to }: Range): boolean => from < to

const mapped = ({ from, to }: Range, mapping: StepMap): Range => ({
  from: mapping.map(from, 1),
  to: mapping.map(to, -1),
})

const insertedBy = (tr: Transaction): Range[] =>
  tr.mapping.maps.reduce<Range[]>((ranges, map) => [...after(ranges, map), ...fresh(map)], [])

/** What a step inserted. */
function fresh(map: StepMap): Range[] {
  const ranges: Range[] = []
  map.forEach((_start, _end, from, to) => void ranges.push({ from, to }))
  return ranges.filter(isThere)
}

/** The ranges after a step, without what it inserted inside them. */
const after = (ranges: Range[], map: StepMap): Range[] =>
  without(
    ranges.map((range) => mapped(range, map)),
    fresh(map),
  )

const without = (ranges: Range[], others: Range[]): Range[] =>
  others
    .reduce(
      (left, { from, to }) =>
        left.flatMap((range) => [
          { from: range.from, to: Math.min(range.to, Math.max(range.from, from)) },
          { from: Math.max(range.from, Math.min(range.to, to)), to: range.to },
        ]),
      ranges,
    )
    .filter(isThere)

/** Words that a step removed, and where in the text after it. `cut` where it removed only a part of a word. */
type Lost = { slice: Slice; words: string; position: number; cut: { start: boolean; end: boolean } }

/** A redo removes the restored words again, because it returns the text that contained them. */
function putBack(undo: Transaction, before: EditorState, next: EditorState): Transaction | null {
  const isRedo = redoDepth(next) < redoDepth(before)
  const returned = isRedo ? textOf(next.doc, insertedBy(undo)) : ''
  const lost = lostIn(undo, key.getState(before) ?? []).filter(
    ({ words }) => !returned.includes(words),
  )
  const doubles = doublesIn(undo, next)
  if (lost.length + doubles.length === 0) return null
  const { tr } = next
  for (const { from, to } of doubles.reverse()) tr.deleteRange(from, to)
  for (const part of lost) insertWords(tr, part)
  return tr.setMeta(key, true)
}

/** As many equal words in a row are the same text. */
const LONG = 8

/** What undo restores although a merge has restored it already, for example after a move that was undone. */
function doublesIn(undo: Transaction, next: EditorState): Range[] {
  const known = textOf(next.doc, key.getState(next) ?? [])
  const doubles: Range[] = []
  for (const { from, to } of insertedBy(undo)) {
    next.doc.nodesBetween(from, to, ({ isTextblock, nodeSize }, position) => {
      const part = { from: Math.max(from, position), to: Math.min(to, position + nodeSize) }
      if (!isTextblock || !isThere(part)) return
      const words = textOf(next.doc, [part]).trim()
      if (words.split(/\s+/).length >= LONG && known.includes(words)) doubles.push(part)
    })
  }
  return doubles
}

function lostIn(undo: Transaction, remote: Range[]): Lost[] {
  const lost: Lost[] = []
  let ranges = remote
  for (const [index, map] of undo.mapping.maps.entries()) {
    const doc: Node | undefined = undo.docs[index]
    const rest = undo.mapping.slice(index + 1)
    map.forEach((start, end, newStart) => {
      for (const { from, to } of ranges) {
        const part = { from: Math.max(from, start), to: Math.min(to, end) }
        if (!doc || !isThere(part)) continue
        const slice = doc.slice(part.from, part.to)
        const words = textOf(doc, [part]).trim()
        const cut = { start: isInsideWord(doc, part.from), end: isInsideWord(doc, part.to) }
        if (words) lost.push({ slice, words, position: rest.map(newStart), cut })
      }
    })
    ranges = after(ranges, map)
  }
  return lost
}

const textOf = (doc: Node, ranges: Range[]): string =>
  ranges.map(({ from, to }) => doc.textBetween(from, to, '\n')).join('\n')

/** With spaces where words would run into each other. */
function insertWords(tr: Transaction, { slice, position, cut }: Lost): void {
  const start = tr.mapping.map(position)
  const size = tr.doc.content.size
  tr.replaceRange(start, start, slice)
  const end = start + tr.doc.content.size - size
  if (!cut.end && isInsideWord(tr.doc, end)) tr.insertText(' ', end)
  if (!cut.start && isInsideWord(tr.doc, start)) tr.insertText(' ', start)
}

function isInsideWord(doc: Node, position: number): boolean {
  const { parent, parentOffset } = doc.resolve(position)
  if (!parent.isTextblock) return false
  const [left, right] = [
    Math.max(0, parentOffset - 1),
    Math.min(parent.content.size, parentOffset + 1),
  ]
  return /^[\p{L}\p{N}]{2}$/u.test(parent.textBetween(left, right, undefined, ' '))
}
