import { Title } from '@mantine/core'
import type { FormEvent } from 'react'
import type { User } from '../../../../domain/wire-users.ts'
import { useSignedIn } from '../../../app-context.tsx'
import { notices } from '../../../notices.ts'
import { isRefused, NewPasswordFields } from '../../../ui/new-password.tsx'
import { SteadyButton } from '../../../ui/steady-button.tsx'
import { useChange } from '../use-change.ts'
import { useUsers } from '../use-remote.ts'
import classes from './account-access.module.css'
import type { TypedPassword } from './use-typed-password.ts'

/** The parts of an account that are changed on their own: its password and its sessions (Q56, Q58). */
export function AccountAccess({ user, password }: { user: User; password: TypedPassword }) {
  return (
    <>
      <SetPassword user={user} password={password} />
      <SignOutEverywhere user={user} />
    </>
  )
}

function SetPassword({ user, password }: { user: User; password: TypedPassword }) {
  const users = useUsers()
  const { entries } = password
  const { busy, make } = useChange<string>({
    call: (newPassword) => users.setPassword(user.id, newPassword),
    failure: 'Error resetting password',
    onDone: () => {
      notices.success('Password changed', `${user.name} logs in with the new password from now on.`)
      password.forget()
    },
  })

  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!busy && !isRefused(event.currentTarget, entries)) make(entries.first)
  }

  return (
    <section className={classes.part} aria-labelledby="set-password">
      <Title order={3} id="set-password">
        Password
      </Title>
      <form noValidate className={classes.fields} onSubmit={handleSubmit}>
        <input type="hidden" name="username" autoComplete="username" value={user.email} />
        <NewPasswordFields
          entries={entries}
          onChange={password.type}
          error={password.reminder}
          fieldRef={password.field}
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
    </section>
  )
}

function SignOutEverywhere({ user }: { user: User }) {
  const users = useUsers()
  const isSelf = useSignedIn().user.id === user.id
  const { busy, make } = useChange<void>({
    call: () => users.signOutEverywhere(user.id),
    failure: 'Error modifying user',
    onDone: () => notices.success('Signed out', `${user.name} has to log in again everywhere.`),
  })
  return (
    <section className={classes.part} aria-labelledby="sign-out-everywhere">
      <Title order={3} id="sign-out-everywhere">
        Sessions
      </Title>
      <p className={classes.text}>
        {isSelf
          ? 'You will have to log in again on every device, here too.'
          : `${user.name} will have to log in again on every device. A change of role takes effect with it.`}
      </p>
      <SteadyButton
        variant="default"
        loading={busy}
        className={classes.button ?? ''}
        onClick={() => make()}
      >
        Sign out everywhere
      </SteadyButton>
    </section>
  )
}
