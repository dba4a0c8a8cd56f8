import { type Editor, Extension } from '@tiptap/core'
import type { Fragment, Node } from '@tiptap/pm/model'
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'

/** Offsets inside a text block. */
export type Occurrence = { from: number; to: number }
/** Where a text block uses the entity that is pointed at. */
export type FindOccurrences = (block: Node) => Occurrence[]

type Marked = { find: FindOccurrences | null; decorations: DecorationSet }

const key = new PluginKey<Marked>('entityMarks')

/** Shows where the text uses one entity. Decorations only: the text itself is never touched. */
export const EntityMarks = Extension.create({
  name: 'entityMarks',
  addProseMirrorPlugins() {
    return [
      new Plugin<Marked>({
        key,
        state: {
          init: () => ({ find: null, decorations: DecorationSet.empty }),
          apply: (tr, marked) => {
            const asked: FindOccurrences | null | undefined = tr.getMeta(key)
            if (asked === undefined && !tr.docChanged) return marked
            const find = asked === undefined ? marked.find : asked
            return { find, decorations: decorate(tr.doc, find) }
          },
        },
        props: { decorations: (state) => key.getState(state)?.decorations },
      }),
    ]
  },
})

function decorate(doc: Node, find: FindOccurrences | null): DecorationSet {
  if (find === null) return DecorationSet.empty
  const ranges = occurrences(doc, find)
  return DecorationSet.create(
    doc,
    ranges.map(({ from, to }) => Decoration.inline(from, to, { class: 'entity-mark' })),
  )
}

/** Positions in the document, in order. */
export const occurrences = (doc: Node, find: FindOccurrences): Occurrence[] =>
  textBlocksOf(doc).flatMap(({ block, start }) =>
    find(block).map(({ from, to }) => ({ from: start + from, to: start + to })),
  )

/** The text blocks in order, and where the text of each begins. */
export function textBlocksOf(doc: Node | Fragment): { block: Node; start: number }[] {
  const blocks: { block: Node; start: number }[] = []
  doc.descendants((block, position) => {
    if (block.isTextblock) blocks.push({ block, start: position + 1 })
    return !block.isTextblock
  })
  return blocks
}

/** Marks every occurrence; null takes the marks away. */
export function markOccurrences(editor: Editor, find: FindOccurrences | null): void {
  if (!editor.isDestroyed) editor.view.dispatch(marksTransaction(editor.state, find))
}

export const marksTransaction = (state: EditorState, find: FindOccurrences | null): Transaction =>
  state.tr.setMeta(key, find).setMeta('addToHistory', false)

/** A place of an entity that was gone to. `at` counts from 0; `words` are those around it. */
export type Step = { at: number; of: number; words: string }

/** Scrolls to the place after (1) or before (-1) the one that is `at`, round the ends. Null when there is none. */
export function stepTo(editor: Editor, find: FindOccurrences, at: number, by: 1 | -1): Step | null {
  const { doc } = editor.state
  const places = occurrences(doc, find)
  const from = at < 0 && by < 0 ? 0 : at
  const next = (from + by + places.length) % places.length
  const place = places[next]
  if (!place) return null
  scrollTo(editor, place.from)
  return { at: next, of: places.length, words: wordsAround(doc, place) }
}

/** How many letters before the place are said with it. */
const SAID_BEFORE = 40

/** From the begin of its block or of a word not far before it, to its end. */
function wordsAround(doc: Node, { from, to }: Occurrence): string {
  const block = doc.resolve(from).start()
  const start = Math.max(block, from - SAID_BEFORE)
  const text = doc.textBetween(start, to, ' ', ' ')
  return start === block ? text : text.replace(/^\S*\s/u, '')
}

/** Brings the line at this position into the middle of its scroller. */
export function scrollTo(editor: Editor, position: number): void {
  const { node } = editor.view.domAtPos(position)
  const element = node instanceof Element ? node : node.parentElement
  element?.scrollIntoView({ block: 'center' })
}

/** The ranges that are marked now. */
export const markedRanges = (state: EditorState): Occurrence[] =>
  key
    .getState(state)
    ?.decorations.find()
    .map(({ from, to }) => ({ from, to })) ?? []
