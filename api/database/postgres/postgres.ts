import { Kysely, sql, Transaction, type TransactionBuilder } from 'kysely'
import pg from 'pg'
import type { Database } from '../../deps.ts'
import type { PostgresAddress } from '../database-address.ts'
import { DatabaseRefused } from '../database-refused.ts'
import type { Lock, Lockable } from '../locks.ts'
import { type DatabaseSources, type OpenDatabase, readsOf, type Shared } from '../open-database.ts'
import type { Tables } from '../tables.ts'
import { changeNotifier, tidyChanges } from './postgres-changes.ts'
import { sharedCounts } from './postgres-counts.ts'
import { LockingDialect, type Locks, retried } from './postgres-driver.ts'
import { listenToNodes, TEXTS_CHANNEL } from './postgres-news.ts'
import { makePostgresObjects } from './postgres-objects.ts'
import { Replica } from './postgres-replica.ts'

/** In milliseconds. A statement beyond its limit fails with 503, which the client retries. */
const LIMITS = {
  connectionTimeoutMillis: 2_000,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
  // For an unresponsive PostgreSQL: longer than any limit that it enforces.
  query_timeout: 8_000,
}
export type PostgresLimits = typeof LIMITS
/** The primary reads where the replica does not answer. */
const REPLICA_LIMITS = { ...LIMITS, connectionTimeoutMillis: 500 }
const INT8_OID = 20
/** The oldest version that PostgreSQL still maintains. */
const VERSION_MIN = 140_000

/**
 * Opens the database that any number of nodes share and lets `prepare` bring it up to date; nodes that start at once do
 * so one after another. Throws when PostgreSQL cannot be used.
 */
export async function openPostgres(
  address: PostgresAddress,
  sources: DatabaseSources,
  prepare: (db: Database) => Promise<void>,
): Promise<OpenDatabase & Shared> {
  await prepareTables(address, sources, prepare)
  const { db, pool } = openPostgresBeside(address, sources)
  const replica = replicaOf({ db, pool }, address, sources)
  const lines: (() => Promise<void>)[] = []
  return {
    db,
    reads: replica ?? readsOf(db),
    counts: (own) => sharedCounts(pool, own),
    listen: (nodes) => void lines.push(listenToNodes(address.url, sources, nodes)),
    send: (text) =>
      void pool.query('select pg_notify($1, $2)', [TEXTS_CHANNEL, text]).catch(() => {}),
    close: async () => {
      await Promise.all([...lines.map((hangUp) => hangUp()), replica?.close()])
      await db.destroy()
    },
  }
}

function replicaOf(
  primary: { db: Database; pool: pg.Pool },
  { readUrl: url, connections }: PostgresAddress,
  sources: DatabaseSources,
): Replica | null {
  if (url === null) return null
  return new Replica(primary, poolOf({ url, connections }, sources, REPLICA_LIMITS), sources)
}

/** Opens the database without migrating it. Sends no query yet. */
export function openPostgresBeside(
  address: Pick<PostgresAddress, 'url' | 'connections'>,
  sources: DatabaseSources,
  limits: PostgresLimits = LIMITS,
): OpenDatabase & { pool: pg.Pool } {
  const pool = poolOf(address, sources, limits)
  const db = postgresOver(pool, sources.pause)
  return { db, pool, close: () => db.destroy() }
}

/** Migrations have no time limit, also while waiting for another node that runs them. */
async function prepareTables(
  { url }: Pick<PostgresAddress, 'url'>,
  sources: DatabaseSources,
  prepare: (db: Database) => Promise<void>,
): Promise<void> {
  const db = postgresOver(poolOf({ url, connections: 2 }, sources), sources.pause)
  try {
    await refuseUnfit(db)
    await prepare(db)
    await makePostgresObjects(db, sources.log)
  } catch (fault) {
    throw asRefusal(fault)
  } finally {
    await db.destroy()
  }
}

function poolOf(
  { url, connections }: Pick<PostgresAddress, 'url' | 'connections'>,
  { log }: DatabaseSources,
  limits: Partial<PostgresLimits> = { connectionTimeoutMillis: LIMITS.connectionTimeoutMillis },
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: 'contun-articles',
    keepAlive: true,
    types: { getTypeParser },
    ...limits,
  })
  // Without a listener these errors would end the process: those of idle connections, and of one between two statements
  // of a transaction, where the next statement fails.
  pool.on('error', (err) => log.warn({ err }, 'A connection to PostgreSQL was lost'))
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

/** Counts are returned as numbers; none of them comes near the largest safe integer. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text')

/**
 * Creates Kysely over the pool; destroying it ends the pool. `changed` is called after each commit with a change, instead
 * of notifying the nodes and tidying.
 */
export function postgresOver(
  pool: pg.Pool,
  pause: DatabaseSources['pause'],
  changed?: () => void,
): Database {
  return new LockingKysely(pool, pause, changed)
}

type Work<T> = (inside: Transaction<Tables>) => Promise<T>

/** Transactions with locks. One that conflicted with another one and was rolled back is retried. */
class LockingKysely extends Kysely<Tables> implements Lockable {
  readonly #dialect: LockingDialect
  readonly #pause: DatabaseSources['pause']

  constructor(pool: pg.Pool, pause: DatabaseSources['pause'], changed?: () => void) {
    const tidy = () => this.writeUnder([], tidyChanges)
    const dialect = new LockingDialect({
      pool,
      changed: changed ?? changeNotifier(pool, pause, tidy),
      pause,
    })
    super({ dialect })
    this.#dialect = dialect
    this.#pause = pause
  }

  override transaction(): TransactionBuilder<Tables> {
    const builder = super.transaction()
    builder.execute = (work) => this.#tryToWrite('alone', work)
    return builder
  }

  writeUnder<T>(locks: readonly Lock[], work: (inside: Database) => Promise<T>): Promise<T> {
    return this.#tryToWrite(locks, work)
  }

  #tryToWrite<T>(locks: Locks, work: Work<T>): Promise<T> {
    return retried(this.#pause, () => this.#write(locks, work))
  }

  async #write<T>(locks: Locks, work: Work<T>): Promise<T> {
    const dialect = this.#dialect
    const connection = dialect.connection()
    await connection.begin(locks)
    try {
      const executor = this.getExecutor().withConnectionProvider({
        provideConnection: (use) => use(connection),
      })
      const driver = dialect.createDriver()
      const result = await work(new Transaction({ config: { dialect }, dialect, driver, executor }))
      await connection.commit()
      return result
    } catch (fault) {
      await connection.rollback()
      throw fault
    }
  }
}

async function refuseUnfit(db: Database): Promise<void> {
  const { rows } = await sql<{ version: string; encoding: string }>`select
    current_setting('server_version_num') as version,
    current_setting('server_encoding') as encoding`.execute(db)
  const { version = '', encoding } = rows[0] ?? {}
  if (Number(version) < VERSION_MIN) throw new DatabaseRefused('PostgreSQL 14 or newer is needed')
  if (encoding !== 'UTF8')
    throw new DatabaseRefused(`The database must be in UTF8, and it is in ${encoding}`)
}

/** Returns what PostgreSQL or its connection reports as a DatabaseRefused, and any other fault as it is. */
export function asRefusal(fault: unknown): unknown {
  if (fault instanceof DatabaseRefused || !(fault instanceof Error)) return fault
  return 'code' in fault ? new DatabaseRefused(`DATABASE_URL: ${fault.message}`) : fault
}
