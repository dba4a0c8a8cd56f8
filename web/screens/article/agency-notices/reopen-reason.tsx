import { useState } from 'react'
import { canReopenArticle } from '../../../../domain/permissions.ts'
import { readArticleRecord } from '../../../../sync/status/article-record.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useDatabase, useSignedIn } from '../../../app/app-context.tsx'
import { useLocalQuery } from '../../../use-local-query.ts'
import classes from './agency-notices.module.css'
import { NoteForm } from './note-form.tsx'

/** Asks an admin, who has just reopened the article on this page, why. */
export function ReopenReason({ view }: { view: ArticleView }) {
  const { user } = useSignedIn()
  const database = useDatabase()
  const { completed, completionPending } = view
  const [before, setBefore] = useState(completed)
  const [isAsked, setAsked] = useState(false)
  if (before !== completed) {
    setBefore(completed)
    setAsked(!completed && completionPending && canReopenArticle(user))
  }
  const handIn = useLocalQuery(
    async () => (await readArticleRecord(database, view.id)).handIns[0]?.number ?? null,
    [database, view.id],
  )
  if (!isAsked) return null
  return (
    <section className={classes.card} aria-label="Why did you reopen it?">
      <NoteForm
        articleId={view.id}
        kind="reopened"
        handIn={handIn ?? null}
        typed=""
        onDone={() => setAsked(false)}
      />
    </section>
  )
}
