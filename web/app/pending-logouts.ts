import { logoutTokenOf } from '../../domain/access/logout-token.ts'
import type { Token } from '../../domain/wire/users.ts'
import type { Clock } from '../../sync/ports.ts'
import type { Accounts } from '../remote/accounts.ts'
import { FORMER_LOGOUTS_KEY, LOGOUTS_KEY } from './sign-out.ts'

const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 5 * 60_000
/** No session of an earlier release lives longer: what is noted of one is forgotten then. */
const FORMER_LIFE_MS = 400 * 24 * 60 * 60_000

/** `until`: when the session ends without a logout, in milliseconds since 1970. */
type Note = { token: string; until: number }

/**
 * Logouts that the server has not confirmed. The stored data can end the session and do nothing else: other users can
 * read the storage of a device after a sign-out.
 */
export type PendingLogouts = {
  /** For the session of this refresh token, before it ends here. */
  add(refresh: Token): void
  remove(refresh: Token): void
  /** Sends all that is noted, and again after growing pauses until each is settled. */
  send(): Promise<void>
  /** As `send`, after the first pause. */
  sendLater(): void
}

type Options = {
  accounts: Pick<Accounts, 'logout'>
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  clock: Pick<Clock, 'now' | 'after'>
}

export function createPendingLogouts(options: Options): PendingLogouts {
  const { accounts, clock } = options
  const { read, write, put, drop, replaceFormer } = storedNotes(options)
  let pauseMs = FIRST_PAUSE_MS
  let cancelPause = () => {}
  let isSending = false

  async function sendAll(): Promise<void> {
    cancelPause()
    if (isSending) return
    isSending = true
    for (const { token } of read()) {
      if (await accounts.logout({ logoutToken: token })) drop(token)
    }
    isSending = false
    if (read().length > 0) sendAfterPause()
    else write([])
  }

  function sendAfterPause(): void {
    cancelPause()
    cancelPause = clock.after(pauseMs, () => void sendAll())
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }

  return {
    add: ({ token, expires }) =>
      put({
        token: logoutTokenOf(token),
        until: Date.parse(expires) || clock.now() + FORMER_LIFE_MS,
      }),
    remove: ({ token }) => drop(logoutTokenOf(token)),
    send() {
      replaceFormer()
      pauseMs = FIRST_PAUSE_MS
      return sendAll()
    },
    sendLater() {
      pauseMs = FIRST_PAUSE_MS
      sendAfterPause()
    },
  }
}

/** The stored notes, without those whose session has ended. */
function storedNotes({ storage, clock }: Options) {
  function listAt(key: string): unknown[] {
    try {
      const list: unknown = JSON.parse(storage.getItem(key) ?? '[]')
      return Array.isArray(list) ? list : []
    } catch {
      return []
    }
  }

  const read = (): Note[] =>
    listAt(LOGOUTS_KEY)
      .filter(isNote)
      .filter(({ until }) => until > clock.now())

  function write(notes: Note[]): void {
    try {
      if (notes.length === 0) storage.removeItem(LOGOUTS_KEY)
      else storage.setItem(LOGOUTS_KEY, JSON.stringify(notes))
    } catch {
      // No room there: a session that the server is never asked to end has its own end.
    }
  }

  function put(note: Note): void {
    write([...read().filter(({ token }) => token !== note.token), note])
  }

  return {
    read,
    write,
    put,
    drop: (token: string) => write(read().filter((note) => note.token !== token)),
    replaceFormer() {
      const until = clock.now() + FORMER_LIFE_MS
      for (const refreshToken of listAt(FORMER_LOGOUTS_KEY)) {
        if (typeof refreshToken === 'string') put({ token: logoutTokenOf(refreshToken), until })
      }
      storage.removeItem(FORMER_LOGOUTS_KEY)
    },
  }
}

function isNote(value: unknown): value is Note {
  const note = value as Partial<Note> | null
  return typeof note?.token === 'string' && typeof note.until === 'number'
}
