import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { useLoaded, usePageTitle } from '../app/app-context.tsx'
import { paths } from '../app/paths.ts'
import { MessagePage } from '../ui/page/message-page.tsx'

export function NotFoundScreen() {
  usePageTitle('Page not found')
  useLoaded()
  return (
    <MessagePage title="Page not found" text="This page doesn’t exist.">
      <Button component={Link} to={paths.landing}>
        Home
      </Button>
    </MessagePage>
  )
}
