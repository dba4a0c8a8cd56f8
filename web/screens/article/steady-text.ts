import { type RefObject, useEffect } from 'react'

/**
 * Keeps the lines under the writer's eyes where they are when a banner above the sheet comes or goes: the
 * text scrolls by as much as its window moved. Only while somebody writes in it.
 */
export function useSteadyText(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let top = element.getBoundingClientRect().top
    const observer = new ResizeObserver(() => {
      const moved = element.getBoundingClientRect().top - top
      top += moved
      if (moved !== 0 && element.contains(document.activeElement)) element.scrollTop += moved
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
}
