import { useSyncExternalStore } from 'react'

/** One value that components watch on its own, so that a change renders only what shows it. */
export type Signal<T> = {
  get: () => T
  /** Notifies the listeners, unless the value is unchanged. */
  set: (value: T) => void
  subscribe: (watch: () => void) => () => void
}

export function createSignal<T>(initial: T): Signal<T> {
  let value = initial
  const watchers = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const watch of watchers) watch()
    },
    subscribe(watch) {
      watchers.add(watch)
      return () => watchers.delete(watch)
    },
  }
}

export const useSignal = <T>(signal: Signal<T>): T =>
  useSyncExternalStore(signal.subscribe, signal.get)
