import { useRef, useState } from 'react'

/**
 * A list that stays as it is while the pointer is on it, so that no new row moves another one under the pointer.
 * `handlers` are for the element around the rows.
 */
export function useSteadyList<T>(list: readonly T[] | null) {
  const [isPointedAt, setPointedAt] = useState(false)
  const steady = useRef(list)
  if (!isPointedAt || !steady.current) steady.current = list
  return {
    list: steady.current,
    handlers: {
      onPointerEnter: () => setPointedAt(true),
      onPointerLeave: () => setPointedAt(false),
    },
  }
}
