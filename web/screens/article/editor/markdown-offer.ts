import { closeHistory } from '@tiptap/pm/history'
import type { Node } from '@tiptap/pm/model'
import {
  type EditorState,
  Plugin,
  PluginKey,
  TextSelection,
  type Transaction,
} from '@tiptap/pm/state'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import MarkdownIt from 'markdown-it'
import classes from './markdown-offer.module.css'

/** A text that was pasted as Markdown, and where it is. */
export type Pasted = { from: number; to: number; source: string }

const key = new PluginKey<Pasted | null>('markdownOffer')

/** Offers to format what was just pasted, in a line below it, until something else is typed. */
export function offerFormat(view: EditorView, pasted: Pasted): void {
  const { plugins } = view.state
  if (!key.get(view.state))
    view.updateState(view.state.reconfigure({ plugins: [...plugins, markdownOffer()] }))
  view.dispatch(view.state.tr.setMeta(key, pasted))
}

const markdownOffer = (): Plugin<Pasted | null> =>
  new Plugin<Pasted | null>({
    key,
    state: {
      init: () => null,
      apply(tr, offer) {
        const next: Pasted | null | undefined = tr.getMeta(key)
        return next === undefined ? offer && offerAfter(tr, offer) : next
      },
    },
    props: { decorations: lineBelow },
  })

/** Changes of other writers move the offer, or end it when they are in the pasted text. */
function offerAfter(tr: Transaction, offer: Pasted): Pasted | null {
  if (!tr.docChanged) return offer
  if (tr.getMeta('addToHistory') !== false) return null
  const [from, to] = [tr.mapping.map(offer.from, 1), tr.mapping.map(offer.to, -1)]
  const isSame = from <= to && textOf(tr.doc, { from, to }) === textOf(tr.before, offer)
  return isSame ? { ...offer, from, to } : null
}

const textOf = (doc: Node, { from, to }: Pick<Pasted, 'from' | 'to'>): string =>
  doc.textBetween(from, to, '\n', '\n')

function lineBelow(state: EditorState): DecorationSet | null {
  const offer = key.getState(state)
  if (!offer) return null
  const end = state.doc.resolve(offer.to).after(1)
  const options = { side: -1, key: 'markdown-offer', stopEvent: () => true, ignoreSelection: true }
  return DecorationSet.create(state.doc, [Decoration.widget(end, lineFor, options)])
}

function lineFor(view: EditorView): HTMLElement {
  const line = document.createElement('div')
  line.className = classes.line ?? ''
  line.contentEditable = 'false'
  const button = document.createElement('button')
  button.type = 'button'
  button.className = classes.button ?? ''
  button.textContent = 'Format it'
  button.addEventListener('click', () => format(view))
  line.append('This looks like Markdown.', button)
  return line
}

/** One step of undo gives the pasted text back. */
function format(view: EditorView): void {
  const offer = key.getState(view.state)
  if (!offer || !view.editable) return
  const { from, to, source } = offer
  const { tr, doc } = view.state
  const [start, end] = isLine(source) ? spacesAround(source) : [0, 0]
  const pasted = TextSelection.between(doc.resolve(from + start), doc.resolve(to - end))
  view.dispatch(closeHistory(tr.setSelection(pasted)))
  view.pasteHTML(isLine(source) ? markdown.renderInline(source.trim()) : markdown.render(source))
  view.focus()
}

/** Parsing drops the spaces at both ends of a line, so the replaced range excludes them. */
const spacesAround = (source: string): [start: number, end: number] => [
  source.length - source.trimStart().length,
  source.length - source.trimEnd().length,
]

const markdown = new MarkdownIt({ breaks: true })
// Syntax for content that articles cannot have is left as text.
markdown.disable(['image', 'backticks', 'fence', 'code', 'lheading', 'reference', 'entity'])
// Addresses stay as they are written: encoding more of one would make it another.
markdown.normalizeLink = (href) => href

/** Whether the source is inline text, which joins the text around it. */
const isLine = (source: string): boolean =>
  !source.includes('\n') && markdown.parse(source, {})[0]?.type === 'paragraph_open'
