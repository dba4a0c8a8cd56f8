import { useState } from 'react'
import { firstName } from '../../../domain/access/session.ts'
import type { Welcome } from '../../../domain/wire/invitations.ts'
import { useApp, useLoaded, useNames, usePageTitle } from '../../app/app-context.tsx'
import { useDates } from '../../app/use-dates.ts'
import { NewPasswordFields } from '../../ui/fields/new-password.tsx'
import { useAbortableEffect } from '../../ui/use-abortable-effect.ts'
import { GuestForm } from './guest-form.tsx'
import { linkFault, UnusableLink, useMailedPassword } from './mailed-link.tsx'
import classes from './welcome.module.css'

/** Where an invitation leads. */
export function WelcomeScreen() {
  usePageTitle('Welcome')
  useLoaded()
  const { accounts } = useApp()
  const { productName } = useNames()
  const dates = useDates()
  const { token, fault, setFault, save, form, fields } = useMailedPassword(
    'Error setting the password',
  )
  const [welcome, setWelcome] = useState<Welcome | null>(null)

  useAbortableEffect(
    (signal) => {
      if (token === '') return
      accounts.readInvitation(token).then(
        (read) => !signal.aborted && setWelcome(read),
        // Without an answer the password can be set all the same.
        (error) => !signal.aborted && setFault(linkFault(error)),
      )
    },
    [accounts, token, setFault],
  )

  return (
    <>
      {fault !== null && <UnusableInvitation fault={fault} />}
      <GuestForm
        title={`Welcome to ${productName}`}
        lead={
          <span className={classes.lead}>
            <Lead welcome={welcome} />
          </span>
        }
        submit="Set password"
        {...form}
        onSubmit={save({ email: welcome?.email ?? '' })}
        below={
          welcome &&
          fault === null && (
            <span className={classes.until}>
              This link works until {dates.dateTime(welcome.until)}.
            </span>
          )
        }
      >
        <NewPasswordFields labels={LABELS} {...fields} />
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

function UnusableInvitation({ fault }: { fault: string }) {
  const { agencyName, supportEmail } = useNames()
  const ask = `Ask ${agencyName} for a new one.`
  return (
    <UnusableLink
      fault={fault}
      wayOut={(ref) =>
        supportEmail === '' ? (
          ask
        ) : (
          <a ref={ref} href={`mailto:${supportEmail}`}>
            {ask}
          </a>
        )
      }
    />
  )
}
