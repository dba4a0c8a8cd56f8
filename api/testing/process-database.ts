import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'
import { migrate } from '../database/migrations/migrate.ts'
import type { OpenDatabase } from '../database/open-database.ts'
import { openSqlite } from '../database/sqlite/sqlite.ts'
import type { Database } from '../deps.ts'
import { TEST_START } from './test-clock.ts'
import { newPostgresDatabase, openForTest } from './test-database.ts'

/** A database that a test and its child processes open in turn, on the engine of this test run. */

const now = new Date(TEST_START).toISOString()

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Folder of the compiled API modules that child processes import. */
export const MODULES = join(root, 'dist/api')

/** Compiles the modules; returns early if they are up to date. */
export const compileModules = () =>
  void spawnSync('npx', ['tsc', '-b', 'domain', 'api'], { cwd: root })

/** Start of a child's script: opens the database as `db`. */
export const OPEN_DATABASE = `
  const { openSqlite } = await import('${MODULES}/database/sqlite/sqlite.js')
  const { openPostgresBeside } = await import('${MODULES}/database/postgres/postgres.js')
  const { FILE, URL } = process.env
  const { db } = URL
    ? openPostgresBeside({ url: URL, connections: 2 }, { log: console }, {})
    : await openSqlite(FILE, '${now}', async () => {})
`

/** Creates the database. `env` holds the variables that `OPEN_DATABASE` reads. */
export async function processDatabase(): Promise<{
  env: Record<string, string>
  open(): Promise<OpenDatabase>
}> {
  const postgres = inject('postgres')
  if (postgres) {
    const url = await newPostgresDatabase(postgres)
    return { env: { URL: url }, open: async () => openForTest(url) }
  }
  const folder = mkdtempSync(join(tmpdir(), 'contun-process-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'contun.sqlite')
  const prepare = (db: Database) => migrate(db, { now, newId: () => 'an epoch' })
  return { env: { FILE: file }, open: () => openSqlite(file, now, prepare) }
}
