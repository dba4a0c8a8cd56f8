import type { Editor } from '@tiptap/core'
import { closeHistory } from '@tiptap/pm/history'
import { type EditorState, TextSelection, type Transaction } from '@tiptap/pm/state'
import { diffWords } from '../../../../domain/text/word-diff.ts'

type Range = { from: number; to: number }

/** Replaces exactly these words, as one step of Undo, with the caret behind them. */
export function replaceWords({ state, view }: Editor, range: Range, words: string): void {
  const replacing = closeHistory(replacingTransaction(state, range, words))
  view.dispatch(replacing.scrollIntoView())
}

/**
 * Only what differs is replaced: words that stay keep their marks and links, and those that are put in have the marks
 * of the letter that they replace, or of the one before them.
 */
export function replacingTransaction(
  { tr, doc, schema }: EditorState,
  { from, to }: Range,
  words: string,
): Transaction {
  const [before, after] = [wordsOf(doc.textBetween(from, to, '\n', '\n')), wordsOf(words)]
  for (const part of diffWords(before, after).reverse()) {
    const start = from + lengthOf(before.slice(0, part.from))
    const end = start + lengthOf(before.slice(part.from, part.to))
    const put = after.slice(part.newFrom, part.newTo).join('')
    const letter = end > start || start === from ? start + 1 : start
    const marks = doc.resolve(Math.min(letter, to)).nodeBefore?.marks ?? []
    if (put === '') tr.delete(start, end)
    else tr.replaceWith(start, end, schema.text(put, marks))
  }
  return tr.setSelection(TextSelection.create(tr.doc, tr.mapping.map(to)))
}

export const wordsOf = (text: string): string[] =>
  text.match(/[\p{L}\p{M}\p{N}'’_-]+|\s+|[^\p{L}\p{M}\p{N}\s'’_-]/gu) ?? []

const lengthOf = (parts: readonly string[]): number =>
  parts.reduce((sum, part) => sum + part.length, 0)
