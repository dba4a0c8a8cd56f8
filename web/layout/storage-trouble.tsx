import { Button } from '@mantine/core'
import { useLoaded } from '../app/app-context.tsx'
import { MessagePage } from '../ui/page/message-page.tsx'

const PAGES = {
  /** Another tab runs a newer version, which has changed how things are kept here. */
  outdated: {
    title: 'A newer version is open',
    text: 'This tab has an older version of the app and can no longer write. What you typed is kept on this computer. Reload to continue.',
    button: 'Reload',
  },
  /** An older version in another tab keeps the database open. */
  blocked: {
    title: 'Please close the other tabs',
    text: 'An older version of the app is still open in another tab or window. Close it, then continue here. Nothing is lost.',
    button: 'Continue',
  },
  refused: {
    title: 'Nothing can be kept here',
    text: 'This browser does not let the app store anything on this computer, so it cannot keep what you write. Close other tabs of this app or allow storage for this site, then try again.',
    button: 'Try again',
  },
  /** Replaced by the page as soon as the database responds. */
  silent: {
    title: 'Still opening your work',
    text: 'This browser is taking long to open what is kept on this computer. Nothing was removed. If it does not open soon, close the other tabs of this app, then try again.',
    button: 'Try again',
  },
}

/** Why the copy on this computer cannot be used: null where it can, or is being opened. */
export type Trouble = keyof typeof PAGES | null

/** Shown in place of a page of the client area. */
export function StorageTrouble({ trouble }: { trouble: Trouble }) {
  useLoaded(trouble !== null)
  if (!trouble) return null
  const { title, text, button } = PAGES[trouble]
  return (
    <MessagePage title={title} text={text}>
      <Button onClick={() => window.location.reload()}>{button}</Button>
    </MessagePage>
  )
}
