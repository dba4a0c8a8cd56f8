import { type Editor, getMarkAttributes, getMarkRange, getMarkType } from '@tiptap/core'
import { closeHistory } from '@tiptap/pm/history'
import type { Node } from '@tiptap/pm/model'
import {
  AllSelection,
  type EditorState,
  Plugin,
  PluginKey,
  type Selection,
  TextSelection,
  type Transaction,
} from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { isShortcut } from '../../../keys.ts'
import { linkAt } from './link.ts'

/**
 * What is asked about a link: its card, or the field for an address. `href` is the present address, '' for none. The range
 * is empty where the address becomes the text.
 */
export type AskedLink = {
  kind: 'card' | 'field'
  from: number
  to: number
  href: string
  /** Asked by a key and not by a click: the card or field takes the focus. */
  isByKey: boolean
}

const key = new PluginKey<AskedLink | null>('askedLink')

export const askedLink = (state: EditorState): AskedLink | null => key.getState(state) ?? null

/** Lets a click and Control+K open card and field. Returns the function that ends it. */
export function listenForLinks(editor: Editor): () => void {
  editor.registerPlugin(linkPlugin(), (plugin, others) => [plugin, ...others])
  return () => {
    if (!editor.isDestroyed) editor.unregisterPlugin(key)
  }
}

const linkPlugin = () => {
  /** Where the pointer was pressed: a drag selects words. */
  let pressed = { x: 0, y: 0 }
  return new Plugin<AskedLink | null>({
    key,
    state: {
      init: () => null,
      apply(tr, asked) {
        const next: AskedLink | null | undefined = tr.getMeta(key)
        if (next !== undefined) return next
        if (!asked || isLeft(asked, tr)) return null
        if (!tr.docChanged) return asked
        const [from, to] = [tr.mapping.map(asked.from, 1), tr.mapping.map(asked.to, -1)]
        return { ...asked, from: Math.min(from, to), to: Math.max(from, to) }
      },
    },
    props: {
      // The selection keeps its band while the field has the focus.
      decorations(state) {
        const asked = askedLink(state)
        if (asked?.kind !== 'field' || asked.from === asked.to) return null
        const band = Decoration.inline(asked.from, asked.to, { class: 'link-selection' })
        return DecorationSet.create(state.doc, [band])
      },
      handleKeyDown(view, event) {
        if (event.key === 'Escape' && askedLink(view.state)) {
          view.dispatch(view.state.tr.setMeta(key, null))
          return true
        }
        if (!isShortcut(event, 'Mod+K') || view.composing) return false
        event.preventDefault()
        const asked = askedByKey(view.state, view.editable)
        if (asked) view.dispatch(view.state.tr.setMeta(key, asked))
        return true
      },
      handleDOMEvents: {
        mousedown(_view, { clientX: x, clientY: y }) {
          pressed = { x, y }
        },
        click(view, event) {
          const link = linkAt(event.target)
          const { clientX, clientY, detail } = event
          if (!link || event.ctrlKey || event.metaKey || event.shiftKey || detail > 1) return false
          const moved = Math.hypot(clientX - pressed.x, clientY - pressed.y)
          if (detail === 1 && moved > STILL) return false
          const asked = cardAt(view.state, view.posAtDOM(link, 0))
          // Enter on a focused link is a click without a press.
          if (asked) view.dispatch(view.state.tr.setMeta(key, { ...asked, isByKey: detail === 0 }))
          return false
        },
      },
    },
  })
}

/** In pixels. A press that moves further selects words and is no click. */
const STILL = 4

/** Whether the writer types, or moves the caret out of the link: the card would be in the way. The field stays. */
function isLeft({ kind, from, to }: AskedLink, tr: Transaction): boolean {
  if (kind === 'field') return false
  const isTyped = tr.docChanged && tr.getMeta('addToHistory') !== false
  return isTyped || (tr.selectionSet && (tr.selection.from < from || tr.selection.to > to))
}

/** In a link its card, otherwise the field; null where no link can be set. */
function askedByKey(state: EditorState, isEditable: boolean): AskedLink | null {
  const { from, to, empty, $from } = selectedWords(state)
  const card = empty ? cardAt(state, from) : null
  if (card) return { ...card, isByKey: true }
  if (!isEditable || !$from.parent.isTextblock) return null
  return {
    kind: 'field',
    from,
    to,
    href: getMarkAttributes(state, 'link').href ?? '',
    isByKey: true,
  }
}

/** Narrows a selection of the whole document to its text, because its ends are outside of text blocks. */
function selectedWords({ selection }: EditorState): Selection {
  const { $from, $to } = selection
  return selection instanceof AllSelection ? TextSelection.between($from, $to) : selection
}

/** The card of the link that begins, continues or ends at `position`, of two that meet there the second. */
function cardAt({ doc, schema }: EditorState, position: number): AskedLink | null {
  const range = getMarkRange(doc.resolve(position), getMarkType('link', schema))
  const href = range && hrefOf(doc.nodeAt(range.from))
  return range && href ? { kind: 'card', ...range, href, isByKey: false } : null
}

/** The address that a node of a text links to; null where it is no link. */
export const hrefOf = (node: Node | null | undefined): string | null =>
  node?.marks.find(({ type }) => type.name === 'link')?.attrs.href ?? null

/** Shows this card or field; null closes what is shown. */
export function ask(editor: Editor, asked: AskedLink | null): void {
  if (!editor.isDestroyed) editor.view.dispatch(editor.state.tr.setMeta(key, asked))
}

/** Sets the address on the range; inserts `text` as a link where the range is empty. One step of undo. */
export function setLink(editor: Editor, { from, to }: AskedLink, href: string, text: string): void {
  const { tr, schema, doc } = editor.state
  const link = schema.mark('link', { href })
  const added = from === to ? text.length : 0
  if (from === to) {
    const marks = link.addToSet(editor.state.storedMarks ?? doc.resolve(from).marks())
    tr.insert(from, schema.text(text, marks))
  } else tr.addMark(from, to, link)
  tr.setSelection(TextSelection.create(tr.doc, to + added)).removeStoredMark(link.type)
  editor.view.dispatch(closeHistory(tr.setMeta(key, null)).scrollIntoView())
}

export function removeLink(editor: Editor, { from, to }: AskedLink): void {
  const { tr, schema } = editor.state
  tr.removeMark(from, to, schema.marks.link)
  editor.view.dispatch(closeHistory(tr.setMeta(key, null)))
}
