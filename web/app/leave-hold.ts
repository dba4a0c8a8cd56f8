/** A page with something unsaved, which asks before it is left. */
export type HeldPage = {
  /** Called on Back and Forward, before the router is notified. */
  onHistory: (event: PopStateEvent) => void
  /** Called when the user wants to sign out, which `go` does. */
  onSignOut: (go: () => void) => void
}

export type LeaveHold = {
  /** Returns how to end the hold. */
  hold: (page: HeldPage) => () => void
  /** Calls `go`, or leaves that to the page that is held. */
  signOut: (go: () => void) => void
}

/** To be created before the router: browsers call the listeners of a window in the order in which they came. */
export function createLeaveHold(window: Window): LeaveHold {
  let held: HeldPage | null = null
  window.addEventListener('popstate', (event) => held?.onHistory(event))
  return {
    hold(page) {
      held = page
      return () => {
        if (held === page) held = null
      }
    },
    signOut(go) {
      if (held) held.onSignOut(go)
      else go()
    },
  }
}
