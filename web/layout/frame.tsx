import { createContext, type ReactNode, Suspense, useContext, useState } from 'react'
import { createPortal } from 'react-dom'
import { useNotices } from '../notices.ts'
import { LoadingRing } from '../ui/loading-ring.tsx'
import { ExpiryBanner } from './expiry-banner.tsx'
import classes from './frame.module.css'
import { Header } from './header.tsx'

/** Header, page-wide banner and below them the layout's own part. */
export function Frame({ children }: { children: ReactNode }) {
  const [side, setSide] = useState<HTMLElement | null>(null)
  return (
    <div className={classes.frame}>
      <Header />
      <ExpiryBanner />
      <div className={classes.body}>
        <div ref={setSide} className={classes.side} />
        <SideContext value={side}>{children}</SideContext>
      </div>
    </div>
  )
}

const SideContext = createContext<HTMLElement | null>(null)

/** Puts a screen's `aside` to the left of `main`: a landmark of its own may not stand inside another. */
export function Beside({ children }: { children: ReactNode }) {
  const side = useContext(SideContext)
  return side && createPortal(children, side)
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
  return (
    <main className={[classes.main, className].filter(Boolean).join(' ')} aria-busy={loading}>
      {loading && (
        <div className={classes.waiting}>
          <LoadingRing />
        </div>
      )}
      <div className={classes.screen} data-loading={loading}>
        {/* Whoever comes to a page that is not here yet has left the one before: the flag is set. */}
        <Suspense>{children}</Suspense>
      </div>
    </main>
  )
}
