import { createStore, type StoreApi } from 'zustand'
import type { NoteAnchor } from '../../../../domain/notes/note-place.ts'
import type { MarginNote } from '../../../../sync/status/margin-notes.ts'

/** Where a note is in the text, as positions of the editor. */
export type Place = { from: number; to: number }

export type ShownPlace = Place & { words: string; isChanged: boolean }

export type NotesState = {
  /** All notes about words of the article; null until they are read. */
  notes: readonly MarginNote[] | null
  /** Name of the current note. */
  current: string | null
  /** What the note that is being written is about. */
  writing: { anchor: NoteAnchor; from: number; to: number } | null
  /** By the name of the note, once it was found; published in a pause after a change of the text. */
  places: ReadonlyMap<string, ShownPlace>
  /** Returns the current positions of the bands, also before `places` is published. */
  bandPlaces: () => ReadonlyMap<string, Place>
  /** Names of the notes that begin near the visible part of the text. */
  near: ReadonlySet<string>
  /** Names of the notes whose words were searched for and are gone. */
  gone: ReadonlySet<string>
  /** Up to when they were seen here, in milliseconds since 1970; null until that is read. */
  seenUntil: number | null
  /** For screen readers. */
  said: string
  /** The article is being reopened from the panel, where the reason was written: no card asks again. */
  isReasonGiven: boolean
  /** Whether what is being printed has the open notes behind the text. */
  isPrinted: boolean
}

/** What the notes in the text and those in the panel have in common. */
export type NotesStore = StoreApi<NotesState>

export const createNotesStore = (): NotesStore =>
  createStore(() => ({
    notes: null,
    current: null,
    writing: null,
    places: new Map(),
    bandPlaces: () => new Map(),
    near: new Set(),
    gone: new Set(),
    seenUntil: null,
    said: '',
    isReasonGiven: false,
    isPrinted: false,
  }))

/** The notes that are not done, as far as they were read. */
export const openNotesOf = ({ notes }: Pick<NotesState, 'notes'>): MarginNote[] =>
  (notes ?? []).filter(({ done }) => done === null)

export const openCount = (state: Pick<NotesState, 'notes'>): number => openNotesOf(state).length
