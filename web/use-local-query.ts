import { liveQuery } from 'dexie'
import { useObservable } from 'dexie-react-hooks'
import type { DependencyList } from 'react'
import type { Clock } from '../sync/ports.ts'
import { useClock } from './app-context.tsx'

const AGAIN_MS = 1_000

/** The answer of `query` (JSON data), kept current with the local database; undefined before the first. */
export function useLocalQuery<T>(query: () => T | Promise<T>, deps: DependencyList): T | undefined {
  const clock = useClock()
  return useObservable(() => patient(query, clock), [clock, ...deps])
}

/**
 * An answer like the one before is not told, so that a save draws nothing anew. A database that fails for a
 * while must not take the page with it: the last answer stays, and the query is tried again.
 */
function patient<T>(query: () => T | Promise<T>, clock: Clock) {
  return {
    // Else the hook would ask once more to find that out.
    hasValue: () => false,
    subscribe(tell: (answer: T) => void) {
      let last: string | undefined
      let stop = () => {}
      const ask = () => {
        const asked = liveQuery(query).subscribe({
          next: (answer) => {
            const json = JSON.stringify(answer)
            if (json === last) return
            last = json
            tell(answer)
          },
          error: () => {
            stop = clock.after(AGAIN_MS, ask)
          },
        })
        stop = () => asked.unsubscribe()
      }
      ask()
      return () => stop()
    },
  }
}
