import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import type { Database } from '../../deps.ts'
import { makeFolder } from '../../process/folders.ts'
import { DatabaseRefused } from '../database-refused.ts'
import { createMaintenance, type Maintenance } from '../maintenance.ts'
import type { OpenDatabase } from '../open-database.ts'
import type { Tables } from '../tables.ts'
import Sqlite from './better-sqlite3.ts'
import { foreignJournal, isJournalGone, quickFaultOf } from './sqlite-check.ts'
import { GroupingDialect } from './sqlite-driver.ts'

/** Longest time that a foreign lock may stop the whole server, in milliseconds. */
const BUSY_TIMEOUT_MS = 500
const JOURNAL_BYTES_MAX = 64 * 1024 * 1024

/** Whether this file was ever opened successfully: from then on it must exist. */
export const isInstalled = (file: string): boolean => existsSync(markerOf(file))

/** Whether the database has data, including a file that was copied without its companion files. */
export const hasData = (file: string): boolean =>
  isInstalled(file) || (existsSync(file) && statSync(file).size > 0)

/** Whether the file was set up and exists. */
export const isSqliteThere = (file: string): boolean => isInstalled(file) && existsSync(file)

/** An empty database that lives as long as the process, for tests. */
export function openMemoryDatabase(): Database {
  return kyselyOver(new Sqlite(':memory:'))
}

/**
 * Opens the file for this process alone and lets `prepare` bring it up to date; it gets whether the journal of a server
 * that died is missing. `now` (ISO) is written into marker files next to it. A file that existed and is now missing,
 * empty or damaged is refused: an empty database would look as if nothing had ever been written.
 */
export async function openSqlite(
  file: string,
  now: string,
  prepare: (db: Database, found: { isJournalGone: boolean }) => Promise<void>,
): Promise<OpenDatabase & Maintenance> {
  await makeFolder(dirname(file)).catch((fault: Error) => {
    throw unwritable(file, fault)
  })
  const lock = takeLock(file)
  const opened: { close(): unknown }[] = [lock]
  try {
    refuseLostFile(file)
    keepPrivate(file)
    // Read before opening, which creates a journal.
    const found = { isJournalGone: isJournalGone(file, wasStopped(file)) }
    const writer = openSound(file)
    opened.push(writer)
    const reader = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS })
    opened.push(reader)
    const db = kyselyOver(writer, reader)
    await prepare(db, found)
    writeFileSync(markerOf(file), `${now}\n`, { flush: true })
    writeFileSync(inUseOf(file), `${now}\n`, { flush: true })
    const maintenance = createMaintenance(writer, reader)
    const close = async () => {
      try {
        optimizeOnce(maintenance)
        await db.destroy()
        // Last: when the checkpoint of the journal fails, the next start has to check for the journal.
        forgetUse(file)
      } finally {
        lock.close()
      }
    }
    return { db, close, ...maintenance }
  } catch (fault) {
    for (const connection of opened.reverse()) connection.close()
    throw isSqliteFault(fault, ...UNWRITABLE) ? unwritable(file, fault) : fault
  }
}

/** Statistics can be updated later; a stop does not fail for them. */
function optimizeOnce(maintenance: Maintenance): void {
  try {
    maintenance.optimize()
  } catch {}
}

/** Opens the file whether or not a server has it. */
export function openSqliteBeside(file: string): OpenDatabase {
  const db = kyselyOver(new Sqlite(file, { fileMustExist: true }))
  return { db, close: () => db.destroy() }
}

/**
 * Opens the file of a stopped server, without writing to it or to its journal. Null where it is missing, or its journal
 * is missing or belongs to another file.
 */
export function openSqliteToRead(file: string): OpenDatabase | null {
  if (!existsSync(file) || isJournalGone(file, wasStopped(file))) return null
  if (foreignJournal(file) !== null) return null
  const writer = new Sqlite(file, { readonly: true, fileMustExist: true })
  const db = new Kysely<Tables>({ dialect: new GroupingDialect({ writer, reader: null }) })
  return { db, close: () => db.destroy() }
}

/** Marker that the file once had data. */
export const markerOf = (file: string) => `${file}.installed`
/** Exists while a server has the file, and after a server that did not shut down cleanly. */
const inUseOf = (file: string) => `${file}.in-use`

