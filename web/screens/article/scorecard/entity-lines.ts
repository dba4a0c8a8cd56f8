import type { Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Decoration, type EditorView } from '@tiptap/pm/view'
import type { Place } from '../../../../domain/keywords/keyword-use.ts'
import type { Clock } from '../../../../sync/ports.ts'
import { addDecorationLayer } from './decoration-layer.ts'
import { textBlocksOf } from './entity-marks.ts'
import type { EntityPlaces } from './entity-places.ts'
import { LINES_MAX } from './scorecard-store.ts'

/** While a text is scrolled, lines follow at this pace. */
const SCROLL_PAUSE_MS = 100

type LinesOptions = {
  clock: Clock
  places: EntityPlaces
  /** The tier of an entity by its index, 0 for Must Use. */
  tierOf: (index: number) => number
}

/**
 * Draws a line under every used entity, of a kind for each tier; by decorations only. They are those that the counts
 * are of: while the user types they move with the text, and after a pause they are made again. Returns the function
 * that ends it.
 */
export function showLines(editor: Editor, options: LinesOptions): () => void {
  const { clock, places } = options
  let cancel = () => {}
  let cancelScroll = () => {}
  const layer = addDecorationLayer(editor, 'entityLines')

  function draw(): void {
    cancel()
    if (editor.isDestroyed) return
    const { doc } = editor.state
    // The places of a newer text come after the next pause.
    if (places.document.get() !== doc) return
    // Lines that come or go in the middle of a composition would end it.
    if (editor.view.composing) {
      cancel = clock.after(SCROLL_PAUSE_MS, draw)
      return
    }
    const range = places.total.get() > LINES_MAX ? shownRange(editor.view) : null
    layer.show(linesOf(doc, options, range))
  }

  let isPlanned = false
  function drawOnScroll(): void {
    if (places.total.get() <= LINES_MAX || isPlanned) return
    isPlanned = true
    cancelScroll = clock.after(SCROLL_PAUSE_MS, () => {
      isPlanned = false
      draw()
    })
  }

  const { ownerDocument } = editor.view.dom
  const unfollow = places.document.subscribe(draw)
  ownerDocument.addEventListener('scroll', drawOnScroll, { capture: true, passive: true })
  draw()
  return () => {
    cancel()
    cancelScroll()
    unfollow()
    ownerDocument.removeEventListener('scroll', drawOnScroll, { capture: true })
    layer.remove()
  }
}

type Shown = { from: number; to: number }

/** Positions of the text that is in view. */
function shownRange(view: EditorView): Shown {
  const { dom, state } = view
  const box = dom.getBoundingClientRect()
  const { clientHeight } = dom.ownerDocument.documentElement
  const left = box.left + box.width / 2
  const at = (top: number) => view.posAtCoords({ left, top })?.pos
  return {
    from: at(Math.max(box.top, 0) + 1) ?? 0,
    to: at(Math.min(box.bottom, clientHeight) - 1) ?? state.doc.content.size,
  }
}

function linesOf(doc: Node, { places, tierOf }: LinesOptions, range: Shown | null): Decoration[] {
  const blocks = textBlocksOf(doc).filter(
    ({ block, start }) => !range || (start <= range.to && start + block.nodeSize >= range.from),
  )
  const lines = blocks.flatMap(({ block, start }) =>
    segments(places.placesIn(block), tierOf).map(({ from, to, tier }) =>
      Decoration.inline(start + from, start + to, { class: `entity-line tier-${tier}` }),
    ),
  )
  return lines.slice(0, LINES_MAX)
}

type Segment = { from: number; to: number; tier: number }

/** Where places overlap, the part belongs to the higher tier: its line is drawn. Ascending. */
export function segments(places: readonly Place[], tierOf: (index: number) => number): Segment[] {
  const end = places.reduce((most, { to }) => Math.max(most, to), 0)
  /** For each letter one more than its tier, 0 where none is. */
  const letters = new Uint8Array(end)
  const lowestFirst = places.toSorted((a, b) => tierOf(b.index) - tierOf(a.index))
  for (const { from, to, index } of lowestFirst) letters.fill(tierOf(index) + 1, from, to)
  const starts = new Set(places.map(({ from }) => from))
  const drawn: Segment[] = []
  for (const [at, tier] of letters.entries()) {
    const last = drawn.at(-1)
    if (tier === 0) continue
    if (last?.to === at && last.tier === tier - 1 && !starts.has(at)) last.to = at + 1
    else drawn.push({ from: at, to: at + 1, tier: tier - 1 })
  }
  return drawn
}
