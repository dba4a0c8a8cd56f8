import { Outlet } from 'react-router-dom'
import { Snackbars } from './snackbars.tsx'
import { TooSmallNotice } from './too-small-notice.tsx'

/** Around every screen. */
export function Root() {
  return (
    <>
      <Outlet />
      <Snackbars />
      <TooSmallNotice />
    </>
  )
}
