import type { StoreApi } from 'zustand/vanilla'
import type { User } from '../../domain/wire/users.ts'
import {
  type DeviceDatabase,
  deleteLocalDatabase,
  isEmptyWhenOpened,
  keepUnsent,
  recordProfile,
  unsentOnlyInDatabase,
} from '../../sync/device/device.ts'
import type { Clock } from '../../sync/ports.ts'
import { unsentArticles } from '../../sync/status/sync-summary.ts'
import type { LocalDatabase } from '../../sync/store/database.ts'
import { abortAll } from '../../sync/store/open-transactions.ts'
import type { SyncClient } from '../../sync/sync-client.ts'
import { LIST_REST_MS, throttledLiveQuery } from '../throttled-live-query.ts'

export type WorkspaceState = {
  client: SyncClient | null
  /** Articles whose unsent changes the browser removed from this computer before it was opened. */
  lostArticles: number
  /** A newer version of the app has this computer's copy: this page has written its texts and does not go on. */
  outdated: boolean
  /** This newer version waits for older ones in other tabs. */
  blocked: boolean
}

/** The signed-in user's local copy and its sync with the server. One at a time per tab. */
export type Workspace = {
  /** The open one, for the screens; null before and after. */
  readonly store: StoreApi<WorkspaceState>
  /** Opens the local database of `user`, recovers drafts and starts sending. The same for every caller. */
  open(user: User): Promise<SyncClient>
  /**
   * Call when the page enters the back-forward cache: its open transactions would block other pages. Aborted writes are
   * repeated when the page returns; until then the exit snapshot has them.
   */
  putAway(): void
  /** Writes everything open to disk and stops. The copy stays on this computer. */
  close(): Promise<void>
  /** Closes and removes the copy of `user` from this computer, unsent text included. */
  discard(user: User): Promise<void>
}

export type WorkspaceOptions = {
  store: StoreApi<WorkspaceState>
  device: DeviceDatabase
  clock: Clock
  openDatabase: (userId: string) => LocalDatabase
  createClient: (userId: string, database: LocalDatabase) => SyncClient
}

/** An older version in another tab gets this long to write its texts and to let go. */
const GIVE_WAY_MS = 3_000
const NOTE_MS = 3_000

export function createWorkspace(options: WorkspaceOptions): Workspace {
  const { store } = options
  let opened: Opened | null = null
  let last: Opened | null = null
  let ended: Promise<void> = Promise.resolve()

  function begin(user: User): Opened {
    const database = options.openDatabase(user.id)
    giveWay(options, database, () => letGo(database))
    const client = started(options.createClient(user.id, database))
    const starting = { user, database, client, stopCounting: countUnsent(options, user, database) }
    client.then((client) => {
      if (opened === starting) store.setState({ client, blocked: false })
    }, notOpened)
    return starting

    function notOpened(): void {
      starting.stopCounting()
      if (opened === starting) opened = null
      if (database.isOutdated) store.setState({ outdated: true })
    }
  }

  async function letGo(database: LocalDatabase): Promise<void> {
    // The database of a user who has signed out does not concern this page.
    if (opened?.database !== database || !(await isWritten(opened))) return
    store.setState({ outdated: true })
    await close()
  }

  /** Also waits for a close that is already in progress. */
  function close(): Promise<void> {
    if (!opened) return ended
    last = opened
    opened = null
    store.setState({ client: null })
    ended = end(options, last)
    return ended
  }

  async function open(user: User): Promise<SyncClient> {
    if (opened?.user.id !== user.id) await close()
    // Another user's may have been opened in between.
    if (opened && opened.user.id !== user.id) return open(user)
    opened ??= begin(user)
    return opened.client
  }

  return {
    store,
    open,
    putAway: () => abortTransactions(options.device, opened?.database),
    close,
    async discard(user) {
      await close()
      if (last?.user.id === user.id) last.database.close()
      await deleteLocalDatabase(options.openDatabase(user.id), user.id, options.device)
    },
  }
}

type Opened = {
  user: User
  database: LocalDatabase
  client: Promise<SyncClient>
  stopCounting: () => void
}

