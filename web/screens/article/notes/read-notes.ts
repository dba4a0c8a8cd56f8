import { useMemo } from 'react'
import { type MarginNote, readMarginNotes } from '../../../../sync/status/margin-notes.ts'
import { useDatabase, useSignedIn } from '../../../app/app-context.tsx'
import { useLocalQuery } from '../../../use-local-query.ts'

/** All notes about words of the article; null until they are read. */
export function useMarginNotes(articleId: string): MarginNote[] | null {
  const database = useDatabase()
  const { user } = useSignedIn()
  const notes = useLocalQuery(
    () => readMarginNotes(database, articleId, { id: user.id, name: user.name }),
    [database, articleId, user.id, user.name],
  )
  return notes ?? null
}

export function useOpenNotes(articleId: string): MarginNote[] {
  const notes = useMarginNotes(articleId)
  return useMemo(() => (notes ?? []).filter(({ done }) => done === null), [notes])
}
