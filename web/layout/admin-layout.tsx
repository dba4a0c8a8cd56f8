import {
  Building2,
  CalendarDays,
  FileText,
  House,
  ListChecks,
  type LucideIcon,
  Mail,
  Moon,
  ScrollText,
  UsersRound,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { NavLink, Outlet } from 'react-router-dom'
import { useNames } from '../app/app-context.tsx'
import { clientsPath, paths } from '../app/paths.ts'
import classes from './admin-layout.module.css'
import { Frame, ScreenPlace } from './frame.tsx'

export function AdminLayout() {
  return (
    <Frame>
      <SideMenu />
      <ScreenPlace>
        <Outlet />
      </ScreenPlace>
    </Frame>
  )
}

function SideMenu() {
  const { supportEmail } = useNames()
  return (
    <nav className={classes.menu} aria-label="Administration">
      <Item to={paths.adminHome} icon={House}>
        Home
      </Item>
      <Item to={paths.adminArticles} icon={FileText}>
        Articles
      </Item>
      <Item to={paths.adminProgress} icon={ListChecks}>
        Progress
      </Item>
      <Item to={paths.adminUsers} icon={UsersRound}>
        Users
      </Item>
      <div className={classes.group}>Clients</div>
      <Item to={clientsPath('moonowl')} icon={Moon}>
        Moon & Owl Clients
      </Item>
      <Item to={clientsPath('external')} icon={Building2}>
        External Clients
      </Item>
      <div className={classes.group}>Records</div>
      <Item to={paths.adminMonthSheet} icon={CalendarDays}>
        Month sheet
      </Item>
      <Item to={paths.adminLog} icon={ScrollText}>
        Log
      </Item>
      {supportEmail !== '' && (
        <a className={`${classes.item} ${classes.support}`} href={`mailto:${supportEmail}`}>
          <Mail size={17} strokeWidth={1.6} aria-hidden="true" />
          Support
        </a>
      )}
    </nav>
  )
}

type ItemProps = { to: string; icon: LucideIcon; children: ReactNode }

/** The router marks the current one with `aria-current`. */
function Item({ to, icon: Icon, children }: ItemProps) {
  return (
    <NavLink to={to} className={classes.item ?? ''}>
      <Icon size={17} strokeWidth={1.6} aria-hidden="true" />
      {children}
    </NavLink>
  )
}
