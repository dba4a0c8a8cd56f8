import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Outlet } from 'react-router-dom'
import { useStore } from 'zustand'
import type { User } from '../../domain/wire-users.ts'
import type { SyncClient } from '../../sync/sync-client.ts'
import { SyncProvider, useApp, useLoaded, useSignedIn } from '../app-context.tsx'
import { MessagePage } from '../ui/message-page.tsx'
import type { Workspace } from '../workspace.ts'
import { Frame, ScreenPlace } from './frame.tsx'

/**
 * What happens before any page of the client area (Q8): the guard has seen a session, the local database of
 * this person is opened, then the page. What killed pages left is folded in beside it, or before a text that it belongs to.
 */
export function ClientArea() {
  const { user } = useSignedIn()
  const { client, failed } = useWorkspace(user)
  const { workspace } = useApp()
  const { outdated, blocked } = useStore(workspace.store)
  return (
    <Frame>
      <ScreenPlace>
        {client && !outdated && (
          <SyncProvider client={client}>
            <Outlet />
          </SyncProvider>
        )}
        {outdated && <Outdated />}
        {!client && !outdated && blocked && <Blocked />}
        {failed && !outdated && !blocked && <NoStorage />}
      </ScreenPlace>
    </Frame>
  )
}

type Opened = { userId: string; client: SyncClient | null }

/** The page asks for the workspace before it is drawn, and most often has it by then. */
function openedFor({ id }: User, workspace: Workspace): Opened | null {
  const { client } = workspace.store.getState()
  return client?.userId === id ? { userId: id, client } : null
}

/** A database that does not even answer within this time is said to be unusable. */
const OPENING_MAX_MS = 5_000

function useWorkspace(user: User): { client: SyncClient | null; failed: boolean } {
  const { workspace, clock } = useApp()
  const [opened, setOpened] = useState<Opened | null>(() => openedFor(user, workspace))

  useEffect(() => {
    let wanted = true
    const settle = (client: SyncClient | null) => {
      if (wanted) setOpened({ userId: user.id, client })
    }
    workspace.open(user).then(settle, () => settle(null))
    return () => {
      wanted = false
    }
  }, [workspace, user])

  const [late, setLate] = useState(false)
  useEffect(() => clock.after(OPENING_MAX_MS, () => setLate(true)), [clock])

  const current = opened?.userId === user.id ? opened : null
  const client = current?.client ?? null
  return { client, failed: client === null && (current !== null || late) }
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

/** An older version in another tab does not let go. */
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

function NoStorage() {
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
