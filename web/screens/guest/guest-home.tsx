import { Button, Title } from '@mantine/core'
import { Link } from 'react-router-dom'
import { useLoaded, useNames, usePageTitle, useSession } from '../../app/app-context.tsx'
import { paths } from '../../app/paths.ts'
import classes from './guest-page.module.css'

export function GuestHomeScreen() {
  usePageTitle('Welcome')
  useLoaded()
  const { productName, agencyName, marketingUrl } = useNames()
  const session = useSession()
  return (
    <>
      <Title order={1} className={classes.title}>
        Welcome
      </Title>
      <p className={classes.lead}>
        {productName} is where {agencyName} and its clients write together.{' '}
        {!session && 'Log in to see the articles sent to your company.'}
      </p>
      <Button
        component={Link}
        to={session ? paths.landing : paths.login}
        h={42}
        fz={16}
        px={22}
        mt={26}
      >
        {session ? 'Home' : 'Login'}
      </Button>
      {marketingUrl !== '' && (
        <p className={classes.after}>
          Not a client yet? <a href={marketingUrl}>Visit the {agencyName} site</a>
        </p>
      )}
    </>
  )
}
