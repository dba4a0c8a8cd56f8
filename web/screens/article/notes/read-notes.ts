import { useEffect } from 'react'
import { readMarginNotes } from '../../../../sync/status/margin-notes.ts'
import { notesSeenUntil } from '../../../../sync/store/seen-notes.ts'
import { useDatabase, useSignedIn } from '../../../app/app-context.tsx'
import { useLocalQuery } from '../../../use-local-query.ts'
import type { NotesStore } from './notes-state.ts'

/** Keeps the notes of the store as the local database has them: read once for all that shows them. Shows nothing. */
export function ReadNotes({ articleId, store }: { articleId: string; store: NotesStore }) {
  const database = useDatabase()
  const { user } = useSignedIn()
  const notes = useLocalQuery(
    () => readMarginNotes(database, articleId, { id: user.id, name: user.name }),
    [database, articleId, user.id, user.name],
  )
  const seenUntil = useLocalQuery(() => notesSeenUntil(database, articleId), [database, articleId])
  useEffect(() => store.setState({ notes: notes ?? null }), [store, notes])
  useEffect(() => store.setState({ seenUntil: seenUntil ?? null }), [store, seenUntil])
  return null
}
