import type { LocalDatabase } from '../sync/database.ts'
import type { UnsentChange } from '../sync/device.ts'
import type { Clock } from '../sync/ports.ts'
import type { HeldText } from '../sync/strays.ts'
import type { Accounts } from './remote/accounts.ts'
import { Refused } from './remote/http.ts'
import type { Sessions } from './session.ts'
import type { Workspace } from './workspace.ts'

/** What a copy of unsent texts is called when it is saved. */
export const UNSENT_FILE = 'Unsent articles.html'

/** How long signing out waits for text that is still on its way. */
const DRAIN_MS = 5_000
/** A local database that does not answer by then is left as it is. */
const LOOK_MS = 5_000
const UNFINISHED_KEY = 'contun-unfinished-logouts'

/** `held`: its article did not take the text; null when that only waits. */
export type UnsentArticle = UnsentChange & { held: HeldText | null }

/**
 * Signing out never deletes text silently (Q83) and never depends on the connection (Q84). First
 * `prepare`; when something is left unsent the person decides, then `finish`. What reads the local
 * database came with it; a guest's page has only the rest of this.
 */
export type SignOut = {
  /** Writes everything to disk and tries to send it. Answers what the server still lacks. */
  prepare(): Promise<UnsentArticle[]>
  /** The texts of the unsent articles as one readable file of HTML. */
  copyOf(): Promise<string>
  /**
   * Ends the session here and on the server. 'remove' takes this person's copy off this computer, unless it has texts
   * that the server lost (`hasTextsAlone`): nobody was asked about those.
   */
  finish(localCopy: 'remove' | 'keep'): Promise<void>
  /** Ends the session here alone, so that the sign-in page can be reached; the copy stays on this computer. */
  signInAgain(): Promise<void>
  /** Tells the server about sign-outs that it could not hear of. */
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
  const { sessions, workspace, effects } = options

  async function openDatabase(): Promise<LocalDatabase | null> {
    const session = sessions.read()
    return session ? (await workspace.open(session.user)).database : null
  }

  async function hasTextsHereAlone(): Promise<boolean> {
    const [database, { hasTextsAlone }] = await Promise.all([
      openDatabase(),
      import('../sync/revisions.ts'),
    ])
    return database !== null && hasTextsAlone(database)
  }

  /** True where that cannot be read, or not in time: nothing is removed then. */
  function mayHaveTextsAlone(): Promise<boolean> {
    const silence = new Promise<true>((end) => void effects.after(LOOK_MS, () => end(true)))
    return Promise.race([hasTextsHereAlone().catch(() => true), silence])
  }

  return {
    async prepare() {
      const session = sessions.read()
      if (!session) return []
      const client = await workspace.open(session.user)
      await client.flush()
      if (await client.drain(DRAIN_MS)) return []
      const [{ unsentChanges }, { readUnsentWork }] = await Promise.all([
        import('../sync/device.ts'),
        import('../sync/strays.ts'),
      ])
      const works = await readUnsentWork(client.database)
      const heldBy = new Map(works.map((work) => [work.articleId, work]))
      const changes = await unsentChanges(client.database)
      return changes.map((change) => ({ ...change, held: heldBy.get(change.articleId) ?? null }))
    },
    async copyOf() {
      const database = await openDatabase()
      if (!database) return ''
      const [{ unsentTexts }, { unsentFile }] = await Promise.all([
        import('../sync/device.ts'),
        import('./unsent/unsent-file.ts'),
      ])
      return unsentFile(await unsentTexts(database, effects))
    },
    async finish(localCopy) {
      const session = sessions.read()
      if (!session) return sessions.leave()
      const { access, refresh } = session.tokens
      const refreshToken = refresh.token
      remember(options, [...unfinished(options), refreshToken])
      const remove = localCopy === 'remove' && !(await mayHaveTextsAlone())
      if (!remove) await workspace.close()
      sessions.leave()
      // Removing the copy may have to wait for other tabs.
      void tellServer(options, refreshToken, access.token)
      if (remove) await workspace.discard(session.user)
    },
    async signInAgain() {
      await workspace.close()
      sessions.write(null)
    },
    async retryUnfinished() {
      for (const refreshToken of unfinished(options)) await tellServer(options, refreshToken)
    },
  }
}

/** Any answer settles it; without one it is tried again when the connection is back. */
async function tellServer(
  options: SignOutOptions,
  refreshToken: string,
  bearer?: string,
): Promise<void> {
  try {
    await options.accounts.logout(refreshToken, bearer)
  } catch (error) {
    if (!(error instanceof Refused)) return
  }
  remember(
    options,
    unfinished(options).filter((token) => token !== refreshToken),
  )
}

function unfinished({ storage }: SignOutOptions): string[] {
  try {
    const value: unknown = JSON.parse(storage.getItem(UNFINISHED_KEY) ?? '[]')
    return Array.isArray(value) ? value.filter((token) => typeof token === 'string') : []
  } catch {
    return []
  }
}

function remember({ storage }: SignOutOptions, tokens: string[]): void {
  try {
    if (tokens.length === 0) storage.removeItem(UNFINISHED_KEY)
    else storage.setItem(UNFINISHED_KEY, JSON.stringify(tokens))
  } catch {
    // No room there: a token that the server never hears of ends on its own day.
  }
}
