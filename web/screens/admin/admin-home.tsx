import { Title } from '@mantine/core'
import { useLoaded, useNames, usePageTitle, useSignedIn } from '../../app-context.tsx'
import { MoonPhases } from '../../ui/moon-phases.tsx'
import classes from './admin-home.module.css'
import { StraysNote } from './strays/strays-note.tsx'

export function AdminHomeScreen() {
  usePageTitle('Home')
  useLoaded()
  const { user } = useSignedIn()
  const { supportEmail } = useNames()
  return (
    <div className={classes.page}>
      <MoonPhases size={16} gap={12} />
      <Title order={1} className={classes.title}>
        Welcome, {user.fullName.trim().split(/\s+/u)[0]}
      </Title>
      <p className={classes.text}>Use the menu to manage articles, clients and users.</p>
      <StraysNote />
      {supportEmail !== '' && (
        <p className={classes.support}>
          Something not working as it should? Write to{' '}
          <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
        </p>
      )}
    </div>
  )
}
