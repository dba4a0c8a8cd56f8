import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { canReopenArticle } from '../../../../domain/access/permissions.ts'
import { readArticleRecord } from '../../../../sync/status/article-record.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useDatabase, useSignedIn } from '../../../app/app-context.tsx'
import { useLocalQuery } from '../../../use-local-query.ts'
import type { NotesStore } from '../notes/notes-state.ts'
import classes from './agency-notices.module.css'
import { NoteForm } from './note-form.tsx'
import { useTypedNote } from './typed-note.ts'

/** Asks an admin why: who has just reopened the article on this page, or wants to add the reason. */
export function ReopenReason({ view, notes }: { view: ArticleView; notes: NotesStore }) {
  const { user } = useSignedIn()
  const database = useDatabase()
  const { id, completed, completionPending } = view
  const note = useTypedNote(id, 'reopened')
  const isReasonGiven = useStore(notes, (state) => state.isReasonGiven)
  const [before, setBefore] = useState(completed)
  const [isAsked, setAsked] = useState(false)
  // At once: until the box has the focus, a typed blank would press what had it before.
  if (before !== completed) {
    setBefore(completed)
    setAsked(!completed && completionPending && canReopenArticle(user) && !isReasonGiven)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins one note for each question
  useEffect(() => {
    if (isAsked) note.begin()
  }, [isAsked])
  const isSettled = !completed && note.typed === null
  useEffect(() => {
    if (isSettled) notes.setState({ isReasonGiven: false })
  }, [isSettled, notes])
  const handIn = useLocalQuery(
    async () => (await readArticleRecord(database, id)).handIns[0]?.number ?? null,
    [database, id],
  )
  const typed = note.typed ?? (isAsked ? '' : null)
  if (typed === null || completed || isReasonGiven) return null
  return (
    <section className={classes.card} aria-label="Why did you reopen it?">
      <NoteForm
        articleId={id}
        kind="reopened"
        handIn={handIn ?? null}
        typed={typed}
        onDone={() => {
          setAsked(false)
          note.end()
        }}
      />
    </section>
  )
}
