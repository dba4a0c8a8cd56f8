import { useEffect, useState } from 'react'
import { Outlet } from 'react-router-dom'
import { useStore } from 'zustand'
import type { User } from '../../domain/wire/users.ts'
import type { SyncClient } from '../../sync/sync-client.ts'
import { SyncProvider, useApp, useSignedIn } from '../app/app-context.tsx'
import type { Workspace } from '../app/workspace.ts'
import { OnDemand } from '../ui/on-demand.tsx'
import { useAbortableEffect } from '../ui/use-abortable-effect.ts'
import { Frame, ScreenPlace } from './frame.tsx'
import type { Trouble } from './storage-trouble.tsx'

/**
 * Runs before any page of the client area (Q8): the guard has seen a session, the user's local database is opened, then
 * the page is shown. The exit snapshots of killed pages are restored in parallel, or before a text that they belong to
 * is opened.
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

/** A database that does not respond within this time is reported as unusable. */
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
