import { UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import type { Editor } from '@tiptap/core'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { canReopenArticle } from '../../../../domain/access/permissions.ts'
import { NOTES_MAX } from '../../../../domain/limits.ts'
import { readVersions } from '../../../../sync/history/versions.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import type { MarginNote } from '../../../../sync/status/margin-notes.ts'
import { keepNotesSeen } from '../../../../sync/store/seen-notes.ts'
import { useDatabase, useNow, useSignedIn } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { useOffline } from '../../../layout/use-offline.ts'
import { TextButton } from '../../../ui/buttons/text-button.tsx'
import { figure } from '../../../ui/words/figure.ts'
import { SidePanel } from '../panel/side-panel.tsx'
import type { PanelState } from '../panel/use-panel.ts'
import { moveToEntry } from '../receipt/move-to-entry.ts'
import { useRecord } from '../receipt/use-record.ts'
import type { VersionsPage } from '../versions/use-versions.ts'
import { NewNote } from './new-note.tsx'
import { NoteEntry } from './note-entry.tsx'
import classes from './notes-panel.module.css'
import { type NotesState, type NotesStore, openCount } from './notes-state.ts'
import { ReopenFoot } from './reopen-foot.tsx'
import { inTextOrder } from './text-order.ts'
import { useLastVersions } from './use-last-versions.ts'

const A_MINUTE_MS = 60_000

const GONE = 'Its words are gone'

type NotesPanelProps = PanelState & {
  view: ArticleView
  editor: Editor
  store: NotesStore
  versions: VersionsPage
  hadCursor: () => boolean
}

const FILTERS = ['Open', 'Mine', 'All'] as const
type Filter = (typeof FILTERS)[number]

/** The notes about words of the article, and the one that is being written. */
export function NotesPanel(props: NotesPanelProps) {
  const { view, editor, store, versions, hadCursor, setPanel } = props
  const { user } = useSignedIn()
  const database = useDatabase()
  const notes = useStore(store, (state) => state.notes)
  const writing = useStore(store, (state) => state.writing)
  const gone = useStore(store, (state) => state.gone)
  const current = useStore(store, (state) => state.current)
  const inOrder = useStore(
    store,
    useShallow((state) => inTextOrder(state.notes ?? [], state)),
  )
  const [filter, setFilter] = useLocalStorage<Filter>({
    key: 'notes-shown',
    defaultValue: 'Open',
    getInitialValueInEffect: false,
  })
  const now = useNow(A_MINUTE_MS)
  const isOffline = useOffline()
  const { known, isBehind, tryAgain } = useRecord(view.id, isOffline)
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const { writing, current } = store.getState()
    // By a key from the text, the focus stays there.
    if (!writing && !editor.view.hasFocus())
      (entryOf(panel.current, current) ?? wayBackIn(panel.current))?.focus()
    return () => store.setState({ current: null, writing: null })
  }, [store, editor])
  const open = useStore(store, openCount)
  const mayReopen = canReopenArticle(user) && view.completed && open > 0
  const hadFoot = useRef(mayReopen)
  useEffect(() => {
    if (hadFoot.current && !mayReopen && document.activeElement === document.body)
      wayBackIn(panel.current)?.focus()
    hadFoot.current = mayReopen
  }, [mayReopen])
  const latest = latestOf(notes ?? [])
  useEffect(() => {
    if (latest > 0) keepNotesSeen(database, view.id, latest)
  }, [database, view.id, latest])
  const [focused, setFocused] = useState<string | null>(null)
  const shown = inOrder.filter((note) => isShown(note, filter, user.id))
  const groups = groupsOf(shown, gone)
  const refs = groups.flatMap((group) => group.notes.map(({ ref }) => ref))
  const tabStop = [focused, current].find((ref) => ref !== null && refs.includes(ref)) ?? refs[0]
  const isHidden = notes?.some(
    ({ ref, done }) => ref === current && done === null && !refs.includes(ref),
  )
  useEffect(() => {
    if (isHidden) setFilter('Open')
  }, [isHidden, setFilter])
  const lastVersions = useLastVersions(
    view.id,
    groups.find(({ name }) => name === GONE)?.notes ?? [],
  )

  const showWords = useRef(versions.showWords)
  showWords.current = versions.showWords
  const showVersion = useCallback(
    ({ ref, anchor }: MarginNote) =>
      void notices.attempt('Article Error', async () => {
        const all = await readVersions(database, view.id)
        const last = lastVersions.get(ref)?.textVersion
        const version = all.find(({ server }) => server?.textVersion === last)
        if (version) showWords.current(version, anchor)
      }),
    [database, view.id, lastVersions],
  )

  function close(): void {
    setPanel(null)
  }
  /** The next entry has the focus, else the way back. */
  const moveOn = useCallback((ref: string) => {
    const entries = [...(panel.current?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])]
    const at = entries.findIndex(({ dataset }) => dataset.entry === ref)
    const next = entries[at + 1] ?? entries[at - 1]
    ;(next ?? wayBackIn(panel.current))?.focus()
  }, [])
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
            if (ref !== null) store.setState({ said: 'Note added.' })
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
            onClick={() => {
              store.setState({ current: null })
              setFilter(name)
            }}
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
              {name} <span className={classes.count}>{figure(grouped.length)}</span>
            </h3>
            <ul className={classes.list}>
              {grouped.map((note) => (
                <NoteEntry
                  key={note.ref}
                  {...{ note, now, editor, store, hadCursor, moveOn, showVersion }}
                  articleId={view.id}
                  isCompleted={view.completed}
                  isTabStop={note.ref === tabStop}
                  onFocus={setFocused}
                  lastSavedAt={lastVersions.get(note.ref)?.savedAt ?? null}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
      <p className={classes.state} role="status">
        {isOffline ? (
          'You are offline. These are the notes on this computer.'
        ) : isBehind ? (
          <>
            Couldn’t load the notes. <TextButton onClick={tryAgain}>Try again</TextButton>
          </>
        ) : (
          known === null && 'Loading…'
        )}
      </p>
      {mayReopen && <ReopenFoot {...{ view, store, open }} />}
    </SidePanel>
  )
}

/** When the agency got the last note or answer of those that it has; 0 without any. */
const latestOf = (notes: readonly MarginNote[]): number =>
  notes
    .flatMap((note) => [note, ...note.answers])
    .reduce((latest, { at, unsent }) => (unsent === null ? Math.max(latest, at) : latest), 0)

const wayBackIn = (panel: HTMLElement | null) => panel?.querySelector<HTMLElement>('button')

const entryOf = (panel: HTMLElement | null, ref: string | null) =>
  ref === null ? null : panel?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(ref)}"]`)

function isShown({ author, answers, done }: MarginNote, filter: Filter, userId: string): boolean {
  if (filter === 'All') return true
  const isMine = [author, ...answers.map((answer) => answer.author)].some(({ id }) => id === userId)
  return done === null && (filter === 'Open' || isMine)
}

function noneOf(notes: readonly MarginNote[], filter: Filter): string {
  if (notes.length === 0) return 'No notes yet. Select words in the text to write one.'
  return filter === 'Mine' ? 'No notes by you.' : 'No open notes.'
}

/** `notes`: in the order of the text. */
function groupsOf(notes: readonly MarginNote[], gone: NotesState['gone']) {
  const open = notes.filter(({ done }) => done === null)
  const groups = [
    {
      name: GONE,
      notes: open.filter(({ ref }) => gone.has(ref)).sort((a, b) => b.at - a.at),
    },
    {
      name: 'Open',
      notes: open.filter(({ ref }) => !gone.has(ref)),
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
