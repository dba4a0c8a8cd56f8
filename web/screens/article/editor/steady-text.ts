import { type RefObject, useEffect } from 'react'

/**
 * Keeps the lines under the writer's eyes where they are when a banner above the sheet comes or goes: the
 * text scrolls by as much as its window moved. Only while somebody writes in it.
 */
export function useSteadyText(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    // Known when the observer speaks first, once the page is laid out: asked here, all of it would be laid out for it.
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
