import { createHash } from 'node:crypto'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type QueryResult,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { Lock } from '../locks.ts'
import type { DatabaseSources } from '../open-database.ts'
import type { NamedQuery } from '../prepared.ts'
import { WriteQueue } from '../sqlite/write-queue.ts'
import { AGENCY_LOCK, NOTE_CHANGE, OF_AGENCY } from './postgres-changes.ts'

/** Locks of a transaction; 'alone' for one that names none. */
export type Locks = readonly Lock[] | 'alone'

/** After a deadlock or a conflict with another transaction. */
const TRIES_MAX = 4

/** Runs a transaction again that conflicted with another one and was rolled back. */
export async function retried<T>(
  pause: DatabaseSources['pause'],
  transaction: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction()
    } catch (fault) {
      if (tries >= TRIES_MAX || !isConflict(fault)) throw fault
      await pause(tries)
    }
  }
}

/** Serialisation failure, deadlock. */
const isConflict = (fault: unknown): boolean =>
  fault instanceof Error && 'code' in fault && ['40001', '40P01'].includes(String(fault.code))

/** The connection to PostgreSQL failed, was lost or timed out. */
export class PostgresUnreachable extends Error {
  readonly code = 'POSTGRES_UNREACHABLE'

  constructor(cause: Error) {
    super(`PostgreSQL cannot be reached: ${cause.message}`, { cause })
    this.name = 'PostgresUnreachable'
  }
}

/**
 * Kysely over a pool of connections, where transactions keep their rules by locks (`Lock`). Reads take no lock and see
 * what is committed.
 */
export class LockingDialect extends PostgresDialect {
  readonly #driver: LockingDriver

  constructor(parts: Omit<Parts, 'queue'>) {
    super({ pool: parts.pool })
    this.#driver = new LockingDriver(parts)
  }

  override createDriver(): Driver {
    return this.#driver
  }

  /** A connection for one transaction, which its caller begins and ends. */
  connection(): Connection {
    return this.#driver.connection()
  }
}

type Parts = {
  pool: Pool
  queue: WriteQueue
  /** Called after each commit that recorded a change. */
  changed: () => void
  pause: DatabaseSources['pause']
}

class LockingDriver implements Driver {
  readonly #parts: Parts

  constructor(parts: Omit<Parts, 'queue'>) {
    this.#parts = { ...parts, queue: new WriteQueue(writersOf(parts.pool.options.max)) }
  }

  connection(): Connection {
    return new Connection(this.#parts)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    return this.connection()
  }

  beginTransaction(connection: Connection): Promise<void> {
    return connection.begin('alone')
  }

  commitTransaction(connection: Connection): Promise<void> {
    return connection.commit()
  }

  rollbackTransaction(connection: Connection): Promise<void> {
    return connection.rollback()
  }

  async releaseConnection(): Promise<void> {}

  destroy(): Promise<void> {
    return this.#parts.pool.end()
  }
}

/** A quarter of the connections, and at least one, is left to readers. */
const writersOf = (connections: number): number =>
  Math.max(1, connections - Math.max(1, Math.floor(connections / 4)))

/** Takes a connection of the pool for each statement that only reads, or one for a whole transaction. */
export class Connection implements DatabaseConnection {
  readonly #parts: Parts
  #writing: PoolClient | null = null
  #leaveQueue = () => {}
  #isOver = false
  #hasChange = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#isOver) throw new Error('The transaction is already over')
    this.#hasChange ||= query.sql.startsWith(NOTE_CHANGE)
    if (this.#writing) return run(this.#writing, query)
    if (isRead(query)) return run(this.#parts.pool, query)
    return retried(this.#parts.pause, () => new Connection(this.#parts).#write(query))
  }

  async #write<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // Statements that are not built may change tables.
    await this.begin(query.query.kind === 'RawNode' ? 'alone' : [])
    try {
      const result = await this.executeQuery<Row>(query)
      await this.commit()
      return result
    } catch (fault) {
      await this.rollback()
      throw fault
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }

  /** Waits for the locks, which are taken in one order by all, so that no two transactions wait for each other. */
  async begin(locks: Locks): Promise<void> {
    const names = locks === 'alone' ? [locks] : [...new Set(locks)].sort()
    this.#leaveQueue = await this.#parts.queue.enter(names)
    try {
      this.#writing = await reached(() => this.#parts.pool.connect())
      await this.#ask(
        `begin; select ${(locks === 'alone' ? [ALONE] : [TOGETHER, ...names.map(taking)]).join(', ')}`,
      )
    } catch (fault) {
      await this.#rollBackAndRelease()
      this.#parts.queue.rejectWaiters(fault, (await this.#isOfAll(fault)) ? undefined : names)
      this.#leaveQueue()
      throw fault
    }
  }

  /** Whether other writers meet the fault too: always, but where a lock that only these names need was not free in time. */
  async #isOfAll(fault: unknown): Promise<boolean> {
    if (!isLockTimeout(fault)) return true
    const alone = `select from pg_locks where ${OF_AGENCY} and mode = 'ExclusiveLock'`
    return this.#parts.pool.query(alone).then(
      ({ rowCount }) => rowCount !== 0,
      () => true,
    )
  }

  /** When it rejects, the outcome of the commit is unknown; the client retries under the same idempotency key. */
  async commit(): Promise<void> {
    this.#isOver = true
    await this.#ask('commit')
    this.#writing?.release()
    this.#writing = null
    this.#leaveQueue()
    if (this.#hasChange) this.#parts.changed()
  }

  /** Does nothing after a commit. */
  async rollback(): Promise<void> {
    this.#isOver = true
    if (this.#writing === null) return
    await this.#rollBackAndRelease()
    this.#leaveQueue()
  }

  /** Destroys a connection whose rollback fails: PostgreSQL then rolls back when it closes. */
  async #rollBackAndRelease(): Promise<void> {
    const isGone = await this.#ask('rollback').then(
      () => false,
      () => true,
    )
    this.#writing?.release(isGone)
    this.#writing = null
  }

  async #ask(command: string): Promise<void> {
    await reached(async () => this.#writing?.query(command))
  }
}

export const ALONE = `pg_advisory_xact_lock(${AGENCY_LOCK})`
export const TOGETHER = `pg_advisory_xact_lock_shared(${AGENCY_LOCK})`

/** Takes the lock of this name. Two names with the same number only wait for each other. */
export const taking = (name: string): string =>
  `pg_advisory_xact_lock(${createHash('sha256').update(name).digest().readBigInt64BE()})`

export async function run<Row>(
  to: Pool | PoolClient,
  { sql, parameters, name }: NamedQuery,
): Promise<QueryResult<Row>> {
  const { rows, rowCount } = await reached(() =>
    name === undefined
      ? to.query(sql, [...parameters])
      : to.query({ name, text: sql, values: [...parameters] }),
  )
  return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
}

const isLockTimeout = (fault: unknown): boolean =>
  fault instanceof Error && 'code' in fault && fault.code === '55P03'

const isRead = ({ query, sql }: CompiledQuery): boolean =>
  query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*select\b/i.test(sql))

/** Errors that PostgreSQL reports have a severity; all others are faults of the connection, whatever their code. */
export async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault
    throw 'severity' in fault ? fault : new PostgresUnreachable(fault)
  }
}
