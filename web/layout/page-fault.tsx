import { Button } from '@mantine/core'
import { usePageTitle } from '../app-context.tsx'
import { paths } from '../paths.ts'
import { MessagePage } from '../ui/message-page.tsx'

/** Stands in for a screen that broke. Texts are safe: they are written to disk as they are typed. */
export function PageFault() {
  usePageTitle('Error')
  return (
    <MessagePage
      title="This page could not be shown"
      text="Something went wrong here. What you have written is kept on this computer."
    >
      <Button component="a" href={paths.landing}>
        Home
      </Button>
    </MessagePage>
  )
}
