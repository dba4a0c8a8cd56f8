import { Button } from '@mantine/core'
import { CloudOff, House, LogIn } from 'lucide-react'
import { Link } from 'react-router-dom'
import { useNames, useSession } from '../app-context.tsx'
import { paths } from '../paths.ts'
import { LogoMark, OwlMark } from '../ui/logo.tsx'
import { AccountMenu } from './account-menu.tsx'
import classes from './header.module.css'
import { useOffline } from './use-offline.ts'

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
        <OwlMark size={16} />
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
          <AccountMenu user={session.user} />
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

function OfflineSign() {
  const offline = useOffline()
  return (
    <span role="status" className={classes.offline}>
      {offline && (
        <>
          <CloudOff size={16} strokeWidth={1.7} aria-hidden="true" />
          Offline
        </>
      )}
    </span>
  )
}
