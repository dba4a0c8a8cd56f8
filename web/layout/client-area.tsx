import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Outlet } from 'react-router-dom'
import type { User } from '../../domain/wire.ts'
import type { SyncClient } from '../../sync/sync-client.ts'
import { SyncProvider, useApp, useLoaded, useSignedIn } from '../app-context.tsx'
import { MessagePage } from '../ui/message-page.tsx'
import { Frame, ScreenPlace } from './frame.tsx'

/**
 * What happens before any page of the client area (Q8): the guard has seen a session, the local database
 * of this person is opened, drafts of killed pages are recovered, then the page.
 */
export function ClientArea() {
  const { user } = useSignedIn()
  const { client, failed } = useWorkspace(user)
  return (
    <Frame>
      <ScreenPlace>
        {client && (
          <SyncProvider client={client}>
            <Outlet />
          </SyncProvider>
        )}
        {failed && <NoStorage />}
      </ScreenPlace>
    </Frame>
  )
}

/** A database that does not even answer within this time is said to be unusable. */
const OPENING_MAX_MS = 5_000

function useWorkspace(user: User): { client: SyncClient | null; failed: boolean } {
  const { workspace, clock } = useApp()
  const [opened, setOpened] = useState<{ userId: string; client: SyncClient | null } | null>(null)

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
