import type { Fragment, Node, ResolvedPos, Slice } from '@tiptap/pm/model'
import { type EditorState, TextSelection, type Transaction } from '@tiptap/pm/state'
import { blocksOf, compareBlocks } from '../../../../domain/text/compare.ts'
import type { Difference } from '../../../../domain/text/diff.ts'
import type { ArticleDocument } from '../../../../domain/text/document.ts'
import { diffWords } from '../../../../domain/text/word-diff.ts'
import { incompleteSentence } from '../../../../sync/merge/tokens.ts'
import { asRemoteEdit } from './protect-remote-edits.ts'
import { isAfterTyped } from './typed-run.ts'

/** Shows `next`: not in the undo history and not an edit of the user's. Null when it is shown already. */
export function showingTransaction(state: EditorState, next: Node): Transaction | null {
  const tr = changingTransaction(state, next)
  if (tr) keepSelection(tr, state)
  return tr && asRemoteEdit(tr).setMeta('addToHistory', false).setMeta('preventUpdate', true)
}

/**
 * Words that come at the caret are behind it: it stays behind the words that the user typed. Nor do they become a part
 * of selected words, which the next key replaces. If the user typed nothing there, and the words continue the incomplete
 * word or sentence before the caret, the caret is after them, so that the next key does not divide that sentence.
 */
function keepSelection(tr: Transaction, state: EditorState): void {
  const { selection } = state
  if (!(selection instanceof TextSelection)) return
  const { from, $to, anchor, empty } = selection
  const place = placeBefore(tr, $to)
  const mayFollow = empty && !isAfterTyped(state, from)
  const end = mayFollow ? endOfContinuation(tr, $to, place) : place
  const start = empty ? end : Math.min(tr.mapping.map(from), end)
  const [first, last] = [tr.doc.resolve(start), tr.doc.resolve(end)]
  const isForward = anchor === from
  tr.setSelection(TextSelection.between(isForward ? first : last, isForward ? last : first))
}

/**
 * Maps a position: before text inserted at it, and after a range that replaced it. If the range also contained the start or
 * the end of its block, or divided it, the position is after the same preceding text, provided that the document contains it
 * exactly once.
 */
function placeBefore({ doc, mapping }: Transaction, $position: ResolvedPos): number {
  const { pos, deletedBefore, deletedAcross } = mapping.mapResult($position.pos, -1)
  const place = deletedAcross ? mapping.map($position.pos) : pos
  const [start, end] = [mapping.mapResult($position.start()), mapping.mapResult($position.end())]
  const isOneLine = doc.resolve(start.pos).sameParent(doc.resolve(end.pos))
  const isBlockReplaced = start.deletedBefore || end.deletedAfter || !isOneLine
  if (!deletedBefore || !isBlockReplaced) return place
  const text = textOf($position.parent).slice(0, $position.parentOffset)
  const [sentence = text] = /[^.!?…]*$/.exec(text) ?? []
  return behind(doc, text) ?? behind(doc, sentence) ?? place
}

/**
 * Returns the end of the words inserted at a position, which is `place` now, if they continue the sentence before it; `place`
 * if they do not, or if text around the position was replaced.
 */
function endOfContinuation({ doc, mapping }: Transaction, $position: ResolvedPos, place: number) {
  const { pos: end, deletedBefore, deletedAfter } = mapping.mapResult($position.pos)
  if (deletedBefore || deletedAfter || !doc.resolve(place).sameParent(doc.resolve(end)))
    return place
  const sentence = incompleteSentence(textOf($position.parent).slice(0, $position.parentOffset))
  return sentence && !STARTS_SENTENCE.test(doc.textBetween(place, end)) ? end : place
}

const STARTS_SENTENCE = /^\s+\p{Lu}/u

/** Returns the position after the only occurrence of the words; null for none or several. */
function behind(doc: Node, words: string): number | null {
  if (words.trim() === '') return null
  const found: number[] = []
  doc.descendants((block, position) => {
    if (!block.isTextblock) return
    const text = textOf(block)
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
      found.push(position + 1 + at + words.length)
  })
  return found.length === 1 ? (found[0] ?? null) : null
}

/** Returns the text of a block with one character for each position. */
const textOf = (block: Node): string => block.textBetween(0, block.content.size, null, ' ')

