import { useState } from 'react'

/**
 * Holds a list as it is while the pointer is on it, so that no new row moves another one under the pointer. `handlers` are
 * for the element around the rows.
 */
export function useSteadyList<T>(list: readonly T[] | null) {
  const [held, setHeld] = useState<readonly T[] | null>(null)
  return {
    list: held ?? list,
    handlers: {
      onPointerMove: () => setHeld(held ?? list),
      onPointerLeave: () => setHeld(null),
    },
  }
}
