import { useEffect, useMemo } from 'react'
import { fetchServerRevisions } from '../../../../sync/history/server-revisions.ts'
import { listedOf } from '../../../../sync/store/revisions.ts'
import { useDatabase, useSend } from '../../../app/app-context.tsx'
import { useLocalQuery } from '../../../use-local-query.ts'

/**
 * When the versions of the server were saved, by their number, in milliseconds since 1970, as far as that is known here;
 * none unless they are `wanted`.
 */
export function useEarlierVersions(
  articleId: string,
  wanted: boolean,
): ReadonlyMap<number, number> {
  const database = useDatabase()
  const send = useSend()
  useEffect(() => {
    if (wanted) void fetchServerRevisions(send, database, articleId).catch(() => {})
  }, [send, database, articleId, wanted])
  const times = useLocalQuery(async () => {
    const listed = wanted ? await listedOf(database, articleId).toArray() : []
    return listed.map(({ textVersion, createdAt }) => [textVersion, Date.parse(createdAt)] as const)
  }, [database, articleId, wanted])
  return useMemo(() => new Map(times), [times])
}
