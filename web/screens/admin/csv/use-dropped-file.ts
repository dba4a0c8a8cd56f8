import { type RefObject, useEffect, useState } from 'react'

/**
 * Takes the first file that is dropped anywhere on the page, or on the dialog around `place`. True while one is held over
 * it.
 */
export function useDroppedFile(
  take: (file: File) => void,
  place?: RefObject<HTMLElement | null>,
): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const target = place
      ? place.current?.closest<HTMLElement>('[role="dialog"]')
      : document.documentElement
    if (!target) return
    const hasFile = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
    function accept(event: DragEvent) {
      if (!hasFile(event)) return
      event.preventDefault()
      setOver(true)
    }
    function leave({ relatedTarget }: DragEvent) {
      // Only when it leaves the window, not from one element to the next.
      if (relatedTarget === null) setOver(false)
    }
    function drop(event: DragEvent) {
      setOver(false)
      const [file] = event.dataTransfer?.files ?? []
      if (!file) return
      event.preventDefault()
      take(file)
    }
    target.addEventListener('dragover', accept)
    target.addEventListener('dragleave', leave)
    target.addEventListener('drop', drop)
    return () => {
      target.removeEventListener('dragover', accept)
      target.removeEventListener('dragleave', leave)
      target.removeEventListener('drop', drop)
    }
  }, [take, place])
  return isOver
}
