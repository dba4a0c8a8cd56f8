import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { Link } from 'react-router-dom'
import { paths } from '../../../paths.ts'
import { figure } from '../../../ui/figure.ts'
import { useStrays } from '../use-remote.ts'
import classes from './strays-note.module.css'

/** On the admin's home once a writer has sent a text, with the number of those that wait to be looked at. */
export function StraysNote() {
  const all = useCount()
  const waiting = useCount(false)
  if (!all || waiting === undefined) return null
  return (
    <Link to={paths.adminStrays} className={classes.card ?? ''}>
      <Inbox size={18} strokeWidth={1.6} aria-hidden="true" />
      <span className={classes.title}>Recovered texts</span>
      <span className={classes.count}>
        {waiting === 0 ? 'All reviewed' : `${figure(waiting)} to review`}
      </span>
    </Link>
  )
}

/** Undefined until it is known. */
function useCount(done?: boolean): number | undefined {
  const strays = useStrays()
  const { data } = useQuery({
    queryKey: ['strays', 'count', done ?? 'all'],
    queryFn: () => strays.list({ page: 1, limit: 1, ...(done !== undefined && { done }) }),
    meta: { failure: 'Error retrieving texts' },
  })
  return data?.totalResults
}
