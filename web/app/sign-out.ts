import type { UnsentChange } from '../../sync/device/device.ts'
import type { Clock } from '../../sync/ports.ts'
import type { BlockedText } from '../../sync/status/blocked-drafts.ts'
import type { LocalDatabase } from '../../sync/store/database.ts'
import type { Accounts } from '../remote/accounts.ts'
import { once } from './once.ts'
import type { PendingLogouts } from './pending-logouts.ts'
import type { Sessions } from './session.ts'
import type { Workspace } from './workspace.ts'

/** What a copy of unsent texts is called when it is saved. */
export const UNSENT_FILE = 'Unsent articles.html'

/** How long signing out waits for text that is still on its way. */
const DRAIN_MS = 5_000
/** How long to wait for the local database before it is left as it is. */
const LOOK_MS = 5_000

/** Where logouts are noted that the server has not confirmed: the log-out tokens, each with the end of its session. */
export const LOGOUTS_KEY = 'contun-logouts'
/** Where earlier releases noted them, as refresh tokens. */
export const FORMER_LOGOUTS_KEY = 'contun-unfinished-logouts'

/** `blocked`: its article did not take the text; null when that only waits. */
export type UnsentArticle = UnsentChange & { blocked: BlockedText | null }

/**
 * Signing out never deletes text silently (Q83) and never depends on the connection (Q84). First `prepare`; when
 * something is left unsent the user decides, then `finish`. The code that reads the local database is loaded with it; a
 * guest's page has only the rest.
 */
export type SignOut = {
  /**
   * Writes everything to disk and tries to send it. Returns what the server still lacks; rejects when the local
   * database cannot be read.
   */
  prepare(): Promise<UnsentArticle[]>
  /** The texts of the unsent articles as one readable file of HTML. */
  copyOf(): Promise<string>
  /**
   * Ends the session here and on the server. 'remove' deletes the user's local copy from this device, unless it has
   * texts that the server lost (`hasTextsAlone`): the user was not asked about those.
   */
  finish(localCopy: 'remove' | 'keep'): Promise<void>
  /** Ends the session here alone, so that the sign-in page can be reached; the copy stays on this computer. */
  signInAgain(): Promise<void>
  /** Sends the sign-outs that the server has not received yet. */
  retryUnfinished(): Promise<void>
}

export type SignOutOptions = {
  sessions: Sessions
  workspace: Workspace
  accounts: Accounts
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  effects: Pick<Clock, 'now' | 'after'> & { newId: () => string }
}

export function createSignOut(options: SignOutOptions): SignOut {
  const { sessions, workspace, accounts, storage, effects } = options
  const logouts = once(async () => {
    const { createPendingLogouts } = await import('./pending-logouts.ts')
    return createPendingLogouts({ accounts, storage, clock: effects })
  })
  const inTime: InTime = (answer, instead) => answeredInTime(effects, answer, instead)

  /** Null where that part of the page cannot be fetched. */
  const notes = (): Promise<PendingLogouts | null> => inTime<PendingLogouts | null>(logouts(), null)

  async function openDatabase(): Promise<LocalDatabase | null> {
    const session = sessions.read()
    return session && (await workspace.open(session.user)).database
  }

  return {
    async prepare() {
      const session = sessions.read()
      if (!session) return []
      const opening = workspace.open(session.user)
      const isAnswering = opening.then(({ database }) => database.meta.get('connection'))
      if ((await inTime(isAnswering, null)) === null) throw new Error('No local database')
      const client = await opening
      await client.flush()
      return (await client.drain(DRAIN_MS)) ? [] : unsentArticles(client.database)
    },
    async copyOf() {
      const { unsentFileOf } = await import('../unsent/unsent-file.ts')
      const database = await openDatabase()
      return database ? unsentFileOf(database, effects) : ''
    },
    async finish(localCopy) {
      const session = sessions.read()
      if (!session) return sessions.leave()
      const { access, refresh } = session.tokens
      const noted = await notes()
      noted?.add(refresh)
      // True where that cannot be read, or not in time: nothing is removed then.
      const mayHaveTextsAlone = () => inTime(openDatabase().then(hasTextsHereAlone), true)
      const remove = localCopy === 'remove' && !(await mayHaveTextsAlone())
      if (!remove) await inTime(workspace.close(), undefined)
      sessions.leave()
      // Removing the copy may have to wait for other tabs.
      void accounts
        .logout({ refreshToken: refresh.token }, access.token)
        .then((isSettled) => (isSettled ? noted?.remove(refresh) : noted?.sendLater()))
      if (remove) await workspace.discard(session.user)
    },
    async signInAgain() {
      await workspace.close()
      sessions.write(null)
    },
    async retryUnfinished() {
      const isNoted = [LOGOUTS_KEY, FORMER_LOGOUTS_KEY].some((key) => storage.getItem(key) !== null)
      if (isNoted) await (await notes())?.send()
    },
  }
}

type InTime = <T>(answer: Promise<T>, instead: T) => Promise<T>

/** Resolves with `instead` after a timeout, so that a slow database does not prevent the sign-out. */
function answeredInTime<T>({ after }: SignOutOptions['effects'], answer: Promise<T>, instead: T) {
  const silence = new Promise<T>((end) => void after(LOOK_MS, () => end(instead)))
  return Promise.race([answer.catch(() => instead), silence])
}

async function hasTextsHereAlone(database: LocalDatabase | null): Promise<boolean> {
  const { hasTextsAlone } = await import('../../sync/store/revisions.ts')
  return database !== null && hasTextsAlone(database)
}

async function unsentArticles(database: LocalDatabase): Promise<UnsentArticle[]> {
  const [{ unsentChanges }, { readBlockedDrafts }] = await Promise.all([
    import('../../sync/device/device.ts'),
    import('../../sync/status/blocked-drafts.ts'),
  ])
  const drafts = await readBlockedDrafts(database)
  const blockedBy = new Map(drafts.map((draft) => [draft.articleId, draft]))
  const changes = await unsentChanges(database)
  return changes.map((change) => ({ ...change, blocked: blockedBy.get(change.articleId) ?? null }))
}
