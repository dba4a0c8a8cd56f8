import { createHash } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { onTestFinished } from 'vitest'
import type { ArticleText } from '../../domain/text/document.ts'
import type { Keyword } from '../../domain/wire/articles.ts'
import type { Role } from '../../domain/wire/users.ts'
import { keysOfPepper, signingKey } from '../accounts/keys.ts'
import { passwordHasher, slowHash } from '../accounts/passwords.ts'
import { startSession } from '../accounts/sessions.ts'
import { createApp } from '../app.ts'
import { createArticle } from '../articles/article-rows.ts'
import { insertClient } from '../clients/client-rows.ts'
import type { Config } from '../config.ts'
import { migrate } from '../database/migrations/migrate.ts'
import { readsOf } from '../database/open-database.ts'
import type { Database, Deps } from '../deps.ts'
import { createChangeFeed } from '../events/change-feed.ts'
import type { Mail } from '../mail/mailer.ts'
import { createHealth } from '../operations/health.ts'
import { watchLoad } from '../operations/load.ts'
import { createMetrics } from '../operations/metrics.ts'
import { createPresence } from '../presence/presence.ts'
import { memoryCounts } from '../throttle/count-store.ts'
import { createThrottle, noThrottle } from '../throttle/throttle.ts'
import { createTraffic } from '../throttle/traffic.ts'
import { insertUser } from '../users/user-rows.ts'
import { countingIds, TEST_START, testClock } from './test-clock.ts'
import { openTestDatabase } from './test-database.ts'
import { heldToDescription } from './test-description.ts'

export { TEST_START }

export const TEST_PASSWORD = 'a river of ink'

export type TestUser = { id: string; name: string; email: string; role: Role; password: string }
export type TestApp = Awaited<ReturnType<typeof createTestApp>>

export type TestOptions = {
  config?: Partial<Config>
  /** A database to go on with, as after a restart. Made and migrated when it is not given. */
  db?: Database
  deps?: Partial<Deps>
  /** Pages and files that the app serves in addition to the API. Undefined: the API only. */
  pages?: MiddlewareHandler
  /** The timers of a clock that is given in `deps`. */
  after?: (ms: number, task: () => void) => () => void
  /** Shared by later tests; the caller has to call `giveBack` in the end. */
  isLasting?: boolean
}

/**
 * The real app over a real database, with a clock that the test moves and ids that count. Nothing here waits, listens
 * or leaves the process. Every response is checked against the description of the API.
 */
