import { CircleAlert } from 'lucide-react'
import { type FormEvent, type Ref, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { useApp, useLoaded, usePageTitle } from '../../app/app-context.tsx'
import { notices } from '../../app/notices.ts'
import { paths } from '../../app/paths.ts'
import { NewPasswordFields, useNewPassword } from '../../ui/fields/new-password.tsx'
import { Banner } from '../../ui/page/banner.tsx'
import { GuestForm } from './guest-form.tsx'
import classes from './guest-page.module.css'
import { INCOMPLETE, linkFault, useTokenOnce } from './mailed-link.ts'

export function ResetPasswordScreen() {
  usePageTitle('Reset password')
  useLoaded()
  const { accounts } = useApp()
  const navigate = useNavigate()
  const token = useTokenOnce()
  const [fault, setFault] = useState(token === '' ? INCOMPLETE : null)
  const [busy, setBusy] = useState(false)
  const newPassword = useNewPassword()

  async function reset({ currentTarget }: FormEvent<HTMLFormElement>) {
    const password = newPassword.read(currentTarget)
    if (password === null) return
    setBusy(true)
    try {
      await accounts.resetPassword(token, password)
      await navigate(`${paths.login}?passwordReset`)
    } catch (error) {
      notices.fail('Error resetting password', error)
      setFault(linkFault(error))
      setBusy(false)
    }
  }

  return (
    <>
      {fault !== null && <UnusableLink fault={fault} isNew={fault !== INCOMPLETE} />}
      <GuestForm
        title="Reset password"
        submit="Submit"
        busy={busy}
        disabled={fault !== null}
        onSubmit={(event) => void reset(event)}
      >
        <NewPasswordFields
          disabled={fault !== null}
          error={newPassword.fault}
          onChange={newPassword.clearFault}
        />
      </GuestForm>
    </>
  )
}

/** `isNew`: found out by the button, which is disabled now. */
function UnusableLink({ fault, isNew }: { fault: string; isNew: boolean }) {
  return (
    <div className={classes.banners}>
      <Banner kind="error" icon={CircleAlert}>
        <strong>{fault}</strong>{' '}
        <Link ref={isNew ? focus : null} to={paths.forgotPassword}>
          Request a new one
        </Link>
      </Banner>
    </div>
  )
}

const focus: Ref<HTMLAnchorElement> = (link) => link?.focus({ preventScroll: true })
