import { Button, Title } from '@mantine/core'
import { type FormEvent, useCallback, useEffect, useState } from 'react'
import { firstName } from '../../../../domain/access/session.ts'
import { momentInSentence } from '../../../../domain/calendar/moments.ts'
import type { Invitation } from '../../../../domain/wire/invitations.ts'
import type { User } from '../../../../domain/wire/users.ts'
import { useClock, useNow, useSignedIn } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { useDates } from '../../../app/use-dates.ts'
import { SteadyButton } from '../../../ui/buttons/steady-button.tsx'
import { NewPasswordFields, useNewPassword } from '../../../ui/fields/new-password.tsx'
import { OnDemand } from '../../../ui/on-demand.tsx'
import { AccessRow, AccessRows, AskingRow } from '../access-row.tsx'
import { useChange } from '../use-change.ts'
import { useUsers } from '../use-remote.ts'
import classes from './account-access.module.css'
import { invitationWords } from './invitation-words.ts'
import type { TypedPassword } from './use-typed-password.ts'

const fetchTwoStepRow = async () =>
  (await import('../../../second-step/two-step-row.tsx')).TwoStepRow

type AccountAccessProps = {
  user: User
  invitation: Invitation | undefined
  password: TypedPassword
}

/** The parts of an account that are changed on their own: its password, an invitation, its sessions (Q56, Q58). */
export function AccountAccess({ user, invitation, password }: AccountAccessProps) {
  const isSelf = useSignedIn().user.id === user.id
  return (
    <section className={classes.access} aria-labelledby="account-access">
      <Title order={3} id="account-access">
        Account access
      </Title>
      <AccessRows>
        <PasswordRow user={user} isSelf={isSelf} password={password} />
        {!isSelf && <InvitationRow user={user} invitation={invitation} />}
        <DevicesRow user={user} isSelf={isSelf} />
        {!isSelf && <OnDemand wanted="quietly" fetch={fetchTwoStepRow} props={{ user }} />}
      </AccessRows>
      <p className={classes.note}>
        These take effect immediately. ‘Modify’ saves only the fields above.
      </p>
    </section>
  )
}

const A_MINUTE_MS = 60_000

type AccountProps = { user: User; isSelf: boolean }

function PasswordRow({ user, isSelf, password }: AccountProps & { password: TypedPassword }) {
  const users = useUsers()
  const { entries, field } = password
  const submitted = useNewPassword()
  const isOpen = entries !== null
  useEffect(() => {
    if (isOpen) field.current?.focus()
  }, [isOpen, field])
  const { busy, make } = useChange<string>({
    call: (newPassword) => users.setPassword(user.id, newPassword),
    failure: 'Error resetting password',
    onDone: () => {
      notices.success('Password changed', `${user.name} can now log in with the new password.`)
      password.close()
    },
  })

  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const newPassword = submitted.read(event.currentTarget)
    if (newPassword !== null) make(newPassword)
  }

  return (
    <AccessRow
      title="Password"
      text={
        isSelf
          ? 'Set a new one. Your other devices are logged out.'
          : `Set one yourself. ${firstName(user.name)} is logged out on every device.`
      }
      open={isOpen}
      onClose={password.close}
      buttons={(leaves) =>
        entries === null ? (
          <Button variant="default" className={classes.button} onClick={password.open}>
            Set a password…
          </Button>
        ) : (
          <Button ref={leaves} variant="subtle" c="var(--app-used)" onClick={password.close}>
            Cancel
          </Button>
        )
      }
      below={
        entries
          ? (leaves) => (
              <form ref={leaves} noValidate className={classes.fields} onSubmit={handleSubmit}>
                <input type="hidden" name="username" autoComplete="username" value={user.email} />
                <NewPasswordFields
                  onChange={(typed) => {
                    submitted.clearFault()
                    password.type(typed)
                  }}
                  error={submitted.fault ?? password.reminder}
                  fieldRef={field}
                  hintBelow
                />
                <SteadyButton
                  type="submit"
                  variant="default"
                  loading={busy}
                  className={classes.button ?? ''}
                >
                  Set new password
                </SteadyButton>
              </form>
            )
          : undefined
      }
    />
  )
}

type InvitationRowProps = { user: User; invitation: Invitation | undefined }

/** Mails a link with which a new user chooses a password. */
function InvitationRow({ user, invitation }: InvitationRowProps) {
  const users = useUsers()
  const clock = useClock()
  const now = useNow(A_MINUTE_MS)
  const dates = useDates()
  const [sent, setSent] = useState<{ at: number; isAgain: boolean } | null>(null)
  const { busy, make } = useChange<void>({
    call: () => users.invite(user.id),
    failure: 'Error sending the invitation',
    onDone: () => setSent({ at: clock.now(), isAgain: sent !== null || invitation !== undefined }),
  })
  const known = invitation ? invitationWords(invitation, now, dates).details : OFFER
  return (
    <AccessRow
      title="Invitation"
      text={
        sent === null
          ? known
          : `Sent ${momentInSentence(sent.at, now, dates)}.${sent.isAgain ? REPLACED : ''}`
      }
      buttons={() => (
        <SteadyButton
          variant="default"
          className={classes.button ?? ''}
          loading={busy}
          onClick={() => make()}
        >
          {sent || invitation ? 'Send again' : 'Send an invitation'}
        </SteadyButton>
      )}
    />
  )
}

const OFFER = 'A mail with a link, good for 7 days.'
const REPLACED = ' The earlier link no longer works.'

function DevicesRow({ user, isSelf }: AccountProps) {
  const users = useUsers()
  const [asked, setAsked] = useState(false)
  const stop = useCallback(() => setAsked(false), [])
  const { busy, make } = useChange<void>({
    call: () => users.signOutEverywhere(user.id),
    failure: 'Error modifying user',
    onDone: () => {
      notices.success('Logged out', `${user.name} was logged out on every device.`)
      stop()
    },
  })
  const name = firstName(user.name)
  const text = isSelf
    ? 'You have to log in again on every device, here too.'
    : `${name} has to log in again everywhere.`
  const question = isSelf
    ? 'Log yourself out on every device, here too?'
    : `Log ${name} out on every device?`

  return (
    <AskingRow
      title="Devices"
      text={text}
      question={question}
      asked={asked}
      onStop={stop}
      answer={
        <SteadyButton variant="default" loading={busy} onClick={() => make()}>
          Log out
        </SteadyButton>
      }
      buttons={(leaves) => (
        <Button
          ref={leaves}
          variant="default"
          className={classes.button}
          onClick={() => setAsked(true)}
        >
          Log out everywhere…
        </Button>
      )}
    />
  )
}
