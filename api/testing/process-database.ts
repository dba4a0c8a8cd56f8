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

/** A database that the test and processes that it starts open one after the other, over the engine of this test run. */

const now = new Date(TEST_START).toISOString()

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The modules of the API for the scripts of such processes, after `compileModules`. */
export const MODULES = join(root, 'dist/api')

/** Does nothing where they are compiled already. */
export const compileModules = () =>
  void spawnSync('npx', ['tsc', '-b', 'domain', 'api'], { cwd: root })

/** The beginning of such a script: opens the database as `db`. */
export const OPEN_DATABASE = `
  const { openSqlite } = await import('${MODULES}/database/sqlite/sqlite.js')
  const { openPostgresBeside } = await import('${MODULES}/database/postgres/postgres.js')
  const { FILE, URL } = process.env
  const { db } = URL
    ? openPostgresBeside({ url: URL, connections: 2 }, { log: console }, {})
    : await openSqlite(FILE, '${now}', async () => {})
`

/** `env`: for `OPEN_DATABASE`. */
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
