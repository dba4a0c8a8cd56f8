import { type Authority, createSend } from '../../sync/auth/authenticated-send.ts'
import type { Clock, Locks } from '../../sync/ports.ts'
import { createAccounts } from '../remote/accounts.ts'
import { createTransport } from '../remote/http.ts'
import { packLongElsewhere } from '../remote/pack.ts'
import { createPacking } from '../remote/packing.ts'
import { createConnection } from './connection.ts'
import { sayingLate } from './late.ts'
import { once } from './once.ts'
import { createSessions } from './session.ts'

type Effects = {
  clock: Clock
  locks: Locks
  /** The browser's local storage. */
  storage: Storage
  origin: string
  isOnline: boolean
  openPackWorker: () => Worker
}

export type ApiClient = ReturnType<typeof createApiClient>

/** Calls to /v1 with the session of this browser, and what they show of the connection. */
export function createApiClient(effects: Effects) {
  const { clock, locks, storage, origin, isOnline, openPackWorker } = effects
  const connection = createConnection(!isOnline, clock.now)
  const sessions = createSessions(storage)
  const pack = packLongElsewhere(
    once(async () => {
      const { packBeside } = await import('../remote/pack-beside.ts')
      return packBeside(openPackWorker, clock)
    }),
  )
  const packing = createPacking(storage, clock)
  const transport = createTransport({ clock, origin, begin: connection.begin, pack, packing })
  const authority: Authority = {
    transport,
    session: sessions,
    locks,
    clock,
    onSignedOut: () => {},
  }
  const send = sayingLate(clock, createSend(authority))
  return { connection, sessions, authority, send, accounts: createAccounts(send) }
}
