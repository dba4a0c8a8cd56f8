import type { Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import {
  createKeywordPlaces,
  type HeadingTree,
  type KeywordCount,
  type KeywordPlaces,
} from '../../../../domain/keywords/keyword-places.ts'
import type { Clock } from '../../../../sync/ports.ts'
import { editorTree } from './scorecard-store.ts'
import { createSignal, type Signal } from './signal.ts'
import { onTextChange } from './text-change.ts'

/** How often and where the text in the editor uses each entity, as of the last pause in typing. */
export type EntityPlaces = {
  /** Null until the text was read once. */
  countOf(keyword: string): Signal<KeywordCount | null>
  /** The text whose places are known; null before the first. */
  readonly document: Signal<Node | null>
  /** Places of all entities in it. */
  readonly total: Signal<number>
  /** Of one text block, ascending. `index` counts over `keywords`. */
  placesIn: KeywordPlaces<Node>['placesIn']
}

/** Numbers change this long after the last key, so that counting costs no key anything. */
const PAUSE_MS = 300
/** A slice of counting, below the time of one frame. */
const SLICE_MS = 6

const tree: HeadingTree<Node> = { ...editorTree, isHeading: ({ type }) => type.name === 'heading' }

/** Follows the text until the returned function is called. */
export function followPlaces(
  editor: Editor,
  clock: Clock,
  keywords: readonly string[],
): { places: EntityPlaces; stop: () => void } {
  const counting = createKeywordPlaces(keywords, tree)
  const counts = keywords.map(() => createSignal<KeywordCount | null>(null))
  const indexes = new Map(keywords.map((keyword, index) => [keyword, index]))
  const unknown = createSignal<KeywordCount | null>(null)
  const document = createSignal<Node | null>(null)
  const total = createSignal(0)
  let cancel = clock.after(0, count)

  function count(): void {
    const end = clock.now() + SLICE_MS
    const { doc } = editor.state
    if (!counting.update(doc, () => clock.now() < end)) {
      cancel = clock.after(0, count)
      return
    }
    for (const [index, signal] of counts.entries()) setCount(signal, counting.count(index))
    total.set(counting.total)
    document.set(doc)
  }

  const unfollow = onTextChange(editor, () => {
    cancel()
    cancel = clock.after(PAUSE_MS, count)
  })
  return {
    places: {
      countOf: (keyword) => counts[indexes.get(keyword) ?? -1] ?? unknown,
      document,
      total,
      placesIn: counting.placesIn,
    },
    stop() {
      cancel()
      unfollow()
    },
  }
}

/** Rows are drawn again only where a number is another. */
function setCount(signal: Signal<KeywordCount | null>, next: KeywordCount): void {
  const known = signal.get()
  const isSame =
    known?.places === next.places &&
    known.inHeadings === next.inHeadings &&
    known.mostInBlock === next.mostInBlock
  if (!isSame) signal.set(next)
}
