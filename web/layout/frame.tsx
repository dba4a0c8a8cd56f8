import {
  createContext,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { useLocation } from 'react-router-dom'
import { useNotices } from '../app/notices.ts'
import { LoadingRing } from '../ui/page/loading-ring.tsx'
import { ExpiryBanner } from './expiry-banner.tsx'
import classes from './frame.module.css'
import { Header } from './header.tsx'

/** Header, page-wide banner and below them the layout's own part. */
export function Frame({ children }: { children: ReactNode }) {
  const [side, setSide] = useState<HTMLElement | null>(null)
  return (
    <div className={classes.frame}>
      <button type="button" className={classes.skip} onClick={skipToMain}>
        Skip to content
      </button>
      <Header />
      <ExpiryBanner />
      <div className={classes.body}>
        <div ref={setSide} className={classes.side} />
        <SideContext value={side}>{children}</SideContext>
      </div>
    </div>
  )
}

const skipToMain = () => document.querySelector('main')?.focus()

const SideContext = createContext<HTMLElement | null>(null)

/** Puts a screen's `aside` to the left of `main`: a landmark may not be nested in another. */
export function ScreenAside({ children }: { children: ReactNode }) {
  const side = useContext(SideContext)
  return side && createPortal(children, side)
}

const DrawnContext = createContext<(drawn: boolean) => void>(() => {})

/**
 * While `waiting`, the screen is shown without the ring although the loading flag is set: it draws its own placeholder.
 */
export function useDrawnWaiting(waiting: boolean): void {
  const setDrawn = useContext(DrawnContext)
  // Cleaned up also when the screen is hidden because the next one is still fetched.
  useLayoutEffect(() => {
    if (!waiting) return undefined
    setDrawn(true)
    return () => setDrawn(false)
  }, [waiting, setDrawn])
}

/** The history key of a location that was not reached from another page. */
const FIRST_KEY = 'default'

/**
 * Moves the focus to the start of a page that was reached from another one, for the next Tab and for screen readers. A
 * screen, a dialog or a menu that has the focus already keeps it.
 */
function useFocusOnArrival(hidden: boolean) {
  const main = useRef<HTMLElement>(null)
  const { pathname, key } = useLocation()
  const hasCome = key !== FIRST_KEY
  // biome-ignore lint/correctness/useExhaustiveDependencies: every path is another page
  useEffect(() => {
    if (hidden || !hasCome || document.activeElement?.closest('main, [role=dialog], [role=menu]'))
      return
    main.current?.focus({ preventScroll: true })
  }, [pathname, hidden, hasCome])
  return main
}

/** The place of a screen. While the app-wide loading flag is set it shows the ring instead. */
export function ScreenPlace({
  className,
  children,
}: {
  className?: string | undefined
  children: ReactNode
}) {
  const loading = useNotices((state) => state.loading)
  const [drawn, setDrawn] = useState(false)
  const hidden = loading && !drawn
  const main = useFocusOnArrival(hidden)
  return (
    <main
      ref={main}
      tabIndex={-1}
      className={[classes.main, className].filter(Boolean).join(' ')}
      aria-busy={loading}
    >
      {hidden && (
        <div className={classes.waiting}>
          <LoadingRing />
        </div>
      )}
      <div className={classes.screen} data-loading={hidden}>
        {/* No fallback: navigating to a page that is not loaded yet sets the loading flag. */}
        <DrawnContext value={setDrawn}>
          <Suspense>{children}</Suspense>
        </DrawnContext>
      </div>
    </main>
  )
}
