import { useEffect, useState } from 'react'
import { type HomeArticle, readHome } from '../../../sync/status/article-view.ts'
import { readSyncSummary, type SyncSummary } from '../../../sync/status/sync-summary.ts'
import { useClock, useDatabase } from '../../app/app-context.tsx'
import { LIST_REST_MS } from '../../throttled-live-query.ts'
import { useLocalQuery } from '../../use-local-query.ts'

/** How long the page waits for the first response before it is shown: a failing server must not hide it. */
const FIRST_WAIT_MS = 5_000

export type Home = {
  articles: HomeArticle[]
  summary: SyncSummary | undefined
  /** There is something to show: a local copy, a response, or the fact that none comes. */
  known: boolean
}

/** The home as this computer knows it; follows every change of the local database. */
export function useHome(): Home {
  const database = useDatabase()
  const articles = useLocalQuery(() => readHome(database), [database], LIST_REST_MS)
  const summary = useLocalQuery(() => readSyncSummary(database), [database], LIST_REST_MS)
  const waits = useFirstWait()
  const isCut = summary?.connection === 'offline' || summary?.connection === 'refused'
  const settled = summary?.lastCheckedAt != null || isCut
  const known = articles !== undefined && (articles.length > 0 || settled || !waits)
  return { articles: articles ?? [], summary, known }
}

/** True for the first `FIRST_WAIT_MS`. */
function useFirstWait(): boolean {
  const clock = useClock()
  const [waits, setWaits] = useState(true)
  useEffect(() => clock.after(FIRST_WAIT_MS, () => setWaits(false)), [clock])
  return waits
}
