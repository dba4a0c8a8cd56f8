import { type RefCallback, type RefObject, useCallback } from 'react'

/**
 * For a control that disappears while it has the focus, most often because it was pressed: the focus moves to the first
 * button in `fallback`, or to `fallback` itself. Otherwise the page would lose it, and the next Tab would start at its
 * top. Without a `fallback` no element takes it.
 */
export function useFocusFallback(
  fallback?: RefObject<HTMLElement | null>,
): RefCallback<HTMLElement> {
  return useCallback(
    (control) => () => {
      if (!control?.contains(document.activeElement)) return
      // What replaces the control is rendered in the same task.
      queueMicrotask(() => {
        // What replaces it may have taken the focus.
        if (document.activeElement !== document.body) return
        const place = fallback?.current
        const button = place?.querySelector<HTMLElement>('button:not(:disabled)')
        const target = button ?? place
        target?.focus({ preventScroll: true })
      })
    },
    [fallback],
  )
}
