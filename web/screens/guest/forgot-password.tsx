import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useApp, useLoaded, usePageTitle } from '../../app/app-context.tsx'
import { notices } from '../../app/notices.ts'
import { paths } from '../../app/paths.ts'
import { emailRule } from '../../field-rules.ts'
import { GuestLink } from '../../ui/buttons/guest-link.tsx'
import { GuestForm } from './guest-form.tsx'
import { useGuestForm } from './use-guest-form.ts'

export function ForgotPasswordScreen() {
  usePageTitle('Forgot password')
  useLoaded()
  const { accounts } = useApp()
  const navigate = useNavigate()
  const { state } = useLocation()
  const [busy, setBusy] = useState(false)
  const { form, sent } = useGuestForm<{ email: string }>({ email: emailRule })

  /** The title of the failure is the login's (spec section 8). */
  async function askForLink({ email }: { email: string }) {
    setBusy(true)
    try {
      await accounts.forgotPassword(email.trim())
      await navigate(`${paths.login}?emailSent`, { state })
    } catch (error) {
      notices.fail('Error Logging in', error)
      setBusy(false)
    }
  }

  return (
    <GuestForm
      title="Forgot password"
      lead="Enter your e-mail. If an account exists for it, we will send a link to reset the password."
      submit="Submit"
      busy={busy}
      onSubmit={sent((values) => void askForLink(values))}
      below={<GuestLink to={paths.login}>Back to login</GuestLink>}
    >
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="username"
        {...form.getInputProps('email')}
      />
    </GuestForm>
  )
}
