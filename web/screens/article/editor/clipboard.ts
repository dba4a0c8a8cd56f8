import { Extension } from '@tiptap/core'
import { DOMParser, type Node, type ParseOptions, type ResolvedPos, Slice } from '@tiptap/pm/model'
import { Plugin, PluginKey, Selection, TextSelection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { copiedText } from '../../../../domain/exports/copied-text.ts'
import type { DocumentNode } from '../../../../domain/text/document.ts'
import { once } from '../../../app/once.ts'

type TakePaste = typeof import('./take-paste.ts')

/** Null until its code is here. */
let part: TakePaste | null = null

/** The code that reads a paste; the page does not need it to be shown. */
export const fetchTakePaste = once(async () => {
  part = await import('./take-paste.ts')
  return part
})

/** Pastes that wait for that code, and the range of text that they replace. */
type Held = { from: number; to: number; data: DataTransfer[]; selection: Selection }

const key = new PluginKey<Held | null>('clipboard')

/** What comes from the clipboard or is dropped, and what goes to the clipboard as plain text. */
export const ClipboardContent = Extension.create({
  name: 'clipboard',
  addProseMirrorPlugins() {
    const { schema } = this.editor
    return [
      new Plugin<Held | null>({
        key,
        state: {
          init: () => null,
          apply(tr, held) {
            const next: Held | null | undefined = tr.getMeta(key)
            if (next !== undefined) return next
            const map = (position: number) => tr.mapping.map(position, -1)
            return held && { ...held, from: map(held.from), to: map(held.to) }
          },
        },
        props: {
          // The page's default policy for markup rejects tags but accepts plain text, and the editor would then use
          // that policy for every later paste. Text in a tag makes the editor use its own policy from the start.
          transformPastedHTML: (html) => (html.includes('<') ? html : `<span>${html}</span>`),
          clipboardParser: new PastedParser(schema, DOMParser.fromSchema(schema).rules),
          transformPasted: (slice, _view, isPlain) => (isPlain ? wordsOf(slice) : slice),
          clipboardTextSerializer: (slice, { state }) => clipboardText(slice, state.selection),
          handleDOMEvents: { paste: holdUntilRead, drop: pasteDropped },
          handlePaste: (view, event, slice) => part?.takePaste(view, slice, event.clipboardData),
        },
      }),
    ]
  },
})

class PastedParser extends DOMParser {
  override parseSlice(dom: HTMLElement, options?: ParseOptions): Slice {
    part?.readMarkup(dom)
    return super.parseSlice(dom, options)
  }
}

/** One line of plain text is words and no paragraph. */
function wordsOf(slice: Slice): Slice {
  const line = slice.content.firstChild
  return slice.content.childCount === 1 && line?.isTextblock ? new Slice(line.content, 0, 0) : slice
}

/** What is dropped from elsewhere is pasted where it was dropped. */
function pasteDropped(view: EditorView, event: DragEvent): boolean {
  const { dataTransfer, clientX, clientY } = event
  if (view.dragging || !view.editable || !dataTransfer) return false
  event.preventDefault()
  const place = view.posAtCoords({ left: clientX, top: clientY })
  const { tr } = view.state
  if (place) view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(place.pos))))
  view.focus()
  const data = copyOf(dataTransfer)
  if (part) paste(view, data)
  else hold(view, data)
  return true
}

function holdUntilRead(view: EditorView, event: ClipboardEvent): boolean {
  const { clipboardData } = event
  if (part || !view.editable || !clipboardData) return false
  event.preventDefault()
  hold(view, copyOf(clipboardData))
  return true
}

/** The browser empties the original when its event is over. */
function copyOf(original: DataTransfer): DataTransfer {
  const copy = new DataTransfer()
  for (const type of original.types)
    if (type !== 'Files') copy.setData(type, original.getData(type))
  for (const file of original.files) copy.items.add(file)
  return copy
}

function hold(view: EditorView, data: DataTransfer): void {
  const { tr, selection } = view.state
  const held = key.getState(view.state)
  if (held) {
    held.data.push(data)
    return
  }
  // A selection of everything counts as its text only: what is typed at its end is not part of it.
  const { from, to } = TextSelection.between(selection.$from, selection.$to)
  view.dispatch(tr.setMeta(key, { from, to, data: [data], selection }))
  const goOn = () => release(view)
  void fetchTakePaste().then(goOn, goOn)
}

/** Pastes where the caret was; what was typed while it waited is behind it, and so is the caret. */
function release(view: EditorView): void {
  const held = view.isDestroyed ? null : key.getState(view.state)
  if (!held) return
  const { doc, selection, tr } = view.state
  const isMoved = !selection.eq(held.selection)
  if (isMoved) tr.setSelection(TextSelection.between(doc.resolve(held.from), doc.resolve(held.to)))
  view.dispatch(tr.setMeta(key, null))
  for (const data of held.data) if (view.editable) paste(view, data)
  if (!isMoved) return
  const after = view.state.tr
  const grown = selection.from < held.to ? 0 : after.doc.content.size - doc.content.size
  view.dispatch(after.setSelection(Selection.near(after.doc.resolve(selection.from + grown))))
}

/** Where the code that reads markup could not be had, the plain words are pasted. */
function paste(view: EditorView, data: DataTransfer): void {
  const event = new ClipboardEvent('paste', { clipboardData: data })
  const html = data.getData('text/html')
  const text = data.getData('text/plain') || data.getData('text/uri-list')
  if (html && (part || !text)) view.pasteHTML(html, event)
  else if (text) view.pasteText(text, event)
  else part?.takePaste(view, Slice.empty, data)
}

/** A part of one paragraph is its words, without the bullet of the item that they are in. */
function clipboardText(slice: Slice, { $from }: Selection): string {
  const { content, openStart, openEnd } = slice
  const blocks: Node[] = []
  content.descendants((node) => {
    if (node.isTextblock) blocks.push(node)
    return !node.isTextblock
  })
  const [first] = blocks
  if (first && blocks.length === 1 && openStart > 0)
    return first.textBetween(0, first.content.size, undefined, '\n')
  const nodes: DocumentNode[] = content.toJSON() ?? []
  const text = copiedText({
    type: 'doc',
    content: openStart > 0 ? numberedFrom(nodes, $from) : nodes,
  })
  // A selection that ends where an item begins has nothing of it.
  return openEnd > 0 && blocks.at(-1)?.content.size === 0 ? text.replace(/\n\s*\S+$/, '') : text
}

/** Items keep the numbers that they have in the text, also where the first ones were not copied. */
function numberedFrom(nodes: DocumentNode[], $from: ResolvedPos, depth = 1): DocumentNode[] {
  const [first, ...others] = nodes
  if (!first?.content || depth > $from.depth) return nodes
  const { attrs } = $from.node(depth)
  return [
    {
      ...first,
      ...(first.type === 'orderedList' && {
        attrs: { ...attrs, start: attrs.start + $from.index(depth) },
      }),
      content: numberedFrom(first.content, $from, depth + 1),
    },
    ...others,
  ]
}
