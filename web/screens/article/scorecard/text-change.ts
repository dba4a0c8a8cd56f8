import type { Editor } from '@tiptap/core'
import type { Transaction } from '@tiptap/pm/state'

type Change = { transaction: Transaction; appendedTransactions: Transaction[] }

/** Calls `run` after each change of the text, also by what a plugin appended. Returns an unsubscribe function. */
export function onTextChange(editor: Editor, run: () => void): () => void {
  const follow = ({ transaction, appendedTransactions }: Change) => {
    if ([transaction, ...appendedTransactions].some(({ docChanged }) => docChanged)) run()
  }
  editor.on('transaction', follow)
  return () => void editor.off('transaction', follow)
}
