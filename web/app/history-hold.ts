/** Calls the listener on Back and Forward, before the router is notified. Returns how to end that. */
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
