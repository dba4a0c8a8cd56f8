import { TriangleAlert } from 'lucide-react'
import type { ArticleView } from '../../../sync/views.ts'
import { useNow } from '../../app-context.tsx'
import { LastModified } from '../../ui/last-modified.tsx'
import { timeOf } from '../../ui/time-of.ts'
import classes from './under-title.module.css'

type UnderTitleProps = { view: ArticleView; notSent: boolean }

/** Whose the article is, and what became of it last. One without a client is the agency's own (spec section 2). */
export function UnderTitle({ view, notSent }: UnderTitleProps) {
  const { client } = view
  return (
    <>
      {!client && (
        <p className={classes.noClient}>
          <TriangleAlert size={16} strokeWidth={1.7} aria-hidden />
          This article does not have a client attached to it. Only Admins will be able to view it.
        </p>
      )}
      <p className={classes.line}>
        {client && `${client.name} · `}
        {view.completed && notSent && view.completionSince !== null ? (
          <CompletedHere at={view.completionSince} />
        ) : (
          <LastModified at={view.updatedAt} />
        )}
      </p>
    </>
  )
}

const A_MINUTE_MS = 60_000

function CompletedHere({ at }: { at: number }) {
  const now = useNow(A_MINUTE_MS)
  return <span>Completed on this computer at {timeOf(at, now)}</span>
}
