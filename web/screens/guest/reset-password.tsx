import { CircleAlert } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import { useApp, useLoaded, usePageTitle } from '../../app-context.tsx'
import { notices } from '../../notices.ts'
import { paths } from '../../paths.ts'
import { Banner } from '../../ui/banner.tsx'
import { isRefused, NewPasswordFields, NO_PASSWORD } from '../../ui/new-password.tsx'
import { GuestForm } from './guest-form.tsx'
import classes from './guest-page.module.css'

export function ResetPasswordScreen() {
  usePageTitle('Reset password')
  useLoaded()
  const { accounts } = useApp()
  const navigate = useNavigate()
  const token = useTokenOnce()
  const [entries, setEntries] = useState(NO_PASSWORD)
  const [busy, setBusy] = useState(false)

  async function reset({ currentTarget }: FormEvent<HTMLFormElement>) {
    if (isRefused(currentTarget, entries)) return
    setBusy(true)
    try {
      await accounts.resetPassword(token, entries.first)
      await navigate(`${paths.login}?passwordReset`)
    } catch (error) {
      notices.fail('Error resetting password', error)
      setBusy(false)
    }
  }

  return (
    <>
      {token === '' && <UnusableLink />}
      <GuestForm
        title="Reset password"
        submit="Submit"
        busy={busy}
        disabled={token === ''}
        onSubmit={(event) => void reset(event)}
      >
        <NewPasswordFields entries={entries} onChange={setEntries} disabled={token === ''} />
      </GuestForm>
    </>
  )
}

/** The token of the mailed link. It leaves the address bar at once, so that it stays in no history. */
function useTokenOnce(): string {
  const [query, setQuery] = useSearchParams()
  const [token] = useState(() => query.get('token') ?? '')
  const inAddress = query.has('token')
  useEffect(() => {
    if (inAddress) setQuery({}, { replace: true })
  }, [inAddress, setQuery])
  return token
}

function UnusableLink() {
  return (
    <div className={classes.banners}>
      <Banner kind="error" icon={CircleAlert}>
        <strong>This link cannot be used.</strong> It has no key in it.{' '}
        <Link to={paths.forgotPassword}>Ask for a new link</Link>
      </Banner>
    </div>
  )
}
