import { useState } from 'react'

/**
 * Holds a list as it is while the pointer is on it, so that no new row moves another one under the pointer. `source`: the
 * search, page and order of the list; with another one the new list is shown at once. `handlers` are for the element around
 * the rows.
 */
export function useSteadyList<T>(list: readonly T[] | null, source: unknown = null) {
  const [held, setHeld] = useState<Held<T> | null>(null)
  const isHeld = held !== null && held.source === source
  return {
    list: isHeld ? held.list : list,
    handlers: {
      onPointerMove: () => {
        if (!isHeld && list) setHeld({ list, source })
      },
      onPointerLeave: () => setHeld(null),
    },
  }
}

type Held<T> = { list: readonly T[]; source: unknown }

/** As `useSteadyList`, with the rows as they are now and without those that are gone: only new rows and a new order wait. */
export function useSteadyRows<T>(
  rows: readonly T[] | undefined,
  { keyOf, source }: { keyOf: (row: T) => unknown; source: unknown },
) {
  const { list, handlers } = useSteadyList(rows ?? null, source)
  if (!rows || !list || list === rows) return { rows, handlers }
  const now = new Map(rows.map((row) => [keyOf(row), row]))
  const steady = list.flatMap((row) => now.get(keyOf(row)) ?? [])
  return { rows: steady.length > 0 ? steady : rows, handlers }
}
