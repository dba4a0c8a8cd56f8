import { Button } from '@mantine/core'
import { useLoaded } from '../app-context.tsx'
import { MessagePage } from '../ui/message-page.tsx'

/** Why the copy on this computer cannot be used: null where it can, or is being opened. */
export type Trouble = keyof typeof PAGES | null

/** Shown in place of a page of the client area. */
export function StorageTrouble({ trouble }: { trouble: Trouble }) {
  const Page = trouble && PAGES[trouble]
  return Page && <Page />
}

/** Another tab runs a newer version, which has changed how things are kept here. */
function Outdated() {
  useLoaded()
  return (
    <MessagePage
      title="A newer version is open"
      text="This tab has an older version of the app and can no longer write. What you typed is kept on this computer. Reload to continue."
    >
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </MessagePage>
  )
}

/** An older version in another tab keeps the database open. */
function Blocked() {
  useLoaded()
  return (
    <MessagePage
      title="Please close the other tabs"
      text="An older version of the app is still open in another tab or window. Close it, then continue here. Nothing is lost."
    >
      <Button onClick={() => window.location.reload()}>Continue</Button>
    </MessagePage>
  )
}

function Refused() {
  useLoaded()
  return (
    <MessagePage
      title="Nothing can be kept here"
      text="This browser does not let the app store anything on this computer, so it cannot keep what you write. Close other tabs of this app or allow storage for this site, then try again."
    >
      <Button onClick={() => window.location.reload()}>Try again</Button>
    </MessagePage>
  )
}

/** The page behind this one comes as soon as the browser answers. */
function Silent() {
  useLoaded()
  return (
    <MessagePage
      title="Still opening your work"
      text="This browser is taking long to open what is kept on this computer. Nothing was removed. If it does not open soon, close the other tabs of this app, then try again."
    >
      <Button onClick={() => window.location.reload()}>Try again</Button>
    </MessagePage>
  )
}

const PAGES = { outdated: Outdated, blocked: Blocked, refused: Refused, silent: Silent }
