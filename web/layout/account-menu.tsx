import { UnstyledButton } from '@mantine/core'
import { ChevronDown, LogOut, UserRound } from 'lucide-react'
import type { ComponentType, KeyboardEvent, Ref } from 'react'
import { Link } from 'react-router-dom'
import { initials } from '../../domain/session.ts'
import type { User } from '../../domain/wire-users.ts'
import { once } from '../once.ts'
import { paths } from '../paths.ts'
import { InitialsCircle } from '../ui/initials-circle.tsx'
import { OnDemand, useOnDemand } from '../ui/on-demand.tsx'
import { PanelButton } from '../ui/panel-button.tsx'
import classes from './account-menu.module.css'
import { useSignOut } from './use-sign-out.ts'

/** With the part that a logout needs while there is no connection. */
const signOutDialog = once(async () => {
  const parts = [import('./sign-out-dialog.tsx'), import('../logout-notes.ts')] as const
  return (await Promise.all(parts))[0].SignOutDialog
})

const fetchSchemes = once(async () => (await import('./schemes.tsx')).Schemes)
const storageKeeping = async () => (await import('./storage-keeping.tsx')).StorageKeeping

/** Who is logged in, and what to do about it. The name is outside the list of items. */
export function AccountMenu({ user }: { user: User }) {
  const signingOut = useSignOut()
  const letters = initials(user.fullName)
  const Schemes = useOnDemand(fetchSchemes)
  return (
    <>
      <PanelButton
        place="bottom-end"
        width={304}
        offset={4}
        className={classes.target}
        aria-label={`Account of ${user.fullName}`}
        aria-haspopup="menu"
        panelClass={classes.dropdown ?? ''}
        panel={(close) => (
          <>
            <div className={classes.person}>
              <InitialsCircle initials={letters} size={40} />
              <div className={classes.names}>
                <div className={classes.name} dir="auto">
                  {user.fullName}
                </div>
                <div className={classes.email}>{user.email}</div>
              </div>
            </div>
            <OnDemand wanted="quietly" fetch={storageKeeping} props={{ place: 'note' }} />
            <Items Schemes={Schemes} onClose={close} onLogout={signingOut.begin} />
          </>
        )}
      >
        <InitialsCircle initials={letters} size={32} />
        <ChevronDown size={14} strokeWidth={1.7} aria-hidden="true" />
      </PanelButton>
      <OnDemand fetch={storageKeeping} props={{ place: 'page' }} />
      <OnDemand fetch={signOutDialog} wanted={signingOut.step.kind !== 'idle'} props={signingOut} />
    </>
  )
}

type ItemsProps = { Schemes: ComponentType | null; onClose: () => void; onLogout: () => void }

function Items({ Schemes, onClose, onLogout }: ItemsProps) {
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
      {Schemes && <Schemes />}
      <OnDemand
        wanted="quietly"
        fetch={storageKeeping}
        props={{ place: 'menu', onPress: onClose }}
      />
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
