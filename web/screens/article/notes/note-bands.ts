import type { Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import type { Transaction } from '@tiptap/pm/state'
import { Decoration } from '@tiptap/pm/view'
import { notePlacer } from '../../../../domain/notes/note-place.ts'
import type { Clock } from '../../../../sync/ports.ts'
import type { MarginNote } from '../../../../sync/status/margin-notes.ts'
import { whenIdle } from '../../../ui/when-idle.ts'
import { addDecorationLayer } from '../scorecard/decoration-layer.ts'
import { lettersOf, positionsOf } from './letters.ts'
import './note-bands.css'
import type { NotesStore, Place, ShownPlace } from './notes-state.ts'

/** The bands of open notes. The text itself is never changed. */
export type NoteBands = {
  /** `texts`: the plain texts of earlier versions that are known here. */
  show(notes: readonly MarginNote[], texts: ReadonlyMap<number, string>): void
  remove(): void
}

/** After a change of the text, until the places are published and words that are gone are searched again. */
const SETTLED_AFTER_MS = 300
/** Notes that are searched for in one task. */
const SLICE = 10

/**
 * Words that were found keep their band while they change; the editor maps it. Only bands near the visible part of the
 * text are drawn, and that of the current note.
 */
export function addNoteBands(editor: Editor, store: NotesStore, clock: Clock): NoteBands {
  const layer = addDecorationLayer(editor, 'noteBands')
  let notes: readonly MarginNote[] = []
  let texts: ReadonlyMap<number, string> = new Map()
  let cancel = () => {}

  /** A band that comes or goes in the middle of a composition would end it. */
  function later(): void {
    cancel()
    cancel = clock.after(SETTLED_AFTER_MS, settle)
  }

  /** Notes that have no band are searched for while the browser is idle, a few at a time. */
  function settle(): void {
    cancel()
    if (editor.isDestroyed) return
    if (editor.view.composing) {
      later()
      return
    }
    const places = bandPlaces()
    const missing = notes.filter(({ ref }) => !places.has(ref))
    if (missing.length === 0) publish(places)
    else search(missing, places)
  }

  function search(missing: readonly MarginNote[], places: Map<string, Place>): void {
    const letters = lettersOf(editor.state.doc)
    const placeOf = notePlacer(letters.text, (version) => texts.get(version) ?? null)
    let searched = 0
    function searchOn(): void {
      const slice = missing.slice(searched, searched + SLICE)
      searched += slice.length
      for (const { ref, anchor } of slice) {
        const place = placeOf(anchor)
        if (place.kind === 'words') places.set(ref, positionsOf(letters, place))
      }
      if (searched < missing.length) cancel = whenIdle(searchOn)
      else publish(places)
    }
    cancel = whenIdle(searchOn)
  }

  function bandPlaces(): Map<string, Place> {
    const refs = new Set(notes.map(({ ref }) => ref))
    return new Map(
      layer
        .shown()
        .flatMap(({ from, to, spec }) => (refs.has(spec.ref) ? [[spec.ref, { from, to }]] : [])),
    )
  }

  function publish(places: ReadonlyMap<string, Place>): void {
    if (editor.view.composing) {
      later()
      return
    }
    const { doc } = editor.state
    const shown = new Map<string, ShownPlace>()
    const gone = new Set<string>()
    for (const { ref, anchor } of notes) {
      const place = places.get(ref)
      if (!place) {
        gone.add(ref)
        continue
      }
      const words = wordsAt(doc, place)
      shown.set(ref, { ...place, words, isChanged: words !== anchor.quote })
    }
    store.setState({ places: shown, gone })
    draw(shown)
  }

  function draw(places: ReadonlyMap<string, Place>): void {
    const { current, writing, near } = store.getState()
    const lookOf = (ref: string): string | null => {
      if (ref === current) return 'noted noted-now'
      return near.has(ref) ? 'noted' : null
    }
    const bands = [...places].map(([ref, { from, to }]) => bandOf(ref, from, to, lookOf(ref)))
    const noting = writing && layer.shown().find(({ spec }) => spec.writing === writing)
    if (writing) {
      const { from, to } = noting ?? writing
      const spec = { ref: '', look: 'noting', writing }
      bands.push(Decoration.inline(from, to, { class: 'noting' }, spec))
    }
    if ((writing && !noting) || keysOf(bands) !== keysOf(layer.shown()))
      layer.show(bands, ({ spec }) => spec.look !== null)
  }

  function settleLater({ transaction }: { transaction: Transaction }): void {
    if (transaction.docChanged && notes.length > 0) later()
  }

  store.setState({ bandPlaces })
  editor.on('transaction', settleLater)
  const unsubscribe = store.subscribe((now, before) => {
    const isSame =
      now.current === before.current && now.writing === before.writing && now.near === before.near
    if (isSame) return
    if (editor.isDestroyed) return
    if (editor.view.composing) later()
    else draw(bandPlaces())
  })
  return {
    show(open, known) {
      notes = open
      texts = known
      settle()
    },
    remove() {
      cancel()
      unsubscribe()
      editor.off('transaction', settleLater)
      layer.remove()
    },
  }
}

/** With a line end between paragraphs, as in the quote of a note. */
export const wordsAt = (doc: Node, { from, to }: Place): string =>
  doc.textBetween(from, to, '\n', '\n')

/** `look`: class names; null when it is not drawn. */
const bandOf = (ref: string, from: number, to: number, look: string | null): Decoration =>
  Decoration.inline(from, to, { class: look ?? '' }, { ref, look })

const keysOf = (bands: readonly Decoration[]): string =>
  bands
    .map(({ from, to, spec }) => `${from} ${to} ${spec.ref} ${spec.look}`)
    .sort()
    .join()
