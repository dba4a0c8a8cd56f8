import { CircleAlert } from 'lucide-react'
import { type FormEvent, type Ref, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { firstName } from '../../../domain/access/session.ts'
import type { Welcome } from '../../../domain/wire/invitations.ts'
import { useApp, useLoaded, useNames, usePageTitle } from '../../app/app-context.tsx'
import { notices } from '../../app/notices.ts'
import { paths } from '../../app/paths.ts'
import { useDates } from '../../app/use-dates.ts'
import { NewPasswordFields, useNewPassword } from '../../ui/fields/new-password.tsx'
import { Banner } from '../../ui/page/banner.tsx'
import { useAbortableEffect } from '../../ui/use-abortable-effect.ts'
import { GuestForm } from './guest-form.tsx'
import guest from './guest-page.module.css'
import { INCOMPLETE, linkFault, useTokenOnce } from './mailed-link.ts'
import classes from './welcome.module.css'

/** Where an invitation leads. */
export function WelcomeScreen() {
  usePageTitle('Welcome')
  useLoaded()
  const { accounts } = useApp()
  const { productName } = useNames()
  const dates = useDates()
  const navigate = useNavigate()
  const token = useTokenOnce()
  const [fault, setFault] = useState(token === '' ? INCOMPLETE : null)
  const [welcome, setWelcome] = useState<Welcome | null>(null)
  const [busy, setBusy] = useState(false)
  const newPassword = useNewPassword()

  useAbortableEffect(
    (signal) => {
      if (token === '') return
      accounts.readInvitation(token).then(
        (read) => !signal.aborted && setWelcome(read),
        // Without an answer the password can be set all the same.
        (error) => !signal.aborted && setFault(linkFault(error)),
      )
    },
    [accounts, token],
  )

  async function setPassword({ currentTarget }: FormEvent<HTMLFormElement>) {
    const password = newPassword.read(currentTarget)
    if (password === null) return
    setBusy(true)
    try {
      await accounts.resetPassword(token, password)
      await navigate(`${paths.login}?passwordReset`, {
        state: { email: welcome?.email ?? '' },
      })
    } catch (error) {
      notices.fail('Error setting the password', error)
      setFault(linkFault(error))
      setBusy(false)
    }
  }

  return (
    <>
      {fault !== null && <UnusableInvitation fault={fault} isNew={fault !== INCOMPLETE} />}
      <GuestForm
        title={`Welcome to ${productName}`}
        lead={
          <span className={classes.lead}>
            <Lead welcome={welcome} />
          </span>
        }
        submit="Set password"
        busy={busy}
        disabled={fault !== null}
        onSubmit={(event) => void setPassword(event)}
        below={
          welcome &&
          fault === null && (
            <span className={classes.until}>
              This link works until {dates.dateTime(welcome.until)}.
            </span>
          )
        }
      >
        <NewPasswordFields
          labels={LABELS}
          disabled={fault !== null}
          error={newPassword.fault}
          onChange={newPassword.clearFault}
        />
      </GuestForm>
    </>
  )
}

const LABELS = { first: 'Password', second: 'Confirm password' }

function Lead({ welcome }: { welcome: Welcome | null }) {
  const { agencyName } = useNames()
  if (welcome === null) return 'Choose a password for your account.'
  const { name, email, sender } = welcome
  return (
    <>
      Hello {firstName(name)}. {sender === null ? agencyName : `${sender} of ${agencyName}`} created
      an account for you. Choose a password, then log in with{' '}
      <strong className={classes.email}>{email}</strong>.
    </>
  )
}

/** `isNew`: found out after the page was shown. */
function UnusableInvitation({ fault, isNew }: { fault: string; isNew: boolean }) {
  const { agencyName, supportEmail } = useNames()
  return (
    <div className={guest.banners}>
      <Banner kind="error" icon={CircleAlert}>
        <strong>{fault}</strong>{' '}
        {supportEmail === '' ? (
          `Ask ${agencyName} for a new one.`
        ) : (
          <a ref={isNew ? focus : null} href={`mailto:${supportEmail}`}>
            Ask {agencyName} for a new one.
          </a>
        )}
      </Banner>
    </div>
  )
}

const focus: Ref<HTMLAnchorElement> = (link) => link?.focus({ preventScroll: true })
