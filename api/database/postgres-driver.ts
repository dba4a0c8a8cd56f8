import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type QueryResult,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { Mutex } from './mutex.ts'

/** Advisory lock that every transaction of every node takes first. The number is arbitrary. */
export const WRITER_LOCK = 4_021_955

/** The connection to PostgreSQL failed, was lost or timed out. */
export class PostgresUnreachable extends Error {
  readonly code = 'POSTGRES_UNREACHABLE'

  constructor(cause: Error) {
    super(`PostgreSQL cannot be reached: ${cause.message}`, { cause })
    this.name = 'PostgresUnreachable'
  }
}

/**
 * Kysely over a pool of connections, with the guarantee of the embedded engine: transactions and single statements that
 * write are serialised across all nodes, so what one of them has read stays true until it is committed. Reads take no
 * lock and see what is committed.
 */
export class OneWriterDialect extends PostgresDialect {
  readonly #pool: Pool

  constructor(pool: Pool) {
    super({ pool })
    this.#pool = pool
  }

  override createDriver(): Driver {
    return new OneWriterDriver(this.#pool)
  }
}

class OneWriterDriver implements Driver {
  readonly #pool: Pool
  /** The writers of this node wait here and not in the pool, so that its connections are free for readers. */
  readonly #writeLock = new Mutex()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    return new Connection(this.#pool, this.#writeLock)
  }

  beginTransaction(connection: Connection): Promise<void> {
    return connection.begin()
  }

  commitTransaction(connection: Connection): Promise<void> {
    return connection.commit()
  }

  rollbackTransaction(connection: Connection): Promise<void> {
    return connection.rollback()
  }

  async releaseConnection(): Promise<void> {}

  destroy(): Promise<void> {
    return this.#pool.end()
  }
}

/** Takes a connection of the pool for each statement that only reads, or one for a whole transaction. */
class Connection implements DatabaseConnection {
  readonly #pool: Pool
  readonly #writeLock: Mutex
  #writing: PoolClient | null = null
  #isOver = false

  constructor(pool: Pool, writeLock: Mutex) {
    this.#pool = pool
    this.#writeLock = writeLock
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#isOver) throw new Error('The transaction is over')
    if (this.#writing) return run(this.#writing, query)
    if (isRead(query)) return run(this.#pool, query)
    return new Connection(this.#pool, this.#writeLock).#write(query)
  }

  async #write<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    await this.begin()
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

  async begin(): Promise<void> {
    await this.#writeLock.acquire()
    try {
      this.#writing = await reached(() => this.#pool.connect())
      await this.#ask(`begin; select pg_advisory_xact_lock(${WRITER_LOCK})`)
    } catch (fault) {
      await this.#rollBackAndRelease()
      this.#writeLock.rejectAll(fault)
      throw fault
    }
  }

  /** When it rejects, the outcome of the commit is unknown; the client retries under the same idempotency key. */
  async commit(): Promise<void> {
    this.#isOver = true
    await this.#ask('commit')
    this.#writing?.release()
    this.#writing = null
    this.#writeLock.release()
  }

  /** Does nothing after a commit. */
  async rollback(): Promise<void> {
    this.#isOver = true
    if (this.#writing === null) return
    await this.#rollBackAndRelease()
    this.#writeLock.release()
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

async function run<Row>(
  to: Pool | PoolClient,
  { sql, parameters }: CompiledQuery,
): Promise<QueryResult<Row>> {
  const { rows, rowCount } = await reached(() => to.query(sql, [...parameters]))
  return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
}

const isRead = ({ query, sql }: CompiledQuery): boolean =>
  query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*select\b/i.test(sql))

/** Errors that PostgreSQL reports have a severity; all others are faults of the connection, whatever their code. */
async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault
    throw 'severity' in fault ? fault : new PostgresUnreachable(fault)
  }
}
