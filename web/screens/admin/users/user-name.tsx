import { UnstyledButton } from '@mantine/core'
import { initials } from '../../../../domain/access/session.ts'
import type { Invitation } from '../../../../domain/wire/invitations.ts'
import type { User } from '../../../../domain/wire/users.ts'
import { useNow } from '../../../app/app-context.tsx'
import { once } from '../../../app/once.ts'
import { useDates } from '../../../app/use-dates.ts'
import { OnDemand } from '../../../ui/on-demand.tsx'
import { InitialsCircle } from '../../../ui/people/initials-circle.tsx'
import { invitationWords } from './invitation-words.ts'
import classes from './user-name.module.css'

const fetchMailMark = once(async () => (await import('./mail-mark.tsx')).MailMark)

type UserNameProps = {
  user: User
  /** Undefined where the user needs none. */
  invitation: Invitation | undefined
  onSendAgain: () => void
}

export function UserName({ user, invitation, onSendAgain }: UserNameProps) {
  return (
    <span className={classes.user}>
      <InitialsCircle initials={initials(user.name)} size={26} />
      <span className={classes.words}>
        <span className={classes.name} title={user.name}>
          {user.name}
        </span>
        {invitation && <InvitationLine invitation={invitation} onSendAgain={onSendAgain} />}
      </span>
      <OnDemand fetch={fetchMailMark} wanted="quietly" props={{ userId: user.id }} />
    </span>
  )
}

const A_MINUTE_MS = 60_000

type InvitationLineProps = { invitation: Invitation; onSendAgain: () => void }

function InvitationLine({ invitation, onSendAgain }: InvitationLineProps) {
  const { line, details, isOver } = invitationWords(invitation, useNow(A_MINUTE_MS), useDates())
  return (
    <span className={classes.invitation}>
      <span className={classes.state} data-over={isOver} title={details}>
        {line}
      </span>
      <UnstyledButton className={classes.again} onClick={onSendAgain}>
        Send again
      </UnstyledButton>
    </span>
  )
}
