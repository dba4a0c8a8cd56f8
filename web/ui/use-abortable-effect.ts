import { type DependencyList, useEffect } from 'react'

/**
 * An effect with a signal that is aborted before the next run and on unmount: late results are dropped by checking it.
 * Its dependencies are checked like those of `useEffect` (biome.json).
 */
export function useAbortableEffect(
  effect: (signal: AbortSignal) => (() => void) | undefined,
  deps: DependencyList,
): void {
  useEffect(() => {
    const abort = new AbortController()
    const cleanUp = effect(abort.signal)
    return () => {
      abort.abort()
      cleanUp?.()
    }
    // biome-ignore lint/correctness/useExhaustiveDependencies: they are those of the caller
  }, deps)
}
