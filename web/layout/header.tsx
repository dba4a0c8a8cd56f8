import { Button } from '@mantine/core'
import { House, LogIn } from 'lucide-react'
import { Link } from 'react-router-dom'
import { useStore } from 'zustand'
import { useApp, useNames, useSession } from '../app/app-context.tsx'
import { paths } from '../app/paths.ts'
import { GuestLink } from '../ui/buttons/guest-link.tsx'
import { OnDemand } from '../ui/on-demand.tsx'
import { LogoMark, OwlMark } from '../ui/page/logo.tsx'
import classes from './header.module.css'
import { Offline } from './offline.tsx'

export function Header() {
  const { productName, agencyName } = useNames()
  const session = useSession()
  return (
    <header className={classes.header}>
      <span className={classes.mark}>
        <LogoMark />
      </span>
      <span className={classes.product}>{productName}</span>
      <span className={classes.agency}>
        <OwlMark />
        Powered by {agencyName}
      </span>
      <nav className={classes.actions} aria-label="Main">
        <OfflineSign />
        <Button
          component={Link}
          to={paths.landing}
          variant="subtle"
          className={classes.home}
          leftSection={<House size={17} strokeWidth={1.6} />}
        >
          Home
        </Button>
        {session ? (
          <OnDemand
            wanted="quietly"
            fetch={fetchAccountMenu}
            props={{ user: session.user }}
            instead={<span className={classes.accountPlace} />}
          />
        ) : (
          <Button
            component={GuestLink}
            to={paths.login}
            variant="default"
            px={14}
            leftSection={<LogIn size={16} strokeWidth={1.7} />}
          >
            Login
          </Button>
        )}
      </nav>
    </header>
  )
}

const fetchAccountMenu = async () => (await import('./account-menu.tsx')).AccountMenu
const fetchKnownOffline = async () => (await import('./known-offline.tsx')).KnownOffline
const NO_PROPS = {}

/** Without an open local database there is nothing that other tabs could have noted in it. */
function OfflineSign() {
  const isOpen = useStore(useApp().workspace.store, ({ client }) => client !== null)
  return (
    <span role="status" className={classes.offline}>
      {isOpen ? (
        <OnDemand wanted="quietly" fetch={fetchKnownOffline} props={NO_PROPS} />
      ) : (
        <OwnOffline />
      )}
    </span>
  )
}

function OwnOffline() {
  const { cutOff, unanswered } = useStore(useApp().connection.store)
  return (cutOff || unanswered) && <Offline />
}
