import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  type QueryResult,
} from 'kysely'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import type { Database } from '../../deps.ts'
import type { DatabaseSources, Reads } from '../open-database.ts'
import type { Tables } from '../tables.ts'
import { PostgresUnreachable, reached, run } from './postgres-driver.ts'

/**
 * A position in the write-ahead log (WAL), in bytes. Positions of different histories cannot be compared: after a failover
 * or a restored backup, the same position may have different content. Null: the server is not a replica.
 */
type WalPosition = { history: string; position: number | null }

/**
 * Epoch, server and timeline. Until its first checkpoint a promoted server has its new timeline only as
 * that of its recovery.
 */
const HISTORY = `concat_ws(' ', (select value from meta where key = 'server_epoch'),
  (select system_identifier from pg_control_system()),
  greatest((select timeline_id from pg_control_checkpoint()),
    (select min_recovery_end_timeline from pg_control_recovery())))`
const bytes = (lsn: string) => `pg_wal_lsn_diff(${lsn}, '0/0')::bigint`

/** Milliseconds, far more than either query takes. */
const TIMEOUT = { query_timeout: 1_000 }

/**
 * The end of the flushed WAL. Every acknowledged commit is before it. A named statement, because planning costs more than
 * running.
 */
const FLUSHED = {
  ...TIMEOUT,
  name: 'flushed',
  text: `select ${HISTORY} as history, ${bytes('pg_current_wal_flush_lsn()')} as position`,
}
/** The end of the replayed WAL. The replica shows every commit before it. */
const REPLAYED = {
  ...TIMEOUT,
  name: 'replayed',
  text: `select ${HISTORY} as history,
    case when pg_is_in_recovery() then ${bytes('pg_last_wal_replay_lsn()')} end as position`,
}

/** How many times a read checks whether a replica has caught up before it uses the primary. */
const CHECKS = 4
/** The pause between attempts to reach a replica stops growing after this many. */
const TRIES_COUNTED = 7

/**
 * Reads from a streaming replica. Each read first gets the WAL position of the primary, in one query for all reads of that
 * moment, and runs on the replica once that has replayed it: so it sees everything that was committed before it began, as
 * on the primary. It runs on the primary when the replica lags, is unreachable or has another history.
 */
export class Replica implements Reads {
  readonly #primary: Database
  readonly #pool: Pool
  readonly #sources: DatabaseSources
  readonly #flushed: () => Promise<WalPosition>
  #counts = { replica: 0, primary: 0 }
  #isUnavailable = false
  /** The last read waited without success, so the next ones check once and do not wait. */
  #isLagging = false
  #isClosed = false

  constructor(primary: { db: Database; pool: Pool }, pool: Pool, sources: DatabaseSources) {
    this.#primary = primary.db
    this.#pool = pool
    this.#sources = sources
    this.#flushed = coalescing(() => positionOf(primary.pool, FLUSHED))
  }

  async read<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const standby = await this.#caughtUpStandby()
    if (standby !== null) {
      const result = await this.#readOn(standby, work)
      if (result !== null) return result.value
    }
    this.#counts.primary += 1
    return work(this.#primary)
  }

  counts(): { replica: number; primary: number } {
    return this.#counts
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#pool.end()
  }

