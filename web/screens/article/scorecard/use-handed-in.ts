import { useMemo } from 'react'
import { isAdmin } from '../../../../domain/access/permissions.ts'
import { readArticleRecord } from '../../../../sync/status/article-record.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useDatabase, useSignedIn } from '../../../app/app-context.tsx'
import { useLocalQuery } from '../../../use-local-query.ts'
import { type HandedIn, handedInOf } from './handed-in.ts'
import type { ScorecardStore } from './scorecard-store.ts'

/** Returns `handedInOf` for writers of a complete article. Admins see the current entities and minimum. */
export function useHandedIn(view: ArticleView, store: ScorecardStore): HandedIn | null {
  const { id, completed, completionPending, wordMinimum } = view
  const database = useDatabase()
  const { user } = useSignedIn()
  const isShown = completed && !isAdmin(user)
  const record = useLocalQuery(
    async () => (isShown ? await readArticleRecord(database, id) : null),
    [database, id, isShown],
  )
  return useMemo(
    () =>
      record ? handedInOf(record, { completionPending, wordMinimum }, store.read(), user.id) : null,
    [record, completionPending, wordMinimum, store, user.id],
  )
}
