import { UnstyledButton } from '@mantine/core'
import { CircleHelp, LogOut, UserRound } from 'lucide-react'
import type { KeyboardEvent, Ref } from 'react'
import { Link } from 'react-router-dom'
import { initials } from '../../domain/access/session.ts'
import type { User } from '../../domain/wire/users.ts'
import { useNames } from '../app/app-context.tsx'
import { paths } from '../app/paths.ts'
import { InitialsCircle } from '../ui/people/initials-circle.tsx'
import classes from './account-panel.module.css'
import { InstallItem } from './install-item.tsx'
import { Schemes } from './schemes.tsx'
import { StorageKeeping } from './storage-keeping.tsx'

type AccountPanelProps = { user: User; onClose: () => void; onLogout: () => void }

/** The open account menu. The name is outside the list of items. */
export function AccountPanel({ user, ...items }: AccountPanelProps) {
  return (
    <>
      <div className={classes.person}>
        <InitialsCircle initials={initials(user.fullName)} size={40} />
        <div className={classes.names}>
          <div className={classes.name} dir="auto">
            {user.fullName}
          </div>
          <div className={classes.email}>{user.email}</div>
        </div>
      </div>
      <StorageKeeping place="note" />
      <Items {...items} />
    </>
  )
}

type ItemsProps = Omit<AccountPanelProps, 'user'>

function Items({ onClose, onLogout }: ItemsProps) {
  const { supportEmail } = useNames()
  function handleKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.key === 'Tab') return onClose()
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]')]
    const step = STEPS.get(event.key)
    if (step === undefined) return
    event.preventDefault()
    const now = items.indexOf(document.activeElement as HTMLElement)
    items.at((now + step) % items.length)?.focus()
  }

  return (
    <div role="menu" aria-label="Account" className={classes.items} onKeyDown={handleKeyDown}>
      <Link
        role="menuitem"
        tabIndex={-1}
        ref={focusFirst}
        to={paths.profile}
        className={classes.item}
        onClick={onClose}
      >
        <UserRound size={16} strokeWidth={1.6} aria-hidden="true" />
        Edit Account
      </Link>
      <Schemes />
      <StorageKeeping place="menu" onPress={onClose} />
      <InstallItem onPress={onClose} />
      {supportEmail !== '' && (
        <a
          role="menuitem"
          tabIndex={-1}
          href={`mailto:${supportEmail}`}
          className={classes.item}
          onClick={onClose}
        >
          <CircleHelp size={16} strokeWidth={1.6} aria-hidden="true" />
          Support
        </a>
      )}
      <UnstyledButton
        role="menuitem"
        tabIndex={-1}
        className={classes.item}
        onClick={() => {
          onClose()
          onLogout()
        }}
      >
        <LogOut size={16} strokeWidth={1.6} aria-hidden="true" />
        LOGOUT
      </UnstyledButton>
    </div>
  )
}

const STEPS = new Map([
  ['ArrowDown', 1],
  ['ArrowRight', 1],
  ['ArrowUp', -1],
  ['ArrowLeft', -1],
])

const focusFirst: Ref<HTMLAnchorElement> = (item) => item?.focus({ preventScroll: true })
