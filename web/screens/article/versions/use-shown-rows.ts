import { useEffect, useState } from 'react'
import { useClock } from '../../../app/app-context.tsx'

/** So few that the page stays responsive while they are added. */
const STEP = 25
/** More than fit on a large screen, so that there is something to scroll. */
const FIRST = 2 * STEP

/**
 * The rows that are in the page: `FIRST` soon, and more with each `showMore`. `goToEnd` adds all that are missing,
 * in a task for each step, and then calls `focusLast`.
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