function abortTransactions(device: DeviceDatabase, database: LocalDatabase | undefined): void {
  abortAll(device.transactions)
  if (database) abortAll(database.transactions)
}

async function started(client: SyncClient): Promise<SyncClient> {
  await client.start()
  // An opened database may never settle a request; then no page is shown. An error counts as settled.
  await client.database.meta.get('connection').catch(() => {})
  return client
}

/** A newer version of the app, in another tab, waits for this one to let go of the database. */
function giveWay(
  { clock, store }: WorkspaceOptions,
  database: LocalDatabase,
  letGo: () => Promise<void>,
): void {
  database.on('versionchange', ({ newVersion }) => {
    // A removed database is the library's own business.
    if (newVersion === null) return true
    database.isOutdated = true
    const inTime = new Promise<void>((resolve) => clock.after(GIVE_WAY_MS, resolve))
    void Promise.race([letGo().catch(() => {}), inTime]).then(() => database.close())
    return false
  })
  database.on('blocked', () => {
    clock.after(GIVE_WAY_MS, () => {
      if (!database.isOpen()) store.setState({ blocked: true })
    })
  })
}

/** Words that could not be written stay where they can be copied. */
async function isWritten({ client, database }: Opened): Promise<boolean> {
  await (await client).flush()
  return database.unsaved.inMemory().length === 0
}

async function end(options: WorkspaceOptions, ending: Opened): Promise<void> {
  const client = await ending.client.catch(() => null)
  ending.stopCounting()
  // Text without room in the database goes to the exit snapshot, where the next sign-in finds it.
  const saveExitSnapshot = () => {
    if (ending.database.unsaved.inMemory().length > 0) client?.saveExitSnapshot()
  }
  saveExitSnapshot()
  await client?.stop()
  // The last write may be the first one that failed.
  saveExitSnapshot()
  const inTime = new Promise<void>((resolve) => options.clock.after(NOTE_MS, resolve))
  const noted = noteUnsent(options, ending.user, ending.database).catch(() => {})
  // A database that hangs holds no sign-out up.
  await Promise.race([noted, inTime])
}

/**
 * Compares the stored note of unsent text with the database, then keeps it current. Returns an unsubscribe function.
 */
function countUnsent(options: WorkspaceOptions, user: User, database: LocalDatabase): () => void {
  let isStopped = false
  let stop = () => {}
  void countLost(options, user.id, database).then((lostArticles) => {
    if (isStopped) return
    options.store.setState({ lostArticles })
    stop = followUnsent(options, user, database)
  })
  return () => {
    isStopped = true
    stop()
  }
}

/**
 * 0 when nothing is missing or that is unknown. Runs in parallel with the opening, so that writing does not wait for
 * it.
 */
async function countLost(
  { device }: WorkspaceOptions,
  userId: string,
  database: LocalDatabase,
): Promise<number> {
  const isEmpty = isEmptyWhenOpened(database)
  const count = await unsentOnlyInDatabase(device, database, userId)
  return (await isEmpty) ? count : 0
}

/** The note that lets the login page say whose text still waits on this computer. */
async function noteUnsent(
  { device, clock }: WorkspaceOptions,
  user: User,
  database: LocalDatabase,
): Promise<void> {
  const unsent = await unsentArticles(database)
  keepUnsent(database, unsent)
  await recordProfile(device, user, unsent.size, clock.now())
}

const NOTE_AGAIN_MS = 1_000

/** Renews the note when it says something else. It is asked for at every save, so it rests in between. */
function followUnsent(options: WorkspaceOptions, user: User, database: LocalDatabase): () => void {
  let isFollowed = true
  const note = () => {
    noteUnsent(options, user, database).catch(() => options.clock.after(NOTE_AGAIN_MS, noteAgain))
  }
  const noteAgain = () => {
    if (isFollowed) note()
  }
  const unsent = async () => [...(await unsentArticles(database))].sort()
  const unfollow = throttledLiveQuery(unsent, options.clock, LIST_REST_MS).subscribe(note)
  return () => {
    isFollowed = false
    unfollow()
  }
}
