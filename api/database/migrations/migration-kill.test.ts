import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import type { Database } from '../../deps.ts'
import { TEST_START } from '../../testing/test-clock.ts'
import { newPostgresDatabase, openForTest } from '../../testing/test-database.ts'
import type { OpenDatabase } from '../open-database.ts'
import { runStatements } from '../run-statements.ts'
import { openSqlite } from '../sqlite/sqlite.ts'
import { type Migration, migrate } from './migrate.ts'

/** The process dies during a migration, over the engine of this test run. */

const root = fileURLToPath(new URL('../../..', import.meta.url))
const modules = join(root, 'dist/api/database')
const now = new Date(TEST_START).toISOString()
const sources = { now, newId: () => 'an id' }

/** Tables of the old release, and the migration of the new one. */
const OLD = ['create table words (word text)', "insert into words values ('kept')"]
const NEW = ['create table texts (word text)', "update words set word = 'changed'"]

/** Begins the migration and never ends it. */
const CHANGE = `
  const { migrate } = await import('${modules}/migrations/migrate.js')
  const { runStatements } = await import('${modules}/run-statements.js')
  const { openSqlite } = await import('${modules}/sqlite/sqlite.js')
  const { openPostgresBeside } = await import('${modules}/postgres/postgres.js')
  const { FILE, URL } = process.env
  const sources = { now: '${now}', newId: () => 'an id' }
  const steps = {
    '001-old': async () => {},
    '002-new': async (db) => {
      await runStatements(db, ${JSON.stringify(NEW)})
      process.stdout.write('half-way')
      await new Promise(() => setInterval(() => {}, 1_000))
    },
  }
  const begin = (db) => migrate(db, sources, steps)
  if (URL) await begin(openPostgresBeside({ url: URL, connections: 2 }, { log: console }, {}).db)
  else await openSqlite(FILE, '${now}', begin)
`

beforeAll(() => {
  spawnSync('npx', ['tsc', '-b', 'domain', 'api'], { cwd: root })
}, 300_000)

async function place(): Promise<{ env: Record<string, string>; open(): Promise<OpenDatabase> }> {
  const postgres = inject('postgres')
  if (postgres) {
    const url = await newPostgresDatabase(postgres, '')
    return { env: { URL: url }, open: async () => openForTest(url) }
  }
  const folder = mkdtempSync(join(tmpdir(), 'contun-kill-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'contun.sqlite')
  return { env: { FILE: file }, open: () => openSqlite(file, now, async () => {}) }
}

const wordsIn = async (db: Database) =>
  (await sql<{ word: string }>`select word from words`.execute(db)).rows.map(({ word }) => word)

it('a kill -9 half-way through leaves the old tables, and the next start changes them whole', async () => {
  const { env, open } = await place()
  const old: Record<string, Migration> = { '001-old': (db) => runStatements(db, OLD) }
  const before = await open()
  await migrate(before.db, sources, old)
  await before.close()

  const child = spawn(process.execPath, ['--input-type=module', '-e', CHANGE], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = await once(child.stdout, 'data')
  expect(String(printed)).toBe('half-way')
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited

  const { db, close } = await open()
  expect(await wordsIn(db)).toEqual(['kept'])
  await migrate(db, sources, old)
  await migrate(db, sources, { ...old, '002-new': (db) => runStatements(db, NEW) })
  expect(await wordsIn(db)).toEqual(['changed'])
  await close()
})