/**
 * The transaction that turns the shown text into `next` word by word, so that the caret stays in its word
 * and what was typed in between can still be undone. Null when both are equal.
 */
export function changingTransaction(state: EditorState, next: Node): Transaction | null {
  if (state.doc.eq(next)) return null
  const { tr } = state
  changeBlocks(tr, 0, state.doc, next)
  return tr.doc.eq(next) ? tr : state.tr.replaceWith(0, state.doc.content.size, next.content)
}

/** From the last to the first, here and below, so that positions stay true. `start` is that of the first child. */
function changeBlocks(tr: Transaction, start: number, shown: Node, next: Node): void {
  const places = compareBlocks(blocksOf(asText(shown)), blocksOf(asText(next)))
  for (const { from, to, newFrom, newTo } of places.reverse()) {
    const [before, after] = [shown.children.slice(from, to), next.children.slice(newFrom, newTo)]
    const position = start + sizeOf(shown.children.slice(0, from))
    if (before.length === after.length) changeEach(tr, position, before, after)
    else changeSpan(tr, position, before, after)
  }
}

/** The children as a document of their own, for comparison only; it may contain list items. */
const asText = (node: Node): ArticleDocument => ({
  type: 'doc',
  content: node.children.map((child) => child.toJSON()),
})

const sizeOf = (blocks: readonly Node[]): number =>
  blocks.reduce((size, block) => size + block.nodeSize, 0)

function changeEach(tr: Transaction, position: number, before: Node[], after: Node[]): void {
  for (const [index, old] of [...before.entries()].reverse()) {
    const fresh = after[index]
    if (fresh) changeBlock(tr, position + sizeOf(before.slice(0, index)), old, fresh)
  }
}

function changeBlock(tr: Transaction, position: number, old: Node, fresh: Node): void {
  const isAlike = old.sameMarkup(fresh)
  if (old.isTextblock && fresh.isTextblock) {
    changeWords(tr, position + 1, old, fresh)
    if (!isAlike) tr.setNodeMarkup(position, fresh.type, fresh.attrs)
  } else if (isAlike && !old.isLeaf) changeBlocks(tr, position + 1, old, fresh)
  else tr.replaceWith(position, position + old.nodeSize, fresh)
}

/**
 * Updates blocks that were split, joined, added or removed. If they include a list, quote or rule, replaces the range from the
 * first to the last difference.
 */
function changeSpan(tr: Transaction, position: number, before: Node[], after: Node[]): void {
  const [old, fresh] = [before, after].map((blocks) => tr.doc.type.create(null, blocks))
  if (!old || !fresh) return
  if ([...before, ...after].every(({ isTextblock }) => isTextblock)) {
    changeWords(tr, position, old, fresh)
    return
  }
  const range = differingRange(old.content, fresh.content)
  if (!range) return
  const slice = fresh.slice(range.newFrom, range.newTo)
  tr.replace(position + range.from, position + range.to, slice)
}

/** Updates a text block, or all text blocks of a node, word by word. `start`: the position of its content. */
function changeWords(tr: Transaction, start: number, old: Node, fresh: Node): void {
  const [words, newWords] = [wordsOf(old), wordsOf(fresh)]
  const [offsets, newOffsets] = [offsetsOf(words), offsetsOf(newWords)]
  // Blocks are changed from last to first, so a selection in this block has not moved yet. 0 for a caret inside a word.
  const caret = Math.max(0, offsets.indexOf(tr.selection.to - start))
  const parts = diffAround(caret, keysOf(words), keysOf(newWords))
  for (const { from, to, newFrom, newTo } of parts.reverse()) {
    const [at, end] = [offsets[from] ?? 0, offsets[to] ?? 0]
    const [was, is] = [old.slice(at, end), fresh.slice(newOffsets[newFrom] ?? 0, newOffsets[newTo])]
    if (![was, is].every(isInline)) {
      tr.replace(start + at, start + end, is)
      continue
    }
    const range = differingLetters(was.content, is.content)
    if (!range) continue
    const inserted = is.content.cut(range.newFrom, range.newTo)
    tr.replaceWith(start + at + range.from, start + at + range.to, inserted)
  }
}

const isInline = ({ content }: Slice): boolean => content.firstChild?.isInline !== false

/**
 * Returns the difference of two lines, split at the caret if the new line contains the user's sentence up to the caret
 * exactly once. Without the split, words of another writer that repeat this sentence could move the caret into their text.
 */
