import { createStore, type StoreApi } from 'zustand/vanilla'
import { readSession, SESSION_KEY } from '../../domain/access/session.ts'
import type { Session } from '../../domain/wire/users.ts'
import type { SessionStore } from '../../sync/ports.ts'

export type SessionState = {
  session: Session | null
  /** The last sign-out was requested by the user, so the next login does not return to an earlier page. */
  leftOnPurpose: boolean
  /** The id of the signed-in user, or of the last one in this page; null where there was none. */
  lastUserId: string | null
  /** Whose session was ended by force in this tab, until the tab is left or has a session again (Q83). */
  endedUser: { id: string; email: string } | null
}

/** Says to the other tabs whose session is ended by force, for the moment in which it is. */
const ENDED_KEY = 'contun-ended'

/** The stored session, shared by all tabs, together with what the screens watch of it. */
export type Sessions = SessionStore & {
  readonly store: StoreApi<SessionState>
  /** Ends the session at the user's request. */
  leave(): void
  /**
   * Follows what other tabs do. `beforeLeaving` runs before this tab's screens learn that another user, or none, is
   * signed in, so that open texts reach the disk first.
   */
  follow(events: StorageEvents, beforeLeaving: () => Promise<void>): void
}

type StorageEvents = {
  addEventListener(
    type: 'storage',
    listener: (event: { key: string | null; newValue: string | null }) => void,
  ): void
  addEventListener(type: 'pagehide', listener: () => void): void
}

/** `storage` is the browser's local storage; the record under `user` is the only truth (spec section 9). */
export function createSessions(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
): Sessions {
  const read = () => readSession(storage.getItem(SESSION_KEY))
  const store = createStore<SessionState>(() => stateOf(read(), null))

  function write(session: Session | null, leftOnPurpose = false) {
    if (session) storage.setItem(SESSION_KEY, JSON.stringify(session))
    else storage.removeItem(SESSION_KEY)
    show(session, leftOnPurpose)
  }

  function show(session: Session | null, leftOnPurpose: boolean) {
    store.setState(({ lastUserId, endedUser }) => ({
      ...stateOf(session, lastUserId),
      leftOnPurpose,
      endedUser: session ? null : endedUser,
    }))
  }

  function end() {
    // Read from storage: another tab may have written it after the last event that this tab received.
    const endedUser = userOf(read()) ?? store.getState().endedUser
    store.setState({ endedUser })
    try {
      storage.setItem(ENDED_KEY, endedUser?.id ?? '')
      storage.removeItem(ENDED_KEY)
    } catch {
      // No room there: the other tabs do without.
    }
    write(null)
  }

  async function followRecord(beforeLeaving: () => Promise<void>) {
    const known = store.getState().session
    const next = read()
    if (known && known.user.id !== next?.user.id) await beforeLeaving()
    show(read(), false)
  }

  return {
    store,
    read,
    write: (session) => (session ? write(session) : end()),
    leave: () => write(null, true),
    follow(events, beforeLeaving) {
      events.addEventListener('pagehide', () => store.setState({ endedUser: null }))
      events.addEventListener('storage', ({ key, newValue }) => {
        const { session } = store.getState()
        if (key === ENDED_KEY && newValue && newValue === session?.user.id)
          store.setState({ endedUser: userOf(session) })
        if (key === SESSION_KEY || key === null) void followRecord(beforeLeaving)
      })
    },
  }
}

const stateOf = (session: Session | null, lastUserId: string | null): SessionState => ({
  session,
  leftOnPurpose: false,
  lastUserId: session?.user.id ?? lastUserId,
  endedUser: null,
})

const userOf = (session: Session | null): SessionState['endedUser'] =>
  session && { id: session.user.id, email: session.user.email }
