import { type RefObject, useEffect } from 'react'

/**
 * Keeps the visible lines in place when a banner above the sheet appears or disappears: the text scrolls by as much as
 * its viewport moved. Only while the text has the focus.
 */
export function useScrollAnchoring(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    // Read in the first ResizeObserver callback; reading it here would force a synchronous layout.
    let top: number | null = null
    const observer = new ResizeObserver(() => {
      const { top: newTop } = element.getBoundingClientRect()
      const moved = newTop - (top ?? newTop)
      top = newTop
      if (moved !== 0 && element.contains(document.activeElement)) element.scrollTop += moved
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
}
