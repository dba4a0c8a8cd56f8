import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { Navigate, useLocation, useSearchParams } from 'react-router-dom'
import { useApp, useLoaded, usePageTitle } from '../../app/app-context.tsx'
import { notices } from '../../app/notices.ts'
import { HAS_ACCOUNT_FLAG, hasFlag, paths } from '../../app/paths.ts'
import { emailRule, nameRule, passwordRule } from '../../field-rules.ts'
import { GuestLink } from '../../ui/buttons/guest-link.tsx'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { GuestForm } from './guest-form.tsx'
import { useGuestForm } from './use-guest-form.ts'

/** The link for users who have an account points to /register (spec section 2); its flag redirects to /login. */
export function RegisterScreen() {
  const [query] = useSearchParams()
  const { state } = useLocation()
  if (hasFlag(query, HAS_ACCOUNT_FLAG)) return <Navigate replace to={paths.login} state={state} />
  return <RegisterForm />
}

function RegisterForm() {
  usePageTitle('Register')
  useLoaded()
  const { form, busy, handleSubmit } = useRegistration()
  return (
    <GuestForm
      title="Register"
      submit="Register"
      busy={busy}
      onSubmit={handleSubmit}
      below={
        <GuestLink to={`${paths.register}?${HAS_ACCOUNT_FLAG}`}>Already have an account?</GuestLink>
      }
    >
      <TextInput label="Full name" autoComplete="name" {...form.getInputProps('name')} />
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="username"
        {...form.getInputProps('email')}
      />
      <PasswordField
        label="Password"
        description="At least 8 characters"
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
    </GuestForm>
  )
}

type Registration = { name: string; email: string; password: string }

function useRegistration() {
  const { accounts, sessions } = useApp()
  const [busy, setBusy] = useState(false)
  const { form, sent } = useGuestForm<Registration>({
    name: nameRule('Full name'),
    email: emailRule,
    password: passwordRule,
  })

  /** The guard leads on as soon as there is a session. */
  async function register({ name, email, password }: Registration) {
    setBusy(true)
    try {
      sessions.write(await accounts.register(name.trim(), email.trim(), password))
    } catch (error) {
      notices.fail('Error Registering', error)
      setBusy(false)
    }
  }

  return { form, busy, handleSubmit: sent((values) => void register(values)) }
}
