import { liveQuery } from 'dexie'
import { type Authority, createSend } from '../../sync/auth/authenticated-send.ts'
import { createStream } from '../../sync/auth/authenticated-stream.ts'
import { openDeviceDatabase, type ProfileRow, readProfiles } from '../../sync/device/device.ts'
import type { Ports } from '../../sync/ports.ts'
import { openLocalDatabase } from '../../sync/store/database.ts'
import { createSyncClient } from '../../sync/sync-client.ts'
import { sendLast } from '../remote/send-last.ts'
import { createStreamTransport } from '../remote/stream.ts'
import type { BeginExchange } from './connection.ts'
import { createWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts'

/** The local data of the users who signed in on this device. */
export type Local = {
  workspace: Workspace
  /**
   * Notifies of the users of this device, latest first, now and after every change; returns an unsubscribe function.
   */
  followProfiles: (notify: (profiles: ProfileRow[]) => void) => () => void
  /** The unsent work of a user on this computer; see `sync/device/unsent-work-left.ts`. */
  unsentWorkLeft: (userId: string) => Promise<number | 'gone'>
  /** Everything unsent of a user of this computer, signed in or not, as one readable file of HTML. */
  readUnsentFile: (userId: string) => Promise<string>
}

export type LocalOptions = {
  store: WorkspaceOptions['store']
  ports: Pick<Ports, 'clock' | 'random' | 'newId' | 'locks' | 'bus' | 'isCutOff'>
  /** The browser's local storage. */
  snapshotStore: Storage
  authority: Authority
  origin: string
  begin: BeginExchange
  /** Where tabs cannot share one event stream there is none: each would use up one of the few connections. */
  canShareStream: boolean
}

/** Loaded only where a user is signed in or was before; guests do not need it. */
export function createLocal(options: LocalOptions): Local {
  const { store, ports, snapshotStore, authority, origin, begin, canShareStream } = options
  const { clock, newId } = ports
  const device = openDeviceDatabase()
  const openDatabase = (userId: string) => openLocalDatabase(userId, { snapshotStore })
  const workspace = createWorkspace({
    store,
    device,
    clock,
    openDatabase,
    createClient: (userId, database) =>
      createSyncClient(
        {
          ...ports,
          send: createSend({ ...authority, userId }),
          sendLast(request) {
            const session = authority.session.read()
            if (session?.user.id !== userId) return
            sendLast({ origin }, { ...request, bearer: session.tokens.access.token })
          },
          ...(canShareStream && {
            stream: createStream(
              { ...authority, userId },
              createStreamTransport({ origin, begin }),
            ),
          }),
        },
        {
          userId,
          tabId: newId(),
          database,
          prune: async (...given) =>
            (await import('../../sync/history/prune-revisions.ts')).pruneRevisions(...given),
          loadPresence: async () => (await import('../../sync/presence/presence.ts')).openPresence,
          signedInUser: () => authority.session.read()?.user.id ?? null,
        },
      ),
  })
  const effects = { now: clock.now, newId }
  return {
    workspace,
    followProfiles(notify) {
      const following = liveQuery(() => readProfiles(device).catch(() => [])).subscribe(notify)
      return () => following.unsubscribe()
    },
    unsentWorkLeft: async (userId) =>
      (await import('../../sync/device/unsent-work-left.ts')).unsentWorkLeft(userId, {
        snapshotStore,
      }),
    readUnsentFile: async (userId) =>
      (await import('../unsent/unsent-file.ts')).readUnsentFile(openDatabase(userId), effects),
  }
}
