import { useEffect, useState } from 'react'
import { whenIdle } from '../../../ui/when-idle.ts'

/** So few that the page stays responsive while they are added. */
const STEP = 50

/**
 * The rows that are in the page: the first ones, and more with each `showMore`. `goToEnd` adds all that are missing while
 * the browser is idle, and then calls `focusLast`.
 */
export function useShownRows<T>(rows: readonly T[], focusLast: () => void) {
  const [count, setCount] = useState(STEP)
  const [goesToEnd, setGoesToEnd] = useState(false)
  const isWhole = count >= rows.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each step comes the next
  useEffect(() => {
    if (!goesToEnd) return undefined
    if (!isWhole) return whenIdle(showMore)
    setGoesToEnd(false)
    focusLast()
    return undefined
  }, [goesToEnd, isWhole, count])

  function showMore() {
    if (!isWhole) setCount((known) => known + STEP)
  }

  return { shown: rows.slice(0, count), showMore, goToEnd: () => setGoesToEnd(true) }
}
