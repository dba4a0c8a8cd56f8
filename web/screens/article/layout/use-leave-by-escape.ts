import { useEffect, useRef } from 'react'
import { isModalOpen, isOfInputMethod } from '../../../keys.ts'

/** From everywhere on the page, the text included, unless something above the page closes by it first. */
export function useLeaveByEscape(leave: () => void): void {
  const handler = useRef<(event: KeyboardEvent) => void>(null)
  handler.current = (event) => {
    if (event.key !== 'Escape' || isOfInputMethod(event)) return
    if (isModalOpen() || document.querySelector('[popover=auto]:popover-open')) return
    leave()
  }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handler.current?.(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
