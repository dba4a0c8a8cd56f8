/** Hears of Back and Forward before the router; returns how to stop. */
export type HoldHistory = (listener: (event: PopStateEvent) => void) => () => void

/** To be created before the router: browsers call the listeners of a window in the order in which they came. */
export function createHistoryHold(window: Window): HoldHistory {
  let held: ((event: PopStateEvent) => void) | null = null
  window.addEventListener('popstate', (event) => held?.(event))
  return (listener) => {
    held = listener
    return () => {
      if (held === listener) held = null
    }
  }
}
