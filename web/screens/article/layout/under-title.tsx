import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useNow } from '../../../app/app-context.tsx'
import { useDates } from '../../../app/use-dates.ts'
import { LastModified, LongDate } from '../../../ui/words/last-modified.tsx'
import classes from './under-title.module.css'

type UnderTitleProps = { view: ArticleView; notSent: boolean }

/**
 * Whose the article is, what became of it last, and who else is here. One without a client is the agency's own (spec
 * section 2).
 */
export function UnderTitle({ view, notSent, children }: UnderTitleProps & { children: ReactNode }) {
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
        {client && <bdi>{client.name}</bdi>}
        <span className="screen-only">
          {client && ' · '}
          <Latest view={view} notSent={notSent} />
        </span>
        {children}
      </p>
    </>
  )
}

function Latest({ view, notSent }: UnderTitleProps) {
  const { completed, completion, completionSince, updatedAt } = view
  if (completed && notSent && completionSince !== null)
    return <CompletedHere at={completionSince} />
  if (!completed || completion === null) return <LastModified at={updatedAt} />
  return (
    <span>
      Completed {completion.by === null ? '' : `by ${completion.by}, `}
      <LongDate at={completion.at} />
    </span>
  )
}

const A_MINUTE_MS = 60_000

function CompletedHere({ at }: { at: number }) {
  const now = useNow(A_MINUTE_MS)
  const { timeOf } = useDates()
  return <span>Completed on this computer at {timeOf(at, now)}</span>
}
