import { type ComponentType, createElement, type ReactNode, useState } from 'react'
import { useApp } from '../app/app-context.tsx'
import { notices } from '../app/notices.ts'
import { useAbortableEffect } from './use-abortable-effect.ts'

/** By then the page is rendered, and the user is unlikely to have opened a dialog. */
const FETCHED_AFTER_MS = 500
const AGAIN_MS = 5_000
const AGAIN_MAX_MS = 60_000
/** A request that neither fails nor ends is not left without a word for longer. */
const SAID_AFTER_MS = 10_000

/** `quietly`: not by a press, so that nothing is said where it does not come. */
type Wanted = boolean | 'quietly'

/**
 * Code that the page can render without; null until it is loaded. It is loaded soon after the page is rendered and not
 * only when it is `wanted`: the connection may be gone by then. Once it is wanted it is loaded at once, and a failure
 * is shown until it succeeds. Failed loads are retried with increasing delays.
 */
export function useOnDemand<T>(fetch: () => Promise<T>, wanted: Wanted = false): T | null {
  const { clock, loadAgain } = useApp()
  const [fetched, setFetched] = useState<{ part: T } | null>(null)
  const isHere = fetched !== null
  useAbortableEffect(
    (signal) => {
      if (isHere) return
      let cancel = () => {}
      let pause = AGAIN_MS
      let said: number | null = null
      const fetchAfter = (ms: number) => {
        cancel = clock.after(ms, () => void fetch().then(keep, tryAgain))
      }
      const keep = (part: T) => {
        if (!signal.aborted) setFetched({ part })
      }
      const say = () => {
        if (wanted === true) said ??= sayMissing(loadAgain)
      }
      const tryAgain = () => {
        if (signal.aborted) return
        say()
        fetchAfter(pause)
        pause = Math.min(2 * pause, AGAIN_MAX_MS)
      }
      fetchAfter(wanted ? 0 : FETCHED_AFTER_MS)
      const unsaid = clock.after(SAID_AFTER_MS, say)
      return () => {
        cancel()
        unsaid()
        if (said !== null) notices.close(said)
      }
    },
    [clock, fetch, wanted, isHere, loadAgain],
  )
  return fetched?.part ?? null
}

const sayMissing = (run: () => void) =>
  notices.info('Couldn’t load part of this page', 'Still trying. Check your connection.', {
    actions: [{ label: 'Load again', run }],
  })

type OnDemandProps<P extends object> = {
  fetch: () => Promise<ComponentType<P>>
  props: P
  wanted?: Wanted
  /** Shown until the code is loaded. */
  instead?: ReactNode
}

/** A component that shows nothing at first, a closed dialog for one, or that the page can do without. */
export function OnDemand<P extends object>({ fetch, props, wanted, instead }: OnDemandProps<P>) {
  const Component = useOnDemand(fetch, wanted)
  return Component ? createElement(Component, props) : instead
}