export const wasStopped = (file: string): boolean => !existsSync(inUseOf(file))

/** Records that no server has the file. Only for the holder of its lock. */
export const forgetUse = (file: string): void => rmSync(inUseOf(file), { force: true })

/**
 * A lock that the kernel releases when the process dies, however it dies. It is on a separate file, so that backups and
 * reads of the database stay possible.
 */
export function takeLock(file: string): { close(): unknown } {
  let lock: Sqlite.Database | undefined
  try {
    lock = new Sqlite(`${file}.lock`, { timeout: 0 })
    lock.exec('begin exclusive')
    return lock
  } catch (fault) {
    lock?.close()
    if (isSqliteFault(fault, 'SQLITE_BUSY')) {
      throw new DatabaseRefused(`Another process is already serving ${file}`)
    }
    throw isSqliteFault(fault, ...UNWRITABLE) ? unwritable(file, fault) : fault
  }
}

/**
 * Restricts files that an earlier start created with an open umask. Files of another owner are not changed; a folder
 * with the name of the file is refused later.
 */
function keepPrivate(file: string): void {
  for (const end of ['', '-wal', '-shm']) {
    try {
      const found = statSync(`${file}${end}`)
      if (found.isFile() && (found.mode & 0o077) !== 0) chmodSync(`${file}${end}`, 0o600)
    } catch {}
  }
}

function ensureWritable(file: string): void {
  try {
    closeSync(openSync(file, 'r+'))
  } catch (fault) {
    throw unwritable(file, fault as Error)
  }
}

const UNWRITABLE = ['SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_IOERR', 'SQLITE_FULL']

const unwritable = (file: string, { message }: Error) =>
  new DatabaseRefused(
    `${file} cannot be written (${message}). The file and its folder must belong to the account ` +
      'that runs the server, and the disk must have room: docs/operations.md, "Who owns the data"',
  )

function refuseLostFile(file: string): void {
  const size = existsSync(file) ? statSync(file).size : null
  if (!isInstalled(file) || (size !== null && size > 0)) return
  const state = size === null ? 'missing' : 'empty'
  throw new DatabaseRefused(
    `${file} is ${state}, but it held data before. ` +
      `Restore it from a backup, or remove ${markerOf(file)} to begin with nothing`,
    { needsBackup: true },
  )
}

function openSound(file: string): Sqlite.Database {
  // Before opening: SQLite would write an existing journal into the file, and open a read-only file without an error.
  if (existsSync(file)) {
    ensureWritable(file)
    const foreign = foreignJournal(file)
    if (foreign !== null) throw damaged(file, foreign)
  }
  const sqlite = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    const fault = quickFaultOf(sqlite, file)
    if (fault !== null) throw damaged(file, fault)
    return sqlite
  } catch (fault) {
    sqlite.close()
    const isDamaged = isSqliteFault(fault, 'SQLITE_NOTADB', 'SQLITE_CORRUPT')
    throw isDamaged ? damaged(file, fault.message) : fault
  }
}

const damaged = (file: string, how: string) =>
  new DatabaseRefused(
    `${file} is damaged (${how.replace(/\s+/g, ' ')}). Restore it from a backup`,
    {
      exitCode: 3,
      needsBackup: true,
    },
  )

function isSqliteFault(fault: unknown, ...codes: string[]): fault is Error {
  return fault instanceof Sqlite.SqliteError && codes.some((code) => fault.code.startsWith(code))
}

/**
 * Hands the connection to Kysely, configured so that a confirmed write survives a power cut. With a second connection
 * for reads outside of transactions, concurrent transactions share a commit.
 */
export function kyselyOver(
  writer: Sqlite.Database,
  reader: Sqlite.Database | null = null,
): Database {
  setUp(writer)
  if (reader !== null) {
    setUp(reader)
    reader.pragma('query_only = ON')
  }
  return new Kysely<Tables>({ dialect: new GroupingDialect({ writer, reader }) })
}

function setUp(sqlite: Sqlite.Database): void {
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
  sqlite.pragma('trusted_schema = OFF')
  sqlite.pragma('cell_size_check = ON')
  sqlite.pragma('wal_autocheckpoint = 1000')
  sqlite.pragma(`journal_size_limit = ${JOURNAL_BYTES_MAX}`)
}
