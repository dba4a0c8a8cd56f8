import { useEffect, useState } from 'react'
import { Outlet } from 'react-router-dom'
import { useStore } from 'zustand'
import type { User } from '../../domain/wire-users.ts'
import type { SyncClient } from '../../sync/sync-client.ts'
import { SyncProvider, useApp, useSignedIn } from '../app/app-context.tsx'
import type { Workspace } from '../app/workspace.ts'
import { OnDemand } from '../ui/on-demand.tsx'
import { useAbortableEffect } from '../ui/use-abortable-effect.ts'
import { Frame, ScreenPlace } from './frame.tsx'
import type { Trouble } from './storage-trouble.tsx'

/**
 * What happens before any page of the client area (Q8): the guard has seen a session, the local database of
 * this person is opened, then the page. What killed pages left is restored in parallel, or before a text that it belongs to.
 */
export function ClientArea() {
  const { user } = useSignedIn()
  const { client, failed } = useWorkspace(user)
  const { workspace } = useApp()
  const { outdated, blocked } = useStore(workspace.store)
  const trouble = outdated ? 'outdated' : client ? null : blocked ? 'blocked' : failed
  return (
    <Frame>
      <ScreenPlace>
        {client && !outdated && (
          <SyncProvider client={client}>
            <Outlet />
          </SyncProvider>
        )}
        <OnDemand fetch={fetchTrouble} wanted={trouble !== null} props={{ trouble }} />
      </ScreenPlace>
    </Frame>
  )
}

const fetchTrouble = async () => (await import('./storage-trouble.tsx')).StorageTrouble

type Opened = { userId: string; client: SyncClient | null }

/** The page asks for the workspace before it is drawn, and most often has it by then. */
function openedFor({ id }: User, workspace: Workspace): Opened | null {
  const { client } = workspace.store.getState()
  return client?.userId === id ? { userId: id, client } : null
}

/** A database that does not even answer within this time is said to be unusable. */
const OPENING_MAX_MS = 5_000

function useWorkspace(user: User): { client: SyncClient | null; failed: Trouble } {
  const { workspace, clock } = useApp()
  const [opened, setOpened] = useState<Opened | null>(() => openedFor(user, workspace))

  useAbortableEffect(
    (signal) => {
      const settle = (client: SyncClient | null) => {
        if (!signal.aborted) setOpened({ userId: user.id, client })
      }
      workspace.open(user).then(settle, () => settle(null))
    },
    [workspace, user],
  )

  const [late, setLate] = useState(false)
  useEffect(() => clock.after(OPENING_MAX_MS, () => setLate(true)), [clock])

  const current = opened?.userId === user.id ? opened : null
  const client = current?.client ?? null
  return { client, failed: current ? 'refused' : late ? 'silent' : null }
}
