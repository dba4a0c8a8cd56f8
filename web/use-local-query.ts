import { useObservable } from 'dexie-react-hooks'
import type { DependencyList } from 'react'
import { useClock } from './app/app-context.tsx'
import { throttledLiveQuery } from './throttled-live-query.ts'

/**
 * The result of `query` (JSON data), kept current with the local database; before the first one `known`, a result from
 * elsewhere. It runs at most once in `restMs`, however much changes.
 */
export function useLocalQuery<T>(
  query: () => T | Promise<T>,
  deps: DependencyList,
  restMs = 0,
  known?: T,
): T | undefined {
  const clock = useClock()
  const follow = () => throttledLiveQuery(query, clock, restMs, known)
  return useObservable(follow, [clock, restMs, ...deps], known)
}
