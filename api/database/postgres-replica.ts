import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  type QueryResult,
} from 'kysely'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import type { Database } from '../deps.ts'
import type { DatabaseSources, Reads } from './open-database.ts'
import { PostgresUnreachable, reached, run } from './postgres-driver.ts'
import type { Tables } from './tables.ts'

/**
 * A place in the journal of PostgreSQL, in bytes. Places of different histories cannot be compared: after a failover or
 * a restored backup, equal places may have different content. Null: not a replica.
 */
type Place = { history: string; position: number | null }

/** The second timeline is that of a server that was promoted and has not made its first checkpoint since. */
const HISTORY = `concat_ws(' ', (select value from meta where key = 'server_epoch'),
  (select system_identifier from pg_control_system()),
  greatest((select timeline_id from pg_control_checkpoint()),
    (select min_recovery_end_timeline from pg_control_recovery())))`
const bytes = (place: string) => `pg_wal_lsn_diff(${place}, '0/0')::bigint`

/** In milliseconds: an answer takes far less than one. */
const QUESTION = { query_timeout: 1_000 }

/**
 * Every commit that was acknowledged is before this place, because an acknowledged commit is on the disk. It has a name,
 * because planning costs more than running.
 */
const COMMITTED = {
  ...QUESTION,
  name: 'committed',
  text: `select ${HISTORY} as history, ${bytes('pg_current_wal_flush_lsn()')} as position`,
}
/** The replica shows all commits before this place. */
const APPLIED = {
  ...QUESTION,
  name: 'applied',
  text: `select ${HISTORY} as history,
    case when pg_is_in_recovery() then ${bytes('pg_last_wal_replay_lsn()')} end as position`,
}

/** How many times a read asks a replica whether it has caught up, before it goes to the primary. */
const LOOKS = 4
/** The pause between attempts to use a replica again stops growing after this many. */
const TRIES_COUNTED = 7

/**
 * Reads from a replica that applies the journal of the primary. Each read first asks the primary for its place in the
 * journal, together with all reads of that moment, and runs on the replica when that has applied it: so it sees
 * everything that was committed before it began, as on the primary. The primary does the reads of a replica that is
 * late, cannot be reached or is of another history.
 */
export class Replica implements Reads {
  readonly #primary: Database
  readonly #pool: Pool
  readonly #sources: DatabaseSources
  readonly #committed: () => Promise<Place>
  #done = { replica: 0, primary: 0 }
  #isAway = false
  /** The last read waited in vain, so the next ones do not wait at all. */
  #isLate = false
  #isOver = false

  constructor(primary: { db: Database; pool: Pool }, pool: Pool, sources: DatabaseSources) {
    this.#primary = primary.db
    this.#pool = pool
    this.#sources = sources
    this.#committed = together(() => placeOf(primary.pool, COMMITTED))
  }

  async read<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const standby = await this.#caughtUp()
    if (standby !== null) {
      const result = await this.#readOn(standby, work)
      if (result !== null) return result.value
    }
    this.#done.primary += 1
    return work(this.#primary)
  }

  counts(): { replica: number; primary: number } {
    return this.#done
  }

  async close(): Promise<void> {
    this.#isOver = true
    await this.#pool.end()
  }

