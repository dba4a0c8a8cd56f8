import { useObservable } from 'dexie-react-hooks'
import type { DependencyList } from 'react'
import { useClock } from './app/app-context.tsx'
import { patientQuery } from './patient-query.ts'

/**
 * The answer of `query` (JSON data), kept current with the local database; before the first one `known`, an answer from
 * elsewhere. After a change it rests for `restMs`, however much changes meanwhile.
 */
export function useLocalQuery<T>(
  query: () => T | Promise<T>,
  deps: DependencyList,
  restMs = 0,
  known?: T,
): T | undefined {
  const clock = useClock()
  const follow = () => patientQuery(query, clock, restMs, known)
  return useObservable(follow, [clock, restMs, ...deps], known)
}
