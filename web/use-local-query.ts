import { liveQuery } from 'dexie'
import { type DependencyList, useEffect, useState } from 'react'
import { useClock } from './app-context.tsx'

const AGAIN_MS = 1_000

/**
 * The answer of `query` (JSON data), kept current with the local database; undefined before the first. An
 * answer like the one before stays that one, so that a save draws nothing anew. A database that fails for a
 * while must not take the page with it: the last answer stays, and the query is tried again.
 */
export function useLocalQuery<T>(query: () => T | Promise<T>, deps: DependencyList): T | undefined {
  const clock = useClock()
  const [answer, setAnswer] = useState<{ value: T; json: string | undefined }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller names what the query depends on
  useEffect(() => {
    let stop = () => {}
    const ask = () => {
      const asked = liveQuery(query).subscribe({
        next: (value) => {
          const json = JSON.stringify(value)
          setAnswer((before) => (before && before.json === json ? before : { value, json }))
        },
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
