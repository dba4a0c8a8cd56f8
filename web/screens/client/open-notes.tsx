import { MessageSquare } from 'lucide-react'
import { readMarginNotes } from '../../../sync/status/margin-notes.ts'
import { useDatabase, useSignedIn } from '../../app/app-context.tsx'
import { LIST_REST_MS } from '../../throttled-live-query.ts'
import { counted } from '../../ui/words/figure.ts'
import { useLocalQuery } from '../../use-local-query.ts'
import classes from './article-card.module.css'

/** How many notes of the article are open, as this computer knows them. Shows nothing without any. */
export function OpenNotes({ articleId }: { articleId: string }) {
  const database = useDatabase()
  const { user } = useSignedIn()
  const notes = useLocalQuery(
    () => readMarginNotes(database, articleId, { id: user.id, name: user.name }),
    [database, articleId, user.id, user.name],
    LIST_REST_MS,
  )
  const open = notes?.filter(({ done }) => done === null).length ?? 0
  if (open === 0) return null
  return (
    <span className={classes.notes}>
      <MessageSquare size={13} strokeWidth={1.7} aria-hidden="true" />
      {counted(open, 'open note')}
    </span>
  )
}
