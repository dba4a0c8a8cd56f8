import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useLayoutEffect } from 'react'
import { createPortal } from 'react-dom'
import { useStore } from 'zustand'
import { useApp } from '../app/app-context.tsx'
import { OnDemand } from '../ui/on-demand.tsx'
import classes from './too-small-notice.module.css'

const LEAST_WIDTH = 1280

const fetchWords = async () => (await import('./too-small-words.tsx')).TooSmallWords

/**
 * Below 1280 px it covers the app (spec section 1), which stays mounted behind it: open texts are written to disk and
 * everything is back when the window is wide again. On a screen that is wide enough the width is the user's own choice
 * (zoom, for example), so the app can be shown all the same. That holds for all tabs, since every article opens in its
 * own tab, until a window is wide enough again.
 */
export function TooSmallNotice() {
  // Printing narrows the viewport; paper is not a small screen.
  const wide = useMediaQuery(`print, (min-width: ${LEAST_WIDTH}px)`, true, {
    getInitialValueInEffect: false,
  })
  const { workspace, shownAnyway, showAnyway } = useApp()
  const mayShowAnyway = window.screen.width >= LEAST_WIDTH
  const anyway = useStore(shownAnyway) && mayShowAnyway
  const covered = !wide && !anyway

  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-covered', covered)
  }, [covered])

  useEffect(() => {
    if (covered) void workspace.store.getState().client?.flush()
  }, [covered, workspace])

  useEffect(() => {
    if (wide && window.innerWidth >= LEAST_WIDTH) showAnyway(false)
  }, [wide, showAnyway])

  if (!covered) return null
  return createPortal(
    <main id="too-small" className={classes.notice}>
      <OnDemand
        fetch={fetchWords}
        props={{ leastWidth: LEAST_WIDTH, onShow: mayShowAnyway ? () => showAnyway(true) : null }}
        wanted="quietly"
      />
    </main>,
    document.body,
  )
}
