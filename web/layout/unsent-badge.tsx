import { useEffect } from 'react'
import { useStore } from 'zustand'
import { unsentArticles } from '../../sync/status/sync-summary.ts'
import { useApp } from '../app/app-context.tsx'
import { LIST_REST_MS } from '../throttled-live-query.ts'
import { useLocalQuery } from '../use-local-query.ts'

/** Delay before the badge is shown, because changes are unsent for a moment while a user types. */
const SHOWN_AFTER_MS = 5_000

/** The number on the icon of the installed app: articles with changes that are not sent. */
export function UnsentBadge({ show }: { show: (count: number) => void }) {
  const { clock, workspace } = useApp()
  const client = useStore(workspace.store, (state) => state.client)
  const count = useLocalQuery(
    async () => client && (await unsentArticles(client.database)).size,
    [client],
    LIST_REST_MS,
  )
  useEffect(() => {
    if (typeof count !== 'number') return undefined
    return clock.after(count === 0 ? 0 : SHOWN_AFTER_MS, () => show(count))
  }, [clock, count, show])
  return null
}
