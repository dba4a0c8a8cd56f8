import type { Editor } from '@tiptap/core'
import type { Transaction } from '@tiptap/pm/state'
import { Decoration } from '@tiptap/pm/view'
import { placeNotes } from '../../../../domain/notes/note-place.ts'
import type { ArticleText } from '../../../../domain/text/document.ts'
import type { Clock } from '../../../../sync/ports.ts'
import type { MarginNote } from '../../../../sync/status/margin-notes.ts'
import { shownDocument } from '../editor/shown-document.ts'
import { addDecorationLayer } from '../scorecard/decoration-layer.ts'
import { lettersOf, positionsOf } from './letters.ts'
import './note-bands.css'
import type { NotesStore, ShownPlace } from './notes-state.ts'

/** The bands of open notes. The text itself is never changed. */
export type NoteBands = {
  /** `texts`: those of earlier versions that are known here. */
  show(notes: readonly MarginNote[], texts: ReadonlyMap<number, ArticleText>): void
  remove(): void
}

/** After a change of the text, until the places are published and words that are gone are searched again. */
const SETTLED_AFTER_MS = 300

/** Words that were found keep their band while they change; the editor maps it. */
export function addNoteBands(editor: Editor, store: NotesStore, clock: Clock): NoteBands {
  const layer = addDecorationLayer(editor, 'noteBands')
  let notes: readonly MarginNote[] = []
  let texts: ReadonlyMap<number, ArticleText> = new Map()
  let cancel = () => {}

  function settle(): void {
    if (editor.isDestroyed) return
    const refs = new Set(notes.map(({ ref }) => ref))
    const places = new Map<string, Omit<ShownPlace, 'words'>>()
    for (const { from, to, spec } of layer.shown())
      if (refs.has(spec.ref)) places.set(spec.ref, { from, to, isChanged: false })
    const { doc } = editor.state
    const missing = notes.filter(({ ref }) => !places.has(ref))
    if (missing.length > 0) {
      const letters = lettersOf(doc)
      const anchors = missing.map(({ anchor }) => anchor)
      const found = placeNotes(anchors, shownDocument(doc), (version) => texts.get(version) ?? null)
      for (const [at, place] of found.entries()) {
        const ref = missing[at]?.ref
        if (ref === undefined || place.kind !== 'words') continue
        places.set(ref, { ...positionsOf(letters, place), isChanged: place.isChanged })
      }
    }
    publish(places)
  }

  function publish(places: ReadonlyMap<string, Omit<ShownPlace, 'words'>>): void {
    const { doc } = editor.state
    const shown = new Map<string, ShownPlace>()
    for (const { ref, anchor } of notes) {
      const place = places.get(ref)
      if (!place) continue
      const words = doc.textBetween(place.from, place.to, '\n', '\n')
      shown.set(ref, { ...place, words, isChanged: words !== anchor.quote })
    }
    store.setState({ places: shown })
    draw()
  }

  function draw(): void {
    const { places, current, writing } = store.getState()
    const bands = [...places].map(([ref, { from, to }]) =>
      bandOf(ref, from, to, ref === current ? 'noted noted-now' : 'noted'),
    )
    if (writing) bands.push(bandOf('', writing.from, writing.to, 'noting'))
    if (keysOf(bands) !== keysOf(layer.shown())) layer.show(bands)
  }

  function settleLater({ transaction }: { transaction: Transaction }): void {
    if (!transaction.docChanged || notes.length === 0) return
    cancel()
    cancel = clock.after(SETTLED_AFTER_MS, settle)
  }

  editor.on('transaction', settleLater)
  const unsubscribe = store.subscribe((now, before) => {
    if (now.current === before.current && now.writing === before.writing) return
    if (!editor.isDestroyed) draw()
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

const bandOf = (ref: string, from: number, to: number, look: string): Decoration =>
  Decoration.inline(from, to, { class: look }, { ref, look })

const keysOf = (bands: readonly Decoration[]): string =>
  bands
    .map(({ from, to, spec }) => `${from} ${to} ${spec.ref} ${spec.look}`)
    .sort()
    .join()
