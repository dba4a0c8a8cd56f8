import { useEffect, useState } from 'react'
import { useClock } from '../../../app/app-context.tsx'

/** Rows that are rendered in one task, to keep it short. */
const STEP = 25
/** More rows than fit on a large screen, so that the list can be scrolled. */
const FIRST = 2 * STEP

/**
 * Returns the rows to render: `STEP` at first, `FIRST` after the next task, and `STEP` more with each `showMore`. `goToEnd`
 * adds the missing rows, one step in each task, and then calls `focusLast`.
 */
export function useShownRows<T>(rows: readonly T[], focusLast: () => void) {
  const clock = useClock()
  const [count, setCount] = useState(STEP)
  const [goesToEnd, setGoesToEnd] = useState(false)
  const isWhole = count >= rows.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each step comes the next
  useEffect(() => {
    if (!isWhole && (goesToEnd || count < FIRST)) return clock.after(0, showMore)
    if (!goesToEnd) return undefined
    setGoesToEnd(false)
    focusLast()
    return undefined
  }, [goesToEnd, isWhole, count, clock])

  function showMore() {
    if (!isWhole) setCount((known) => known + STEP)
  }

  return { shown: rows.slice(0, count), showMore, goToEnd: () => setGoesToEnd(true) }
}
