import type { App } from './app-context.tsx'
import type { LeaveGuard } from './leave-guard.ts'

type Page = Pick<App, 'connection' | 'sessions' | 'workspace' | 'signOut'> & {
  window: Window
  document: Document
  leaveGuard: LeaveGuard
}

/**
 * Connects page events to the local copy: wakes the sync core when the page or its network is back, and saves open
 * texts when the page is hidden, frozen or closed. Returns a function that writes open texts.
 */
export function followPage(page: Page): () => Promise<void> {
  const { window, document, connection, sessions, workspace, signOut, leaveGuard } = page
  const client = () => workspace.store.getState().client
  const flush = async () =>
    client()
      ?.flush()
      .catch(() => {})
  const wake = () => client()?.wake()
  const saveExitSnapshot = () => client()?.saveExitSnapshot()

  sessions.follow(window, () => workspace.close())
  // Without a session no copy stays open; the texts stay on disk.
  sessions.store.subscribe(({ session }, before) => {
    if (before.session && before.session.user.id !== session?.user.id) void workspace.close()
  })

  window.addEventListener('online', () => {
    connection.find()
    wake()
    void signOut.retryUnfinished()
  })
  window.addEventListener('offline', connection.lose)
  window.addEventListener('focus', wake)
  window.addEventListener('pageshow', ({ persisted }) => {
    // A page from the back/forward cache has missed a sign-out in another tab.
    const known = sessions.store.getState().session
    if (persisted && sessions.read()?.user.id !== known?.user.id) window.location.reload()
    else wake()
  })
  document.addEventListener('resume', wake)

  // A write begun at `beforeunload` completes while the next page is requested; one begun at `pagehide` is sometimes
  // lost.
  window.addEventListener('beforeunload', saveExitSnapshot)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') wake()
    else saveExitSnapshot()
  })
  function rest(): void {
    saveExitSnapshot()
    client()?.rest()
  }
  document.addEventListener('freeze', rest)
  window.addEventListener('pagehide', ({ persisted }) => {
    rest()
    if (persisted) workspace.putAway()
  })

  // The start guard reports that a file of this page's release is gone; reloading opens the current release.
  window.addEventListener('contun-outdated', async () => {
    await flush()
    if (!leaveGuard.hasTextInMemory()) window.location.reload()
  })
  return flush
}
