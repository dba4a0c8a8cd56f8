import type { Editor } from '@tiptap/core'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import { anchorOf } from '../../../../domain/notes/note-place.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import type { MarginNote } from '../../../../sync/status/margin-notes.ts'
import { useClock, useDatabase } from '../../../app/app-context.tsx'
import { isModalOpen } from '../../../keys.ts'
import type { PanelState } from '../panel/use-panel.ts'
import { useEarlierTexts } from './earlier-texts.ts'
import { lettersAt, lettersOf } from './letters.ts'
import { addNoteBands, type NoteBands } from './note-bands.ts'
import { NoteButton } from './note-button.tsx'
import { NoteSigns, nameOf } from './note-signs.tsx'
import type { NotesState, NotesStore } from './notes-state.ts'
import { showPlace } from './show-place.ts'
import { inTextOrder } from './text-order.ts'

export type NotesInTextProps = PanelState & {
  view: Pick<ArticleView, 'id'>
  editor: Editor
  store: NotesStore
  scroller: RefObject<HTMLDivElement | null>
}

/** The bands of open notes, their signs at the right of the text, and the ways to write one. */
export function NotesInText(props: NotesInTextProps) {
  const { view, editor, store, scroller, panel, setPanel } = props
  const database = useDatabase()
  const clock = useClock()
  const all = useStore(store, (state) => state.notes)
  const said = useStore(store, (state) => state.said)
  const notes = useMemo(() => (all ?? []).filter(({ done }) => done === null), [all])
  const texts = useEarlierTexts(
    view.id,
    useMemo(() => versionsOf(notes), [notes]),
  )
  const bands = useRef<NoteBands>(null)
  useEffect(() => {
    const added = addNoteBands(editor, store, clock)
    bands.current = added
    return () => added.remove()
  }, [editor, store, clock])
  useEffect(() => bands.current?.show(notes, texts), [notes, texts])

  async function write(): Promise<void> {
    const { from, to, empty } = editor.state.selection
    const noted = [...store.getState().places].find(
      ([, place]) => place.from <= from && from <= place.to,
    )
    if (empty) {
      if (noted) store.setState({ current: noted[0] })
      else store.setState({ said: 'Select words to write a note.' })
      if (panel !== 'notes') editor.view.dom.blur()
      setPanel('notes')
      return
    }
    const doc = await database.docs.get(view.id)
    const letters = lettersOf(editor.state.doc)
    const anchor = anchorOf(letters.text, lettersAt(letters, { from, to }), doc?.textVersion ?? 0)
    if (!anchor) return
    store.setState({ writing: { anchor, from, to }, current: null })
    setPanel('notes')
  }
  function step(by: 1 | -1): void {
    const placed = placedNotes(store.getState(), notes)
    const at = nextIndex(placed, store.getState().current, by)
    const next = placed[at]
    if (!next) return
    goTo(next.ref)
    store.setState({ said: `Note ${at + 1} of ${placed.length}. ${nameOf(next)}` })
  }
  function goTo(ref: string): void {
    store.setState({ current: ref })
    setPanel('notes')
    showPlace(editor, store.getState().places.get(ref))
  }
  useNoteKeys({ write: () => void write(), step })
  useCaretMakesCurrent(editor, store, panel === 'notes')
  return (
    <>
      <NoteSigns {...{ editor, store, scroller, notes, goTo }} />
      <NoteButton editor={editor} write={() => void write()} />
      <div className="visually-hidden" role="status">
        {said}
      </div>
    </>
  )
}

const versionsOf = (notes: readonly MarginNote[]): number[] => [
  ...new Set(notes.map(({ anchor }) => anchor.textVersion)),
]

/** Those of the notes whose words are there, in the order of the text. */
const placedNotes = ({ places }: NotesState, notes: readonly MarginNote[]): MarginNote[] =>
  inTextOrder(notes, { places }).filter(({ ref }) => places.has(ref))

/** The place of the next note, or of the previous one; after the last comes the first. */
function nextIndex(notes: readonly MarginNote[], current: string | null, by: 1 | -1): number {
  const at = notes.findIndex(({ ref }) => ref === current)
  return at < 0 ? (by > 0 ? 0 : notes.length - 1) : (at + by + notes.length) % notes.length
}

/** Ctrl+Alt+M, and Page Down and Page Up with both. AltGr types a letter. */
function useNoteKeys({ write, step }: { write: () => void; step: (by: 1 | -1) => void }): void {
  const handle = useRef<(event: KeyboardEvent) => void>(null)
  handle.current = (event) => {
    const { ctrlKey, metaKey, altKey, shiftKey, code } = event
    if (!(ctrlKey || metaKey) || !altKey || shiftKey) return
    if (event.getModifierState('AltGraph') || isModalOpen()) return
    if (code === 'KeyM') write()
    else if (code === 'PageDown') step(1)
    else if (code === 'PageUp') step(-1)
    else return
    event.preventDefault()
  }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle.current?.(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

/** A caret in noted words makes their note the current one, while the panel is open. */
function useCaretMakesCurrent(editor: Editor, store: NotesStore, isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return
    function look() {
      const { from, empty } = editor.state.selection
      if (!empty) return
      const { places, current } = store.getState()
      const at = [...places].find(([, place]) => place.from <= from && from <= place.to)
      if (at && at[0] !== current) store.setState({ current: at[0] })
    }
    editor.on('selectionUpdate', look)
    return () => void editor.off('selectionUpdate', look)
  }, [editor, store, isOpen])
}
