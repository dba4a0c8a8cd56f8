import { useEffect, useMemo } from 'react'
import { fetchServerRevisions } from '../../../../sync/history/server-revisions.ts'
import { readVersions, type Version } from '../../../../sync/history/versions.ts'
import { useDatabase, useSend } from '../../../app/app-context.tsx'
import { useLocalQuery } from '../../../use-local-query.ts'

/** The versions of the server by their number, as far as they are known here; none unless they are `wanted`. */
export function useEarlierVersions(
  articleId: string,
  wanted: boolean,
): ReadonlyMap<number, Version> {
  const database = useDatabase()
  const send = useSend()
  useEffect(() => {
    if (wanted) void fetchServerRevisions(send, database, articleId).catch(() => {})
  }, [send, database, articleId, wanted])
  const list = useLocalQuery(
    () => (wanted ? readVersions(database, articleId) : []),
    [database, articleId, wanted],
  )
  return useMemo(
    () => new Map(list?.flatMap((one) => (one.server ? [[one.server.textVersion, one]] : []))),
    [list],
  )
}
