import { UnstyledButton } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { NOTES_MAX } from '../../../../domain/limits.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import type { MarginNote } from '../../../../sync/status/margin-notes.ts'
import { useSignedIn } from '../../../app/app-context.tsx'
import { SidePanel } from '../panel/side-panel.tsx'
import type { PanelState } from '../panel/use-panel.ts'
import { moveToEntry } from '../receipt/move-to-entry.ts'
import { NewNote } from './new-note.tsx'
import { NoteEntry } from './note-entry.tsx'
import classes from './notes-panel.module.css'
import type { NotesState, NotesStore } from './notes-state.ts'

type NotesPanelProps = PanelState & {
  view: ArticleView
  editor: Editor
  store: NotesStore
}

const FILTERS = ['Open', 'Mine', 'All'] as const
type Filter = (typeof FILTERS)[number]

/** The notes about words of the article, and the one that is being written. */
export function NotesPanel({ view, editor, store, setPanel }: NotesPanelProps) {
  const { user } = useSignedIn()
  const { notes, writing, places } = useStore(store)
  const [filter, setFilter] = useState<Filter>('Open')
  const [said, say] = useState('')
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!store.getState().writing) panel.current?.querySelector('button')?.focus()
    return () => store.setState({ current: null, writing: null })
  }, [store])
  const shown = (notes ?? []).filter((note) => isShown(note, filter, user.id))
  const groups = groupsOf(shown, places)

  function close(): void {
    setPanel(null)
  }
  /** The next entry has the focus, else the way back. */
  function moveOn(ref: string): void {
    const entries = [...(panel.current?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])]
    const at = entries.findIndex(({ dataset }) => dataset.entry === ref)
    const next = entries[at + 1] ?? entries[at - 1]
    ;(next ?? panel.current?.querySelector('button'))?.focus()
  }
  function handleKey(event: KeyboardEvent): void {
    moveToEntry(event, panel.current)
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    close()
  }
  return (
    <SidePanel
      ref={panel}
      title="Notes"
      intro="Notes are not part of the text. Select words to write one."
      onBack={close}
      onKeyDown={handleKey}
    >
      {writing && (
        <NewNote
          key={`${writing.from} ${writing.to}`}
          {...{ writing, editor, articleId: view.id }}
          isFull={(notes?.length ?? 0) >= NOTES_MAX}
          onDone={(ref) => {
            store.setState({ writing: null, ...(ref !== null && { current: ref }) })
            if (ref !== null) say('Note added.')
            editor.commands.focus()
          }}
        />
      )}
      <fieldset className={classes.filter} aria-label="Show">
        {FILTERS.map((name) => (
          <UnstyledButton
            key={name}
            className={classes.choice}
            aria-pressed={filter === name}
            onClick={() => setFilter(name)}
          >
            {name}
          </UnstyledButton>
        ))}
      </fieldset>
      <div className={classes.scroller}>
        {notes && shown.length === 0 && <p className={classes.none}>{noneOf(notes, filter)}</p>}
        {groups.map(({ name, notes: grouped }) => (
          <section key={name} aria-label={name}>
            <h3 className={classes.group}>
              {name} <span className={classes.count}>{grouped.length}</span>
            </h3>
            <ul className={classes.list}>
              {grouped.map((note) => (
                <NoteEntry key={note.ref} {...{ note, view, editor, store, say, moveOn }} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      <div className={classes.said} role="status">
        {said}
      </div>
    </SidePanel>
  )
}

function isShown({ author, answers, done }: MarginNote, filter: Filter, userId: string): boolean {
  if (filter === 'All') return true
  const isMine = [author, ...answers.map((answer) => answer.author)].some(({ id }) => id === userId)
  return done === null && (filter === 'Open' || isMine)
}

function noneOf(notes: readonly MarginNote[], filter: Filter): string {
  if (notes.length === 0) return 'No notes yet. Select words in the text to write one.'
  return filter === 'Mine' ? 'No notes by you.' : 'No open notes.'
}

function groupsOf(notes: readonly MarginNote[], places: NotesState['places']) {
  const open = notes.filter(({ done }) => done === null)
  const placeOf = ({ ref }: MarginNote) => places.get(ref)?.from ?? 0
  const groups = [
    {
      name: 'Its words are gone',
      notes: open.filter(({ ref }) => !places.has(ref)).sort((a, b) => b.at - a.at),
    },
    {
      name: 'Open',
      notes: open.filter(({ ref }) => places.has(ref)).sort((a, b) => placeOf(a) - placeOf(b)),
    },
    {
      name: 'Done',
      notes: notes
        .filter(({ done }) => done !== null)
        .sort((a, b) => (b.done?.at ?? 0) - (a.done?.at ?? 0)),
    },
  ]
  return groups.filter((group) => group.notes.length > 0)
}