export async function createTestApp(options: TestOptions = {}) {
  const clock = testClock()
  const newId = countingIds()
  const tasks: Promise<void>[] = []
  /** Resolves when all background work is done. */
  const settled = async () => {
    while (tasks.length > 0) await tasks.shift()
  }
  const own = options.db
    ? { db: options.db, reads: readsOf(options.db), giveBack: () => {} }
    : await openTestDatabase(newId)
  const { db } = own
  if (options.db) await migrate(db, { now: new Date(clock.now()).toISOString(), newId })
  /** Other tests may have its database. */
  const giveBack = async () => {
    await settled()
    own.giveBack()
  }
  if (!options.isLasting) atEndOfTest(giveBack)
  const sentMail: Mail[] = []
  const logLines: { level: string; message: string; fields: Record<string, unknown> }[] = []
  const config = { ...testConfig, ...options.config }
  const keys = {
    signing: [signingKey('a secret that only the tests know')] as const,
    ...keysOfPepper(Buffer.from('test pepper')),
  }
  const logAt = (level: string) => (fields: object, message: string) => {
    logLines.push({ level, message, fields: { ...fields } })
  }
  const log = { info: logAt('info'), warn: logAt('warn'), error: logAt('error') }
  const health = createHealth(log)
  const after = options.after ?? clock.after
  const changes = createChangeFeed({
    db,
    clock: options.deps?.clock ?? clock,
    log,
    health,
    after,
  })
  const deps: Deps = {
    db,
    reads: options.deps?.db ? readsOf(options.deps.db) : own.reads,
    clock,
    newId,
    randomBytes: countingBytes(),
    keys,
    config,
    passwords: passwordHasher(keys.pepper, config.passwordCost, slowHash),
    mailer: { send: async (mail) => void sentMail.push(mail) },
    throttle: config.rateLimits ? createThrottle(memoryCounts(clock.monotonic), log) : noThrottle,
    traffic: createTraffic({ clock, log }, { isLimited: config.rateLimits }),
    changes,
    presence: createPresence({
      db,
      clock: options.deps?.clock ?? clock,
      log,
      nodeId: 'node',
      changes,
      send: null,
      after,
    }),
    health,
    load: watchLoad(clock, log),
    metrics: createMetrics(),
    version: '1.2.3',
    backupAge: () => null,
    passwordJobs: () => 0,
    log,
    background(task) {
      const work = task()
      tasks.push(work)
      // `settled` reports the failure; a test that ends earlier ignores it.
      work.catch(() => {})
    },
    isDraining: () => false,
    ...options.deps,
  }
  const app = heldToDescription(createApp(deps, options.pages))

  const now = () => new Date(clock.now()).toISOString()
  const cheapHash = await deps.passwords.hash(TEST_PASSWORD)
  const tokens = new Map<string, string>()

  async function user(given: Partial<Omit<TestUser, 'id'>> = {}): Promise<TestUser> {
    const id = newId()
    const person = {
      id,
      name: 'Imogen Hale',
      email: `user-${id.slice(-6)}@contun.example`,
      role: 'user' as Role,
      password: TEST_PASSWORD,
      ...given,
    }
    const passwordHash =
      person.password === TEST_PASSWORD ? cheapHash : await deps.passwords.hash(person.password)
    await insertUser(db, { ...person, passwordHash, createdAt: now() })
    return person
  }

  async function client(
    given: { name?: string; users?: { id: string }[]; moonOwlClient?: boolean } = {},
  ): Promise<{ id: string; name: string }> {
    const { name = 'Fathom Coffee', users = [], moonOwlClient = false } = given
    const id = newId()
    const members = users.map((member) => member.id)
    const client = { id, name, moonOwlClient, users: members, createdAt: now() }
    await db.transaction().execute((inside) => insertClient(inside, client))
    return { id, name }
  }

  async function article(
    given: {
      name?: string
      client?: { id: string } | null
      articleText?: ArticleText
      wordMinimum?: number
      keywordList?: Keyword[]
      completed?: boolean
    } = {},
  ): Promise<{ id: string; name: string }> {
    const { name = 'How to store green coffee', client = null, ...rest } = given
    const id = newId()
    const article = {
      id,
      name,
      clientId: client?.id ?? null,
      wordMinimum: 0,
      articleText: {},
      keywordList: [],
      createdAt: now(),
      authorId: null,
      ...rest,
    }
    await db.transaction().execute((inside) => createArticle(inside, article))
    return { id, name }
  }

  /** A new sign-in of this user, without the cost of a password. */
  async function signIn(person: TestUser) {
    const session = await db.transaction().execute((inside) => startSession(deps, inside, person))
    tokens.set(person.id, session.access.token)
    return session
  }

  async function bearer(person: TestUser | null): Promise<Record<string, string>> {
    if (person === null) return {}
    const token = tokens.get(person.id) ?? (await signIn(person)).access.token
    return { authorization: `Bearer ${token}` }
  }

  /** Calls as this user, who is signed in once, at the first call; null is a caller without a token. */
  function as(person: TestUser | null) {
    const call =
      (method: string) =>
      async (path: string, body?: unknown, headers: Record<string, string> = {}) => {
        const init = {
          method,
          headers: {
            ...(await bearer(person)),
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body: asBody(body) }),
        }
        return app.request(path, init)
      }
    const get = call('GET')
    return {
      get: (path: string, headers?: Record<string, string>) => get(path, undefined, headers),
      post: call('POST'),
      put: call('PUT'),
      patch: call('PATCH'),
      delete: call('DELETE'),
    }
  }

  return {
    app,
    deps,
    db,
    clock,
    sentMail,
    logLines,
    user,
    client,
    article,
    signIn,
    as,
    settled,
    giveBack,
  }
}

function atEndOfTest(task: () => Promise<void>): void {
  try {
    onTestFinished(task)
  } catch {
    // Made before the tests of a file, for all of them: it is theirs until the end of the file.
  }
}

/** Text and bytes go out as they are, anything else as JSON. */
function asBody(body: unknown): string | Uint8Array<ArrayBuffer> | ReadableStream {
  const isReady =
    typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream
  return isReady ? (body as string) : JSON.stringify(body)
}

export const testConfig: Config = {
  port: 3000,
  host: '127.0.0.1',
  publicUrl: 'http://localhost:3000',
  dataDir: '',
  database: { engine: 'sqlite', file: ':memory:' },
  backups: false,
  backupDir: '',
  backupMinutes: 60,
  backupsHourly: 24,
  backupsDaily: 14,
  freeSpaceMinMb: 500,
  metricsToken: null,
  accessTokenMinutes: 30,
  refreshTokenDays: 30,
  resetTokenMinutes: 30,
  refreshGraceSeconds: 60,
  passwordCost: 4,
  passwordBlocklist: false,
  requireSecondStep: 'off',
  rateLimits: false,
  apiDocs: true,
  trustedProxies: [],
  loginAccountDaily: 1_000,
  registerHourly: 5,
  smtpUrl: null,
  mailFrom: 'articles@contun.example',
  productName: 'Contūn Articles',
  agencyName: 'Moon & Owl',
  supportEmail: 'support@contun.example',
  timeZone: 'UTC',
  marketingUrl: 'https://contun.example',
  logLevel: 'silent',
}

function countingBytes() {
  let count = 0
  return (length: number) =>
    createHash('shake256', { outputLength: length }).update(`bytes ${++count}`).digest()
}
