import { liveQuery } from 'dexie'
import { type DependencyList, useEffect, useState } from 'react'
import { useClock } from './app-context.tsx'

const AGAIN_MS = 1_000

/**
 * The answer of `query`, kept current with the local database; undefined before the first. A database that
 * fails for a while must not take the page with it: the last answer stays, and the query is tried again.
 */
export function useLocalQuery<T>(query: () => T | Promise<T>, deps: DependencyList): T | undefined {
  const clock = useClock()
  const [answer, setAnswer] = useState<{ value: T }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller names what the query depends on
  useEffect(() => {
    let stop = () => {}
    const ask = () => {
      const asked = liveQuery(query).subscribe({
        next: (value) => setAnswer({ value }),
        error: () => {
          stop = clock.after(AGAIN_MS, ask)
        },
      })
      stop = () => asked.unsubscribe()
    }
    ask()
    return () => stop()
  }, [clock, ...deps])
  return answer?.value
}
