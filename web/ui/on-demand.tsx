import { type ComponentType, createElement, useEffect, useState } from 'react'
import { useClock } from '../app-context.tsx'

/** The page stands by then, and nobody has opened a dialog yet. */
const FETCHED_AFTER_MS = 500

type OnDemandProps<P extends object> = { fetch: () => Promise<ComponentType<P>>; props: P }

/**
 * A component that shows nothing at first, a closed dialog for one. Its code is fetched soon after the page
 * stands and not only when it opens: the connection may be gone by then.
 */
export function OnDemand<P extends object>({ fetch, props }: OnDemandProps<P>) {
  const clock = useClock()
  const [fetched, setFetched] = useState<{ Component: ComponentType<P> } | null>(null)
  useEffect(() => {
    let wanted = true
    const show = (Component: ComponentType<P>) => wanted && setFetched({ Component })
    const cancel = clock.after(FETCHED_AFTER_MS, () => void fetch().then(show, () => {}))
    return () => {
      wanted = false
      cancel()
    }
  }, [clock, fetch])
  return fetched && createElement(fetched.Component, props)
}
