import { ChevronDown } from 'lucide-react'
import { initials } from '../../domain/access/session.ts'
import type { User } from '../../domain/wire/users.ts'
import { useApp } from '../app/app-context.tsx'
import { once } from '../app/once.ts'
import { PanelButton } from '../ui/buttons/panel-button.tsx'
import { OnDemand } from '../ui/on-demand.tsx'
import { InitialsCircle } from '../ui/people/initials-circle.tsx'
import classes from './account-menu.module.css'
import { useSignOut } from './use-sign-out.ts'

/** With the parts that a logout needs while there is no connection. */
const signOutDialog = once(async () => {
  const parts = [
    import('./sign-out-dialog.tsx'),
    import('../app/pending-logouts.ts'),
    import('../unsent/unsent-file.ts'),
  ] as const
  return (await Promise.all(parts))[0].SignOutDialog
})

const fetchPanel = once(async () => (await import('./account-panel.tsx')).AccountPanel)
const unsentBadge = async () => (await import('./unsent-badge.tsx')).UnsentBadge
const storageKeeping = async () => (await import('./storage-keeping.tsx')).StorageKeeping

/** The account menu. */
export function AccountMenu({ user }: { user: User }) {
  const signingOut = useSignOut()
  const { showBadge } = useApp()
  const letters = initials(user.fullName)
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
        fetchPanel={fetchPanel}
        panel={(Panel, onClose) =>
          Panel && <Panel user={user} onClose={onClose} onLogout={signingOut.begin} />
        }
      >
        <InitialsCircle initials={letters} size={32} />
        <ChevronDown size={14} strokeWidth={1.7} aria-hidden="true" />
      </PanelButton>
      <OnDemand fetch={storageKeeping} props={{ place: 'page' }} />
      {showBadge && <OnDemand fetch={unsentBadge} props={{ show: showBadge }} />}
      <OnDemand fetch={signOutDialog} wanted={signingOut.step.kind !== 'idle'} props={signingOut} />
    </>
  )
}
