import type { ArticleDocument } from '../../domain/text/document.ts'

/** The editor as the sync core sees it. All calls are synchronous. */
export type EditorPort = {
  read(): ArticleDocument
  /** The words before the caret, in its line, that the user types in one go; '' when there are none. */
  typedRun(): string
  /** Shows `document` by the smallest change: selection kept, not in the undo history, not an edit of the user's. */
  show(document: ArticleDocument): void
  /** True while an input method composes; `show` waits for its end. */
  isComposing(): boolean
}

/** An editor that is about to be removed; its present text is still to be written. */
export function lastWordOf(editor: EditorPort): EditorPort {
  const [document, run] = [editor.read(), editor.typedRun()]
  return { read: () => document, typedRun: () => run, show: () => {}, isComposing: () => true }
}
