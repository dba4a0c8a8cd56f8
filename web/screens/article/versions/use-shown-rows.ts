import { useEffect, useState } from 'react'
import { useClock } from '../../../app/app-context.tsx'

/** Rows that are rendered in one task, to keep it short. */
const STEP = 10
/** More rows than fit on a large screen, so that the list can be scrolled. */
const SCREEN = 50

/**
 * Returns the rows to render. Each task adds `STEP` rows, up to `SCREEN` at first and `SCREEN` more per `showMore`.
 * `goToEnd` adds all remaining rows and then calls `focusLast`.
 */
export function useShownRows<T>(rows: readonly T[], focusLast: () => void) {
  const clock = useClock()
  const [count, setCount] = useState(STEP)
  const [wanted, setWanted] = useState(SCREEN)
  const isWhole = count >= rows.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each step comes the next
  useEffect(() => {
    if (!isWhole && count < wanted) return clock.after(0, () => setCount((known) => known + STEP))
    if (wanted === Number.POSITIVE_INFINITY) {
      setWanted(count)
      focusLast()
    }
    return undefined
  }, [wanted, isWhole, count, clock])

  return {
    shown: rows.slice(0, count),
    showMore: () => setWanted((known) => Math.max(known, count + SCREEN)),
    goToEnd: () => setWanted(Number.POSITIVE_INFINITY),
  }
}
