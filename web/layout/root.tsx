import { useLayoutEffect, useRef } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { notices, useNotices } from '../app/notices.ts'
import { OnDemand } from '../ui/on-demand.tsx'
import { TooSmallNotice } from './too-small-notice.tsx'

/** Around every screen. */
export function Root() {
  return (
    <>
      <Leaving />
      <Outlet />
      <Messages />
      <TooSmallNotice />
    </>
  )
}

const fetchSnackbars = async () => (await import('./snackbars.tsx')).Snackbars
const NO_PROPS = {}

/** Loaded on demand: messages wait until the code is there. */
function Messages() {
  const wanted = useNotices(({ list }) => list.length > 0)
  return <OnDemand wanted={wanted && 'quietly'} fetch={fetchSnackbars} props={NO_PROPS} />
}

/** Rendered before the next screen so that its effect runs first: that screen may end the loading at once. */
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
