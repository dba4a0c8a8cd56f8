import type { Editor } from '@tiptap/core'
import { closeHistory } from '@tiptap/pm/history'
import { useCallback, useRef, useState } from 'react'
import type { NoteAnchor } from '../../../../domain/notes/note-place.ts'
import { documentHash } from '../../../../domain/text/canonical.ts'
import { asDocument, sanitizeDocument } from '../../../../domain/text/document.ts'
import type { OpenText } from '../../../../sync/editing/editor-session.ts'
import type { Fetching } from '../../../../sync/history/server-revisions.ts'
import type { Version } from '../../../../sync/history/versions.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useClock, useDatabase, useSend, useSync } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { useAbortableEffect } from '../../../ui/use-abortable-effect.ts'
import { useLocalQuery } from '../../../use-local-query.ts'
import { changingTransaction } from '../editor/show-document.ts'
import { shownDocument } from '../editor/shown-document.ts'
import type { PanelState } from '../panel/use-panel.ts'

/** Subject of the snackbars of both outcomes. */
const RESTORING = { subject: 'restore' }

/** A response that cannot be stored on this device counts as none. */
const NOT_KEPT: Fetching = { kind: 'unreachable' }

export type VersionsPage = {
  articleId: string
  isOpen: boolean
  open: () => void
  close: () => void
  /** Newest first; null until they are read. */
  list: Version[] | null
  /** What became of asking the server for its list; null while it is asked. */
  listing: Fetching | null
  selected: Version | null
  select: (version: Version | null) => void
  /** Shows the version with these words marked. */
  showWords: (version: Version, words: NoteAnchor) => void
  /** What is marked in the selected one; null for nothing. */
  words: NoteAnchor | null
  /** What became of asking for the text of the selected one; null while it is asked. */
  reading: Fetching | null
  /** The editor that shows the text of the selected one; null while there is none. */
  shownText: Editor | null
  setShownText: (editor: Editor | null) => void
  restore: (version: Version) => Promise<void>
}

type Panels = typeof import('../panel/panels.ts')

type Shown = PanelState & {
  view: ArticleView
  editor: Editor
  text: OpenText
  /** Null until they are here. */
  panels: Panels | null
}

/** The versions of the article on the page: closed at first, asked for when they are opened. */
export function useVersions(shown: Shown): VersionsPage {
  const { view, editor, text, panels, panel, setPanel } = shown
  const isOpen = panel === 'versions'
  const sync = useSync()
  const { database } = sync
  const clock = useClock()
  const { chosen, reading, words, select } = useSelection(view, panels)
  const [shownText, setShownText] = useState<Editor | null>(null)
  const asking = isOpen ? panels : null
  const listing = useListing(view, asking)
  const list = useLocalQuery(
    async () => (asking ? await asking.readVersions(database, view.id) : null),
    [database, view.id, asking],
  )
  // What was chosen may since be known as a version of the server, under another name.
  const selected = isOpen ? (list?.find(({ key }) => key === chosen?.key) ?? chosen) : null

  const close = useCallback(() => setPanel(null), [setPanel])

  async function restore({ text: earlier }: Version): Promise<void> {
    if (!panels || earlier === null) return
    try {
      await panels.keepPresentText(database, view.id, shownDocument(editor.state.doc), clock.now())
      replaceText(editor, earlier)
      const hash = documentHash(shownDocument(editor.state.doc))
      await text.flush()
      await panels.markRestored(database, view.id, { hash, now: clock.now() })
      sync.wake()
      close()
      editor.commands.focus()
      notices.success('Version restored', 'The previous text is still under Versions.', RESTORING)
    } catch (error) {
      notices.fail('Article Error', error, RESTORING.subject)
    }
  }

  return {
    articleId: view.id,
    isOpen,
    open() {
      select(null)
      setPanel('versions')
    },
    close,
    list: list ?? null,
    listing,
    selected,
    select,
    showWords(version, marked) {
      select(version, marked)
      setPanel('versions')
    },
    words,
    reading,
    shownText,
    setShownText,
    restore,
  }
}

/** The version that is selected, and what became of asking for its text. */
function useSelection(view: ArticleView, panels: Panels | null) {
  const database = useDatabase()
  const send = useSend()
  const [chosen, setChosen] = useState<Version | null>(null)
  const [reading, setReading] = useState<Fetching | null>(null)
  const [words, setWords] = useState<NoteAnchor | null>(null)
  /** Responses arrive late, and in any order. */
  const asked = useRef<Version | null>(null)
  const select = useCallback(
    (version: Version | null, marked: NoteAnchor | null = null) => {
      setWords(marked)
      asked.current = version
      setChosen(version)
      setReading(null)
      if (!panels || !version?.server || version.text) return
      const { textVersion } = version.server
      const show = (outcome: Fetching) => {
        if (asked.current === version) setReading(outcome)
      }
      const fetching = panels.fetchServerText(send, database, view.id, textVersion)
      void fetching.then(show, () => show(NOT_KEPT))
    },
    [panels, send, database, view.id],
  )
  return { chosen, reading, words, select }
}

/** Fetches the list when it is opened, when the article changed, and when the server responds again. */
function useListing({ id }: ArticleView, asking: Panels | null): Fetching | null {
  const database = useDatabase()
  const send = useSend()
  const [listing, setListing] = useState<Fetching | null>(null)
  const version = useLocalQuery(
    async () => (await database.articles.get(id))?.version,
    [database, id],
  )
  const connection = useLocalQuery(
    async () => (await database.meta.get('connection'))?.value,
    [database],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change or a new connection is a reason to ask
  useAbortableEffect(
    (signal) => {
      if (!asking) return
      const show = (outcome: Fetching) => {
        if (!signal.aborted) setListing(outcome)
      }
      void asking.fetchServerRevisions(send, database, id).then(show, () => show(NOT_KEPT))
    },
    [send, database, id, asking, version, connection],
  )
  return listing
}

/** A regular edit: it has its own undo step, and is saved like typed text. */
function replaceText(editor: Editor, earlier: NonNullable<Version['text']>): void {
  const { document } = sanitizeDocument(asDocument(earlier))
  const change = changingTransaction(editor.state, editor.schema.nodeFromJSON(document))
  if (change) editor.view.dispatch(closeHistory(change))
}
