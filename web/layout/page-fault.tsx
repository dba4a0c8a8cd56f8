import { Button, Group } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { useApp, usePageTitle } from '../app/app-context.tsx'
import { paths } from '../app/paths.ts'
import { MessagePage } from '../ui/page/message-page.tsx'

/** Shows the fault in place of the page until the next start. */
export class PageFaultBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override render() {
    return this.state.broken ? <PageFault /> : this.props.children
  }
}

/** Error boundary of a screen. Also shown where nothing can be stored, so it does not say where texts are. */
function PageFault() {
  usePageTitle('Error')
  const { loadAgain } = useApp()
  return (
    <MessagePage
      title="This page could not be shown"
      text="Something went wrong here. Saved text is safe."
    >
      <Group justify="center">
        <Button onClick={loadAgain}>Load again</Button>
        <Button component="a" href={paths.landing} variant="default">
          Home
        </Button>
      </Group>
    </MessagePage>
  )
}
