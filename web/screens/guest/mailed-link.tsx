import { CircleAlert } from 'lucide-react'
import { type FormEvent, type ReactNode, type Ref, useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { useApp } from '../../app/app-context.tsx'
import { notices } from '../../app/notices.ts'
import { paths } from '../../app/paths.ts'
import { Refused } from '../../remote/http.ts'
import { useNewPassword } from '../../ui/fields/new-password.tsx'
import { Banner } from '../../ui/page/banner.tsx'
import classes from './guest-page.module.css'

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

const INCOMPLETE = 'This link is incomplete.'
const FAULTS = new Map<unknown, string>([
  ['link_used', 'This link has already been used.'],
  ['link_expired', 'This link has expired.'],
  ['link_replaced', 'A newer mail has replaced this link.'],
])

/** Returns null if the same link can be used again. */
export function linkFault(error: unknown): string | null {
  if (!(error instanceof Refused) || error.status !== 401) return null
  return FAULTS.get(error.reason) ?? 'This link no longer works.'
}

/**
 * Sets a new password for the account of the mailed link. `failure` is the title of the notice for a failed request, `fault`
 * the reason why the link cannot be used. After success, `state` is passed to the login page.
 */
export function useMailedPassword(failure: string) {
  const { accounts } = useApp()
  const navigate = useNavigate()
  const token = useTokenOnce()
  const [fault, setFault] = useState(token === '' ? INCOMPLETE : null)
  const [busy, setBusy] = useState(false)
  const newPassword = useNewPassword()
  const disabled = fault !== null

  async function save({ currentTarget }: FormEvent<HTMLFormElement>, state: unknown) {
    const password = newPassword.read(currentTarget)
    if (password === null) return
    setBusy(true)
    try {
      await accounts.resetPassword(token, password)
      await navigate(`${paths.login}?passwordReset`, { state })
    } catch (error) {
      notices.fail(failure, error)
      setFault(linkFault(error))
      setBusy(false)
    }
  }

  return {
    token,
    fault,
    setFault,
    save: (state?: unknown) => (event: FormEvent<HTMLFormElement>) => void save(event, state),
    form: { busy, disabled },
    fields: { disabled, error: newPassword.fault, onChange: newPassword.clearFault },
  }
}

type LinkRef = Ref<HTMLAnchorElement>

/** Says why the link cannot be used and what to do. Focuses `wayOut` if this is known only after the page was rendered. */
export function UnusableLink(props: { fault: string; wayOut: (ref: LinkRef) => ReactNode }) {
  const { fault, wayOut } = props
  return (
    <div className={classes.banners}>
      <Banner kind="error" icon={CircleAlert}>
        <strong>{fault}</strong> {wayOut(fault === INCOMPLETE ? null : focus)}
      </Banner>
    </div>
  )
}

const focus: LinkRef = (link) => link?.focus({ preventScroll: true })
