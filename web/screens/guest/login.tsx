import { TextInput } from '@mantine/core'
import { CircleCheck, Clock, MailCheck } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import type { SecondStepAsked } from '../../../domain/wire/second-step.ts'
import { useApp, useLoaded, useNames, usePageTitle } from '../../app/app-context.tsx'
import { notices } from '../../app/notices.ts'
import { hasFlag, paths, readEnded, readInvited } from '../../app/paths.ts'
import { useDates } from '../../app/use-dates.ts'
import { emailRule, filledRule } from '../../field-rules.ts'
import { Refused } from '../../remote/http.ts'
import { GuestLink } from '../../ui/buttons/guest-link.tsx'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Banner } from '../../ui/page/banner.tsx'
import { GuestForm } from './guest-form.tsx'
import classes from './guest-page.module.css'
import { useGuestForm } from './use-guest-form.ts'

const fetchKeptWork = async () => (await import('./kept-work.tsx')).KeptWork
const fetchSecondStep = async () =>
  (await import('../../second-step/second-step-page.tsx')).SecondStepPage
const NO_PROPS = {}

/** Id of what describes the first field, which has the focus before it is read. */
const WHY = 'session-ended'

export function LoginScreen() {
  usePageTitle('Login')
  useLoaded()
  const { productName } = useNames()
  const { form, busy, handleSubmit, secondStep } = useLogin()
  if (secondStep) return <OnDemand wanted fetch={fetchSecondStep} props={secondStep} />
  return (
    <>
      <LoginBanners />
      <GuestForm
        title="Login"
        why={WHY}
        submit="Login"
        busy={busy}
        onSubmit={handleSubmit}
        beforeSubmit={
          <div className={classes.forgot}>
            <GuestLink to={paths.forgotPassword}>Forgot password?</GuestLink>
          </div>
        }
        below={
          <p>
            New to {productName}? <GuestLink to={paths.register}>Register</GuestLink>
          </p>
        }
      >
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          {...form.getInputProps('email')}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
      </GuestForm>
    </>
  )
}

type Credentials = { email: string; password: string }

function useLogin() {
  const { accounts, sessions, clock } = useApp()
  const dates = useDates()
  const { state } = useLocation()
  const [busy, setBusy] = useState(false)
  const [asked, setAsked] = useState<SecondStepAsked | null>(null)
  const [endedUser] = useState(() => sessions.store.getState().endedUser)
  const { form, sent } = useGuestForm<Credentials>(
    { email: emailRule, password: filledRule('Password') },
    { email: readInvited(state) ?? endedUser?.email ?? '' },
  )

  /** The guard leads on as soon as there is a session. */
  async function logIn({ email, password }: Credentials) {
    setBusy(true)
    try {
      const { secondStepDue, ...session } = await accounts.login(email.trim(), password)
      sessions.write(session)
      if (secondStepDue) {
        const { sayDue } = await import('../../second-step/say-due.ts')
        sayDue(secondStepDue, clock.now(), dates)
      }
    } catch (error) {
      if (error instanceof Refused && error.reason === 'second_step')
        setAsked(error.secondStep as SecondStepAsked)
      else notices.fail('Error Logging in', error)
      setBusy(false)
    }
  }

  const secondStep = asked && { asked, onBack: () => setAsked(null) }
  return { form, busy, handleSubmit: sent((values) => void logIn(values)), secondStep }
}

function LoginBanners() {
  const [query] = useSearchParams()
  const { state } = useLocation()
  return (
    <div className={classes.banners}>
      {hasFlag(query, 'emailSent') && (
        <Banner kind="success" icon={MailCheck}>
          Forgot password email sent. Click the link in the email to reset your password. If you
          don't see the email, try checking your spam folder.
        </Banner>
      )}
      {hasFlag(query, 'passwordReset') && (
        <Banner kind="success" icon={CircleCheck}>
          {readInvited(state) === undefined
            ? 'Password reset. Use your new password to login.'
            : 'Your password is set. Please log in.'}
        </Banner>
      )}
      <OnDemand wanted="quietly" fetch={fetchKeptWork} props={NO_PROPS} />
      {readEnded(state) && (
        <div id={WHY}>
          <Banner kind="info" icon={Clock}>
            Your session has ended, please log in again.
          </Banner>
        </div>
      )}
    </div>
  )
}
