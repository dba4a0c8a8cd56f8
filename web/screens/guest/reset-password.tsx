import { Link } from 'react-router-dom'
import { useLoaded, usePageTitle } from '../../app/app-context.tsx'
import { paths } from '../../app/paths.ts'
import { NewPasswordFields } from '../../ui/fields/new-password.tsx'
import { GuestForm } from './guest-form.tsx'
import { UnusableLink, useMailedPassword } from './mailed-link.tsx'

export function ResetPasswordScreen() {
  usePageTitle('Reset password')
  useLoaded()
  const { fault, save, form, fields } = useMailedPassword('Error resetting password')
  return (
    <>
      {fault !== null && (
        <UnusableLink
          fault={fault}
          wayOut={(ref) => (
            <Link ref={ref} to={paths.forgotPassword}>
              Request a new one
            </Link>
          )}
        />
      )}
      <GuestForm title="Reset password" submit="Submit" {...form} onSubmit={save()}>
        <NewPasswordFields {...fields} />
      </GuestForm>
    </>
  )
}
