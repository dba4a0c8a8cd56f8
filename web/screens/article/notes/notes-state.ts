import { createStore, type StoreApi } from 'zustand'
import type { NoteAnchor } from '../../../../domain/notes/note-place.ts'
import type { MarginNote } from '../../../../sync/status/margin-notes.ts'

/** Where a note is in the present text, as positions of the editor, and its words there. */
export type ShownPlace = { from: number; to: number; words: string; isChanged: boolean }

export type NotesState = {
  /** All notes about words of the article; null until they are read. */
  notes: readonly MarginNote[] | null
  /** Name of the current note. */
  current: string | null
  /** What the note that is being written is about. */
  writing: { anchor: NoteAnchor; from: number; to: number } | null
  /** By the name of the note; those whose words are gone are missing. */
  places: ReadonlyMap<string, ShownPlace>
}

/** What the notes in the text and those in the panel have in common. */
export type NotesStore = StoreApi<NotesState>

export const createNotesStore = (): NotesStore =>
  createStore(() => ({ notes: null, current: null, writing: null, places: new Map() }))
