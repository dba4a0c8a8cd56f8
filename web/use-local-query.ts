import { useObservable } from 'dexie-react-hooks'
import type { DependencyList } from 'react'
import { useClock } from './app-context.tsx'
import { patientQuery } from './patient-query.ts'

/**
 * The answer of `query` (JSON data), kept current with the local database; undefined before the first. After a
 * change it rests for `restMs`, however much changes meanwhile.
 */
export function useLocalQuery<T>(
  query: () => T | Promise<T>,
  deps: DependencyList,
  restMs = 0,
): T | undefined {
  const clock = useClock()
  return useObservable(() => patientQuery(query, clock, restMs), [clock, restMs, ...deps])
}