function diffAround(caret: number, words: string[], newWords: string[]): Difference[] {
  const plain = diffWords(words, newWords)
  const sentence = words.slice(sentenceStart(words, caret), caret)
  const newCaret = placeBehind(sentence, newWords)
  if (newCaret === null) return plain
  const after = diffWords(words.slice(caret), newWords.slice(newCaret))
  const around = [
    ...diffWords(words.slice(0, caret), newWords.slice(0, newCaret)),
    ...after.map(({ from, to, newFrom, newTo }) => ({
      from: from + caret,
      to: to + caret,
      newFrom: newFrom + newCaret,
      newTo: newTo + newCaret,
    })),
  ]
  // Rejects a split that would remove many unchanged words because of a chance match.
  return removedIn(around) <= removedIn(plain) + sentence.length ? around : plain
}

const removedIn = (parts: Difference[]): number =>
  parts.reduce((sum, { from, to }) => sum + to - from, 0)

/** Index of the first word of the sentence that contains, or ends at, the given end. */
function sentenceStart(words: string[], end: number): number {
  let at = end
  while (at > 0 && !LETTER.test(words[at - 1] ?? '')) at -= 1
  while (at > 0 && !SENTENCE_END.test(words[at - 1] ?? '')) at -= 1
  return at
}

const LETTER = /[\p{L}\p{M}\p{N}]$/u
const SENTENCE_END = /[.!?…\n]$/u

/** Index after the single occurrence of `some` in `all`; null for no or several occurrences. */
function placeBehind(some: string[], all: string[]): number | null {
  if (some.length === 0) return null
  const places = [...all.keys()].filter((at) => some.every((word, by) => all[at + by] === word))
  const [at] = places
  return at === undefined || places.length > 1 ? null : at + some.length
}

/** `size` in positions. */
type Word = { key: string; size: number }

const keysOf = (words: Word[]): string[] => words.map(({ key }) => key)

/** Returns the start offset of each word, and the end offset of the last one. */
function offsetsOf(words: Word[]): number[] {
  let offset = 0
  return [0, ...words.map(({ size }) => (offset += size))]
}

/**
 * Returns the words, spaces and signs of a text block, or of all text blocks of a node with a token for each block boundary. Words
 * with different marks or addresses have different keys.
 */
function wordsOf(node: Node): Word[] {
  if (!node.isTextblock) {
    const lines = node.children.flatMap((line, index) => [
      { key: `${line.type.name}${JSON.stringify(line.attrs)}${LINE_END}`, size: index > 0 ? 2 : 1 },
      ...wordsOf(line),
    ])
    return [...lines, { key: LINE_END, size: 1 }]
  }
  return node.children.flatMap((child) => {
    const marks = child.marks.map(({ type, attrs }) => attrs.href ?? type.name).join()
    const parts = child.text?.match(/[\p{L}\p{M}\p{N}]+|\s+|[^\p{L}\p{M}\p{N}\s]/gu)
    if (!parts) return [{ key: child.type.name, size: child.nodeSize }]
    return parts.map((part) => ({ key: `${marks} ${part}`, size: part.length }))
  })
}

const LINE_END = '\n'

/**
 * The letters that differ, or all of them where the words have little in common: otherwise an undo of the one word would
 * remove the letters that the other shares with it by chance.
 */
function differingLetters(old: Fragment, fresh: Fragment) {
  const range = differingRange(old, fresh)
  if (!range) return null
  const [gone, added] = [range.to - range.from, range.newTo - range.newFrom]
  const isGrowth = gone === 0 || added === 0
  const kept = old.size - gone
  if (isGrowth || kept * 2 >= Math.max(old.size, fresh.size)) return range
  return { from: 0, to: old.size, newFrom: 0, newTo: fresh.size }
}

/** Offsets of what differs; null when nothing does. */
function differingRange(old: Fragment, fresh: Fragment) {
  const start = old.findDiffStart(fresh)
  const end = old.findDiffEnd(fresh)
  if (start === null || end === null) return null
  // Repeated letters can make both searches claim the same part.
  const overlap = Math.max(0, start - Math.min(end.a, end.b))
  return { from: start, to: end.a + overlap, newFrom: start, newTo: end.b + overlap }
}