  /** Null when the replica failed. A replica also cancels reads that conflict with replaying the WAL. */
  async #readOn<T>(
    standby: Standby,
    work: (db: Database) => Promise<T>,
  ): Promise<{ value: T } | null> {
    try {
      const value = await work(standby.db)
      standby.release()
      this.#counts.replica += 1
      return { value }
    } catch (fault) {
      const isLost = fault instanceof PostgresUnreachable
      standby.release(isLost)
      if (isLost) this.#suspend(fault)
      if (isLost || isOfPostgres(fault)) return null
      throw fault
    }
  }

  /** A connection to a replica that has replayed everything committed by now; null when the primary has to read. */
  async #caughtUpStandby(): Promise<Standby | null> {
    if (this.#isUnavailable || this.#isBusy()) return null
    const wanted = await this.#wanted()
    if (wanted === null) return null
    let standby: Standby | null = null
    try {
      standby = await this.#connect()
      const checks = this.#isLagging ? 1 : CHECKS
      for (let check = 1; ; check += 1) {
        if (await standby.hasReplayed(wanted)) {
          this.#isLagging = false
          return standby
        }
        if (check === checks) break
        await this.#sources.pause(0)
      }
      this.#isLagging = true
      standby.release()
    } catch (fault) {
      standby?.release(true)
      this.#suspend(fault)
    }
    return null
  }

  /** All connections are in use. Waiting for one would take longer than reading from the primary. */
  #isBusy(): boolean {
    const { idleCount, totalCount, options } = this.#pool
    return idleCount === 0 && totalCount >= options.max
  }

  /** The position to be replayed; null when the primary refuses the query, as a server in recovery does. */
  async #wanted(): Promise<WalPosition | null> {
    try {
      return await this.#flushed()
    } catch (fault) {
      if (fault instanceof PostgresUnreachable) throw fault
      this.#suspend(fault)
      return null
    }
  }

  async #connect(): Promise<Standby> {
    const client = await reached(() => this.#pool.connect())
    const standby = standbys.get(client) ?? new Standby(client)
    standbys.set(client, standby)
    return standby
  }

  #suspend(err: unknown): void {
    if (this.#isUnavailable || this.#isClosed) return
    this.#isUnavailable = true
    this.#sources.log.warn({ err }, 'The replica cannot be used: the primary does all reads')
    void this.#retryUntilReachable()
  }

  async #retryUntilReachable(): Promise<void> {
    for (
      let tries = 1;
      this.#isUnavailable && !this.#isClosed;
      tries = Math.min(tries + 1, TRIES_COUNTED)
    ) {
      await this.#sources.pause(tries)
      try {
        const wanted = await this.#flushed()
        const standby = await this.#connect()
        const isLost = await standby.hasReplayed(wanted).then(
          () => false,
          () => true,
        )
        standby.release(isLost)
        if (isLost) continue
        this.#isUnavailable = false
        this.#sources.log.info({}, 'The replica is used again')
      } catch {
        // It is tried again.
      }
    }
  }
}

const standbys = new WeakMap<PoolClient, Standby>()

/** One connection to a replica. One address may lead to several replicas, each at its own position. */
class Standby {
  readonly db: Database
  readonly #client: PoolClient
  #replayed: WalPosition = { history: '', position: null }

  constructor(client: PoolClient) {
    this.#client = client
    this.db = new Kysely<Tables>({ dialect: new StandbyDialect(client) })
  }

  /** Throws when it has another history than `wanted`. */
  async hasReplayed(wanted: WalPosition): Promise<boolean> {
    if (!isBefore(wanted, this.#replayed)) this.#replayed = await replayedBy(this.#client, wanted)
    return isBefore(wanted, this.#replayed)
  }

  release(isLost = false): void {
    this.#client.release(isLost)
  }
}

const isBefore = (one: WalPosition, other: WalPosition): boolean =>
  one.history === other.history &&
  (one.position ?? Number.POSITIVE_INFINITY) <= (other.position ?? -1)

/** The replayed position. Throws when it cannot be compared with `wanted`. */
async function replayedBy(replica: Pool | PoolClient, wanted: WalPosition): Promise<WalPosition> {
  const replayed = await positionOf(replica, REPLAYED)
  if (replayed.position === null) throw new Error('It is not a replica')
  if (replayed.history !== wanted.history) throw new Error('It has another history')
  return replayed
}

/** Bytes of the WAL that the replica has not replayed yet. Throws when it cannot be used. */
export async function lagOf(primary: Pool, replica: Pool): Promise<number> {
  const flushed = await positionOf(primary, FLUSHED)
  const replayed = await replayedBy(replica, flushed)
  return Math.max(0, Number(flushed.position) - Number(replayed.position))
}

async function positionOf(to: Pool | PoolClient, query: QueryConfig): Promise<WalPosition> {
  const { rows } = await reached(() => to.query<WalPosition>(query))
  return rows[0] ?? { history: '', position: null }
}

/** Statements over one connection that only reads. */
class StandbyDialect extends PostgresDialect {
  readonly #connection: DatabaseConnection

  constructor(client: PoolClient) {
    super({ pool: async () => Promise.reject(new Error('A replica has one connection')) })
    this.#connection = {
      executeQuery: <Row>(query: CompiledQuery) => run<Row>(client, query),
      async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
        yield await run<Row>(client, query)
      },
    }
  }

  override createDriver(): Driver {
    const refuse = () => Promise.reject(new Error('A replica has no transactions'))
    return {
      init: async () => {},
      acquireConnection: async () => this.#connection,
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
      releaseConnection: async () => {},
      destroy: async () => {},
    }
  }
}

/** Runs `work` once for all calls during the previous run. Each call gets the result of a run that began after it. */
function coalescing<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | null = null
  return () => {
    next ??= running.then(
      () => begin(),
      () => begin(),
    )
    return next
  }

  function begin(): Promise<T> {
    next = null
    const run = work()
    running = run
    return run
  }
}

const isOfPostgres = (fault: unknown): boolean => fault instanceof Error && 'severity' in fault
