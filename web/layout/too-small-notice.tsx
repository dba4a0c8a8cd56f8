import { useMediaQuery } from '@mantine/hooks'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { useStore } from 'zustand'
import { useApp, useNames } from '../app-context.tsx'
import { OwlMark } from '../ui/logo.tsx'
import { Moon } from '../ui/moon.tsx'
import { MoonPhases } from '../ui/moon-phases.tsx'
import classes from './too-small-notice.module.css'

const LEAST_WIDTH = 1280

/**
 * Below 1280 px it covers the app (spec section 1), which stays as it is behind it: open texts are
 * written to disk and everything is back when the window is wide again. On a screen that is wide enough
 * the width is the person's own choice (zoom, for one), so the app can be shown all the same. That holds
 * for all tabs, since every article opens in one of its own, until a window is wide enough again.
 */
export function TooSmallNotice() {
  const wide = useMediaQuery(`(min-width: ${LEAST_WIDTH}px)`, true, {
    getInitialValueInEffect: false,
  })
  const { workspace, shownAnyway, showAnyway } = useApp()
  const mayShowAnyway = window.screen.width >= LEAST_WIDTH
  const anyway = useStore(shownAnyway) && mayShowAnyway
  const covered = !wide && !anyway

  useEffect(() => {
    if (covered) void workspace.store.getState().client?.flush()
  }, [covered, workspace])

  useEffect(() => {
    if (wide) showAnyway(false)
  }, [wide, showAnyway])

  if (!covered) return null
  return createPortal(
    <Notice onShow={mayShowAnyway ? () => showAnyway(true) : null} />,
    document.body,
  )
}

function Notice({ onShow }: { onShow: (() => void) | null }) {
  const { productName, agencyName } = useNames()
  return (
    <main id="too-small" className={classes.notice}>
      <Crescent />
      <h1 className={classes.words}>
        <span className={classes.sorry}>We're sorry...</span>{' '}
        <span className={classes.reason}>
          designed for larger screens and does not work well on mobile phones or tablets
        </span>
      </h1>
      <p className={classes.own}>
        {productName} opens in a window that is at least {LEAST_WIDTH} pixels wide. What you have
        written is kept.
      </p>
      {onShow && (
        <button type="button" className={classes.show} onClick={onShow}>
          Show it anyway
        </button>
      )}
      <MoonPhases size={11} gap={12} night />
      <p className={classes.agency}>
        <OwlMark />
        Powered by {agencyName}
      </p>
    </main>
  )
}

function Crescent() {
  return (
    <div className={classes.crescent}>
      <svg
        width="150"
        height="150"
        viewBox="-75 -75 150 150"
        fill="none"
        stroke="#2c5d63"
        aria-hidden="true"
      >
        <circle r="74" />
        <circle r="60" />
      </svg>
      <Moon size={88} k={0.18} tone="warn" />
    </div>
  )
}
