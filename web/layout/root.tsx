import { useLayoutEffect, useRef } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { notices } from '../notices.ts'
import { Snackbars } from './snackbars.tsx'
import { TooSmallNotice } from './too-small-notice.tsx'

/** Around every screen. */
export function Root() {
  return (
    <>
      <Leaving />
      <Outlet />
      <Snackbars />
      <TooSmallNotice />
    </>
  )
}

/** Its effect runs before those of the next screen, which stands behind it and may end the loading at once. */
function Leaving() {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useLayoutEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    notices.leavePage()
    notices.startLoading()
  }, [pathname])
  return null
}
