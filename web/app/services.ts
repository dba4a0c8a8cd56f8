import { createSend } from '../../sync/auth/authenticated-send.ts'
import type { Bus, Clock, Locks } from '../../sync/ports.ts'
import { createAccounts } from '../remote/accounts.ts'
import { createTransport } from '../remote/http.ts'
import { packLongElsewhere } from '../remote/pack.ts'
import { createPacking } from '../remote/packing.ts'
import { createConnection } from './connection.ts'
import { once } from './once.ts'
import { createPreloadedArticle } from './preloaded-article.ts'
import { createSessions } from './session.ts'
import { createSignOut } from './sign-out.ts'
import { createWorkspaceStore, openLater } from './workspace-later.ts'

export type Effects = {
  clock: Clock
  random: () => number
  newId: () => string
  locks: Locks
  bus: Bus
  storage: Storage
  location: Location
  isOnline: boolean
  /** Whether the tabs of this browser can agree on who keeps the event stream open. */
  hasLocks: boolean
  openPackWorker: () => Worker
}

export type Services = ReturnType<typeof createServices>

/** What talks to the server and to the local database, made of the effects of the page. */
export function createServices(effects: Effects) {
  const { clock, random, newId, locks, bus, storage, location } = effects
  const { origin } = location
  const connection = createConnection(!effects.isOnline, clock.now)
  const { begin } = connection
  const sessions = createSessions(storage)
  const pack = packLongElsewhere(
    once(async () => {
      const { packBeside } = await import('../remote/pack-beside.ts')
      return packBeside(effects.openPackWorker, clock)
    }),
  )
  const packing = createPacking(storage, clock)
  const transport = createTransport({ clock, origin, begin, pack, packing })
  const authority = { transport, session: sessions, locks, clock, onSignedOut: () => {} }
  const send = createSend(authority)
  const accounts = createAccounts(send)

  const store = createWorkspaceStore()
  /** False once the server has responded: browsers are sometimes wrong about being offline. */
  const isCutOff = () => connection.store.getState().cutOff
  const local = once(async () => {
    const { createLocal } = await import('./local.ts')
    return createLocal({
      store,
      ports: { clock, random, newId, locks, bus, isCutOff },
      snapshotStore: storage,
      authority,
      sessions,
      origin,
      streams: effects.hasLocks ? { origin, begin } : null,
    })
  })
  const workspace = openLater(store, async () => (await local()).workspace)
  const timing = { now: clock.now, after: clock.after, newId }
  const signOut = createSignOut({ sessions, workspace, accounts, storage, effects: timing })
  const preloadedArticle = createPreloadedArticle(clock)
  return { connection, sessions, send, accounts, local, workspace, signOut, preloadedArticle }
}
