import { type RefCallback, type RefObject, useCallback } from 'react'

/**
 * For a control that goes away while it has the focus, most often because it was pressed: the focus goes to the first
 * button in `heir`, or to `heir` itself. Otherwise it would fall out of the page, and whoever works by keys would
 * begin anew at its top. Nobody takes it when there is no `heir`.
 */
export function useFocusHeir(heir?: RefObject<HTMLElement | null>): RefCallback<HTMLElement> {
  return useCallback(
    (control) => () => {
      if (!control?.contains(document.activeElement)) return
      // What takes its place is drawn in the same moment.
      queueMicrotask(() => {
        const place = heir?.current
        const button = place?.querySelector<HTMLElement>('button:not(:disabled)')
        const target = button ?? place
        target?.focus({ preventScroll: true })
      })
    },
    [heir],
  )
}
