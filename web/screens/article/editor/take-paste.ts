import { closeHistory } from '@tiptap/pm/history'
import type { Slice } from '@tiptap/pm/model'
import { type EditorState, Selection, type Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { sayLeftOut } from '../../../left-out.ts'
import type { Pasted } from './markdown-offer.ts'
import { hasMarkdown } from './markdown-signs.ts'
import { pasteSlice } from './paste-slice.ts'
import { prepareMarkup } from './pasted-markup.ts'
import { writtenAddress } from './written-address.ts'

/** Prepares pasted markup for the editor, and says in a snackbar what of it no article can have. */
export const readMarkup = (root: HTMLElement): void => sayLeftOut(prepareMarkup(root))

/** Pastes what was read. A picture or file alone leaves the text as it is, with what is selected in it. */
export function takePaste(view: EditorView, slice: Slice, source: DataTransfer | null): boolean {
  const html = source?.getData('text/html') ?? ''
  if (slice.size === 0) {
    const files = [...(source?.files ?? [])]
    const pictures = files.filter(({ type }) => type.startsWith('image/')).length
    sayLeftOut({ pictures, files: files.length - pictures })
    return files.length > 0 || html !== ''
  }
  const text = source?.getData('text/plain') ?? ''
  const { from } = view.state.selection
  const tr =
    linkedSelection(view.state, text.trim()) ??
    pasteSlice(view.state.tr, slice, html.includes('data-pm-slice'))
  view.dispatch(tr.scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'))
  if (html === '' && hasMarkdown(text))
    void offerFormat(view, { from: tr.mapping.map(from, -1), to: tr.selection.to, source: text })
  return true
}

/** Makes no offer when its code fails to load, or when the text changed while it was loading. */
async function offerFormat(view: EditorView, pasted: Pasted): Promise<void> {
  const { doc } = view.state
  const offer = await import('./markdown-offer.ts').catch(() => null)
  if (!view.isDestroyed && view.state.doc === doc) offer?.offerFormat(view, pasted)
}

/** Links the selected words to a pasted address. Returns null without words, or when they are an address: the paste replaces it. */
function linkedSelection(
  { doc, selection, schema, tr }: EditorState,
  pasted: string,
): Transaction | null {
  const { from, to } = selection
  const words = doc.textBetween(from, to, ' ').trim()
  const address = writtenAddress(pasted)
  if (words === '' || writtenAddress(words) || address?.text !== pasted) return null
  tr.addMark(from, to, schema.mark('link', { href: address.href }))
  return closeHistory(tr.setSelection(Selection.near(tr.doc.resolve(to), -1)))
}