  /** Null when the replica failed, which also cancels reads that hinder it in applying the journal. */
  async #readOn<T>(
    standby: Standby,
    work: (db: Database) => Promise<T>,
  ): Promise<{ value: T } | null> {
    try {
      const value = await work(standby.db)
      standby.release()
      this.#done.replica += 1
      return { value }
    } catch (fault) {
      const isLost = fault instanceof PostgresUnreachable
      standby.release(isLost)
      if (isLost) this.#leave(fault)
      if (isLost || isOfPostgres(fault)) return null
      throw fault
    }
  }

  /** A connection to the replica on which everything is visible that is committed now; null when the primary has to read. */
  async #caughtUp(): Promise<Standby | null> {
    if (this.#isAway || this.#isBusy()) return null
    const wanted = await this.#wanted()
    if (wanted === null) return null
    let standby: Standby | null = null
    try {
      standby = await this.#connect()
      const looks = this.#isLate ? 1 : LOOKS
      for (let look = 1; ; look += 1) {
        if (await standby.shows(wanted)) {
          this.#isLate = false
          return standby
        }
        if (look === looks) break
        await this.#sources.pause(0)
      }
      this.#isLate = true
      standby.release()
    } catch (fault) {
      standby?.release(true)
      this.#leave(fault)
    }
    return null
  }

  /** All connections are in use: waiting for one would take longer than the primary. */
  #isBusy(): boolean {
    const { idleCount, totalCount, options } = this.#pool
    return idleCount === 0 && totalCount >= options.max
  }

  /** Null when the primary refuses to name its place, as long as it is a replica itself. */
  async #wanted(): Promise<Place | null> {
    try {
      return await this.#committed()
    } catch (fault) {
      if (fault instanceof PostgresUnreachable) throw fault
      this.#leave(fault)
      return null
    }
  }

  async #connect(): Promise<Standby> {
    const client = await reached(() => this.#pool.connect())
    const standby = standbys.get(client) ?? new Standby(client)
    standbys.set(client, standby)
    return standby
  }

  #leave(err: unknown): void {
    if (this.#isAway || this.#isOver) return
    this.#isAway = true
    this.#sources.log.warn({ err }, 'The replica cannot be used: the primary does all reads')
    void this.#comeBack()
  }

  async #comeBack(): Promise<void> {
    for (let tries = 1; this.#isAway && !this.#isOver; tries = Math.min(tries + 1, TRIES_COUNTED)) {
      await this.#sources.pause(tries)
      try {
        const wanted = await this.#committed()
        const standby = await this.#connect()
        const isLost = await standby.shows(wanted).then(
          () => false,
          () => true,
        )
        standby.release(isLost)
        if (isLost) continue
        this.#isAway = false
        this.#sources.log.info({}, 'The replica is used again')
      } catch {
        // It is tried again.
      }
    }
  }
}

const standbys = new WeakMap<PoolClient, Standby>()

/** One connection to a replica. Behind one address there may be several replicas, each at a place of its own. */
class Standby {
  readonly db: Database
  readonly #client: PoolClient
  #applied: Place = { history: '', position: null }

  constructor(client: PoolClient) {
    this.#client = client
    this.db = new Kysely<Tables>({ dialect: new StandbyDialect(client) })
  }

  /** Throws when it has another history than `wanted`. */
  async shows(wanted: Place): Promise<boolean> {
    if (!isBefore(wanted, this.#applied)) this.#applied = await appliedOn(this.#client, wanted)
    return isBefore(wanted, this.#applied)
  }

  release(isLost = false): void {
    this.#client.release(isLost)
  }
}

const isBefore = (one: Place, other: Place): boolean =>
  one.history === other.history &&
  (one.position ?? Number.POSITIVE_INFINITY) <= (other.position ?? -1)

/** How far the replica is. Throws when it cannot be compared with `wanted`. */
async function appliedOn(replica: Pool | PoolClient, wanted: Place): Promise<Place> {
  const applied = await placeOf(replica, APPLIED)
  if (applied.position === null) throw new Error('It is not a replica')
  if (applied.history !== wanted.history) throw new Error('It has another history')
  return applied
}

/** Bytes of the journal that the replica has not applied yet. Throws when it cannot be used. */
export async function lagOf(primary: Pool, replica: Pool): Promise<number> {
  const committed = await placeOf(primary, COMMITTED)
  const applied = await appliedOn(replica, committed)
  return Math.max(0, Number(committed.position) - Number(applied.position))
}

async function placeOf(to: Pool | PoolClient, place: QueryConfig): Promise<Place> {
  const { rows } = await reached(() => to.query<Place>(place))
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

/** Runs `work` once for all calls that come during the run before. Each call gets the result of a run that began after it. */
function together<T>(work: () => Promise<T>): () => Promise<T> {
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
