import { Button } from '@mantine/core'
import { House, LogIn } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router-dom'
import { useStore } from 'zustand'
import { useApp, useNames, useSession } from '../app-context.tsx'
import { paths } from '../paths.ts'
import { LogoMark, OwlMark } from '../ui/logo.tsx'
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
          <Suspense fallback={<span className={classes.accountPlace} />}>
            <AccountMenu user={session.user} />
          </Suspense>
        ) : (
          <Button
            component={Link}
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

const AccountMenu = lazy(async () => ({
  default: (await import('./account-menu.tsx')).AccountMenu,
}))
const KnownOffline = lazy(async () => ({
  default: (await import('./known-offline.tsx')).KnownOffline,
}))

/** Without an open local database there is nothing that other tabs could have noted in it. */
function OfflineSign() {
  const isOpen = useStore(useApp().workspace.store, ({ client }) => client !== null)
  return (
    <span role="status" className={classes.offline}>
      {isOpen ? (
        <Suspense>
          <KnownOffline />
        </Suspense>
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
