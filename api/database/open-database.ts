import type { Database } from '../deps.ts'
import { DatabaseRefused } from './database-refused.ts'
import { isUpToDate, type MigrationSources, migrate } from './migrate.ts'
import { isSqliteThere, openSqlite, openSqliteBeside } from './sqlite.ts'
import type { Upkeep } from './upkeep.ts'

export type OpenDatabase = {
  db: Database
  close(): Promise<void>
}

/**
 * Opens the database for this process alone and brings it up to date; closing it leaves one file that
 * holds everything.
 */
export async function openDatabase(
  file: string,
  sources: MigrationSources,
): Promise<OpenDatabase & Upkeep> {
  return openSqlite(file, sources.now, (db) => migrate(db, sources))
}

/**
 * Opens the file for a short command, whether or not a server has it. It must be there and of this
 * release: tables are never changed beside a running server.
 */
export async function openBeside(file: string): Promise<OpenDatabase> {
  if (!isSqliteThere(file)) throw new DatabaseRefused(`There is no database at ${file}`)
  const database = openSqliteBeside(file)
  if (await isUpToDate(database.db)) return database
  await database.close()
  throw new DatabaseRefused(`${file} is of another release. Start this release on it first`)
}
