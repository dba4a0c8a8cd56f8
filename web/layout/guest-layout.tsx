import { Link, Outlet, useLocation } from 'react-router-dom'
import { useNames } from '../app/app-context.tsx'
import { paths } from '../app/paths.ts'
import { Frame, ScreenPlace } from './frame.tsx'
import classes from './guest-layout.module.css'
import { NightPanel } from './night-panel.tsx'

export function GuestLayout() {
  return (
    <Frame>
      <NightPanel />
      <ScreenPlace className={classes.side}>
        <div className={classes.page}>
          <div className={classes.column}>
            <Outlet />
          </div>
          <Foot />
        </div>
      </ScreenPlace>
    </Frame>
  )
}

function Foot() {
  const { productName, supportEmail } = useNames()
  const isAbout = useLocation().pathname === paths.guestHome
  if (isAbout && supportEmail === '') return null
  return (
    <footer className={classes.foot}>
      {!isAbout && <Link to={paths.guestHome}>About {productName}</Link>}
      {supportEmail !== '' && <a href={`mailto:${supportEmail}`}>Support</a>}
    </footer>
  )
}
