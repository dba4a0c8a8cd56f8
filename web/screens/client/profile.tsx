import { Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { initials } from '../../../domain/access/session.ts'
import type { User } from '../../../domain/wire/users.ts'
import { useApp, useLoaded, usePageTitle, useSignedIn } from '../../app/app-context.tsx'
import { notices } from '../../app/notices.ts'
import { paths } from '../../app/paths.ts'
import { SteadyButton } from '../../ui/buttons/steady-button.tsx'
import { NewPasswordFields, useNewPassword } from '../../ui/fields/new-password.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { InitialsCircle } from '../../ui/people/initials-circle.tsx'
import classes from './profile.module.css'

const fetchTwoStepLogin = async () =>
  (await import('../../second-step/account-card.tsx')).AccountCard

const fetchMails = async () => (await import('../../mails/mails-card.tsx')).MailsCard

export function ProfileScreen() {
  usePageTitle('Edit Account')
  useLoaded()
  const { user } = useSignedIn()
  return (
    <div className={classes.column}>
      <Title order={1} className={classes.title}>
        Edit Account
      </Title>
      <section className={classes.card} aria-label="Account">
        <div className={classes.person}>
          <InitialsCircle initials={initials(user.fullName)} size={72} />
          <div className={classes.names}>
            <Title order={2}>{user.fullName}</Title>
            <div className={classes.email}>{user.email}</div>
          </div>
        </div>
      </section>
      <ChangePassword user={user} />
      <OnDemand
        wanted="quietly"
        fetch={fetchTwoStepLogin}
        props={{ user, className: classes.card ?? '' }}
      />
      <OnDemand
        wanted="quietly"
        fetch={fetchMails}
        props={{ user, className: classes.card ?? '' }}
      />
    </div>
  )
}

function ChangePassword({ user }: { user: User }) {
  const { accounts } = useApp()
  const navigate = useNavigate()
  const newPassword = useNewPassword()
  const [busy, setBusy] = useState(false)

  async function update(password: string) {
    setBusy(true)
    try {
      await accounts.changePassword(user.id, password)
      notices.success('Password changed', 'Your other devices have been logged out.')
      await navigate(paths.landing)
    } catch (error) {
      notices.fail('Error resetting password', error)
      setBusy(false)
    }
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const password = newPassword.read(event.currentTarget)
    if (password !== null) void update(password)
  }

  return (
    <section className={classes.card} aria-labelledby="change-password">
      <Title order={2} id="change-password">
        Change password
      </Title>
      <form noValidate onSubmit={handleSubmit} className={classes.form}>
        <input type="hidden" name="username" autoComplete="username" value={user.email} />
        <NewPasswordFields error={newPassword.fault} onChange={newPassword.clearFault} />
        <div className={classes.submit}>
          <SteadyButton type="submit" loading={busy}>
            Update
          </SteadyButton>
        </div>
      </form>
    </section>
  )
}
