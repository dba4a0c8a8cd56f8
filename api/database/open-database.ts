import { startEpoch } from '../audit/new-epoch.ts'
import type { Database, Log } from '../deps.ts'
import type { CountStore } from '../throttle/count-store.ts'
import type { DatabaseAddress } from './database-address.ts'
import { DatabaseRefused } from './database-refused.ts'
import { type Maintenance, noMaintenance } from './maintenance.ts'
import { isUpToDate, type MigrationSources, migrate } from './migrations/migrate.ts'
import { isSqliteThere, openSqlite, openSqliteBeside } from './sqlite/sqlite.ts'

/** Loaded only when it is the engine: a start over a file does not wait for it. */
const postgres = () => import('./postgres/postgres.ts')

export type OpenDatabase = {
  db: Database
  close(): Promise<void>
}

/** Where requests that only read get their rows. */
export type Reads = {
  /**
   * Runs `work`, which must not write, over a database with everything that was committed before the call: a replica
   * where there is one and it has caught up. `work` runs a second time when the replica fails.
   */
  read<T>(work: (db: Database) => Promise<T>): Promise<T>
  /** How many reads a replica did since the start, and how many it could not do; null without a replica. */
  counts(): { replica: number; primary: number } | null
}

/** Without a replica. */
export const readsOf = (db: Database): Reads => ({ read: (work) => work(db), counts: () => null })

export type NodeListener = {
  /** Called shortly after any node changed something. */
  changed(): void
  /** Called with each text that a node sent. */
  received(text: string): void
}

/** What nodes over one database share in addition to its rows. */
export type Shared = {
  reads: Reads
  /** Listens to all nodes until the database is closed. */
  listen(nodes: NodeListener): void
  /** Sends a text of less than 8,000 bytes to all nodes; it may be lost. Null for a single node. */
  send: ((text: string) => void) | null
  /** Store of the throttles' counts: `own` for a single node, otherwise shared by all nodes. */
  counts(own: CountStore): CountStore
}

export type DatabaseSources = {
  log: Log
  /** A random pause, longer after each failed attempt. */
  pause(tries: number): Promise<void>
}

/** Opens the database and brings it up to date. PostgreSQL is shared with other nodes. */
export async function openDatabase(
  address: DatabaseAddress,
  sources: MigrationSources & DatabaseSources,
): Promise<OpenDatabase & Maintenance & Shared> {
  if (address.engine === 'sqlite') {
    const file = await openFile(address.file, sources, sources.log)
    return { ...file, ...alone, reads: readsOf(file.db) }
  }
  const { openPostgres } = await postgres()
  const database = await openPostgres(address, sources, (db) => bringUp(db, sources))
  return { ...database, ...noMaintenance }
}

async function bringUp(db: Database, sources: MigrationSources): Promise<void> {
  await migrate(db, sources)
  await sources.verify?.(db)
}

const alone: Omit<Shared, 'reads'> = { listen: () => {}, send: null, counts: (own) => own }

/**
 * Opens the file for this process alone and brings it up to date; closing it leaves a single file that contains
 * everything. Without the journal of a killed server the file may be at an earlier state than clients know: a new epoch
 * begins, and `log` says so.
 */
export function openFile(
  file: string,
  sources: MigrationSources,
  log?: Log,
): Promise<OpenDatabase & Maintenance> {
  return openSqlite(file, sources.now, async (db, { isJournalGone }) => {
    await bringUp(db, sources)
    if (!isJournalGone) return
    const { newId, now } = sources
    const deps = { newId, clock: { now: () => Date.parse(now) } }
    await db.transaction().execute((inside) => startEpoch(deps, inside))
    log?.warn({ file }, JOURNAL_GONE)
  })
}

const JOURNAL_GONE =
  'The journal of the server that died before is gone, and the last changes may be gone with it. A new epoch began: every page compares what it has with this data'

/**
 * Opens the database for a short command, whether or not a server is running. It must exist and have the tables of this
 * release: tables are never changed while a server runs.
 */
export async function openBeside(
  address: DatabaseAddress,
  sources: DatabaseSources,
): Promise<OpenDatabase> {
  if (address.engine === 'sqlite') return openFileBeside(address.file)
  const { openPostgresBeside, asRefusal } = await postgres()
  return ofThisRelease(openPostgresBeside(address, sources), 'The database').catch((fault) => {
    throw asRefusal(fault)
  })
}

export async function openFileBeside(file: string): Promise<OpenDatabase> {
  if (!isSqliteThere(file)) throw new DatabaseRefused(`There is no database at ${file}`)
  return ofThisRelease(openSqliteBeside(file), file)
}

async function ofThisRelease(database: OpenDatabase, name: string): Promise<OpenDatabase> {
  try {
    if (await isUpToDate(database.db)) return database
    throw new DatabaseRefused(`${name} is of another release. Start this release on it first`)
  } catch (fault) {
    await database.close()
    throw fault
  }
}
