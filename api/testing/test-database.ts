import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { type Migration, migrate, migrations } from '../database/migrations/migrate.ts'
import { type Reads, readsOf } from '../database/open-database.ts'
import { openPostgresBeside } from '../database/postgres/postgres.ts'
import { Replica } from '../database/postgres/postgres-replica.ts'
import Sqlite from '../database/sqlite/better-sqlite3.ts'
import { kyselyOver, openMemoryDatabase } from '../database/sqlite/sqlite.ts'
import type { Database } from '../deps.ts'
import { quietSources, TEST_START } from './test-clock.ts'
import type { TestPostgres } from './test-postgres.ts'

export type TestDatabase = {
  db: Database
  reads: Reads
  /** Releases the database for another test; it must not be used any more. Further calls do nothing. */
  giveBack(): void
}

/**
 * An empty database with its tables, over the engine that this run of the tests is for. `newId` is called as
 * often as making the tables calls it.
 */
export async function openTestDatabase(newId: () => string): Promise<TestDatabase> {
  const postgres = inject('postgres')
  if (postgres) return borrowed(postgres, newId)
  const db = await migratedInMemory(newId)
  return { db, reads: readsOf(db), giveBack: () => {} }
}

/** A database without tables, over the same engine. */
export async function openEmptyDatabase(): Promise<Database> {
  const postgres = inject('postgres')
  return postgres ? openForTest(await newPostgresDatabase(postgres, '')).db : openMemoryDatabase()
}

/** Those of earlier releases. */
export const migrationsBefore = (number: string): Record<string, Migration> =>
  Object.fromEntries(Object.entries(migrations).filter(([name]) => name < number))

let migrated: { bytes: Buffer; ids: number } | undefined
/** The databases in memory. */
const connections = new WeakMap<Database, Sqlite.Database>()

/** Makes copies of a test's database as it is now; null over PostgreSQL. */
export function copiesOf(db: Database): (() => Database) | null {
  const bytes = connections.get(db)?.serialize()
  return bytes === undefined ? null : () => inMemory(new Sqlite(bytes))
}

function inMemory(sqlite: Sqlite.Database): Database {
  const db = kyselyOver(sqlite)
  connections.set(db, sqlite)
  return db
}

/** Migrating is most of what an app costs, so all but the first start with a copy of the first one's database. */
async function migratedInMemory(newId: () => string): Promise<Database> {
  if (migrated) {
    for (let taken = 0; taken < migrated.ids; taken += 1) newId()
    return inMemory(new Sqlite(migrated.bytes))
  }
  const sqlite = new Sqlite(':memory:')
  let ids = 0
  const counted = () => {
    ids += 1
    return newId()
  }
  const db = inMemory(sqlite)
  await migrate(db, { now: new Date(TEST_START).toISOString(), newId: counted })
  migrated = { bytes: sqlite.serialize(), ids }
  return db
}

/** Databases that no test has at the moment: emptying one is much quicker than making one. */
const idle: Borrowed[] = []
type Borrowed = Pick<TestDatabase, 'db' | 'reads'>

async function borrowed(postgres: TestPostgres, newId: () => string): Promise<TestDatabase> {
  for (let taken = 0; taken < postgres.ids; taken += 1) newId()
  const database = (await emptied(idle.pop())) ?? (await copyOfTemplate(postgres))
  let isBorrowed = true
  return {
    ...database,
    giveBack() {
      if (isBorrowed) idle.push(database)
      isBorrowed = false
    },
  }
}

/** A new database with its tables, as an address for as many nodes as the test wants. */
export async function newPostgresDatabase(
  { url, template }: Pick<TestPostgres, 'url' | 'template'>,
  options = `template ${template} strategy file_copy`,
): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await ask(url, `create database ${name} ${options}`)
  return `${url}/${name}`
}

/** Drops a database whose address newPostgresDatabase returned. */
export async function dropPostgresDatabase(address: string): Promise<void> {
  const { url, template } = templateAt(address)
  await ask(url, `drop database ${template} with (force)`)
}

/** A filled database as the template of others. It must have no open connections. */
export function templateAt(address: string): Pick<TestPostgres, 'url' | 'template'> {
  const end = address.lastIndexOf('/')
  return { url: address.slice(0, end), template: address.slice(end + 1) }
}

async function ask(url: string, command: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${url}/postgres` })
  await client.connect()
  await client.query(command)
  await client.end()
}

async function copyOfTemplate(postgres: TestPostgres): Promise<Borrowed> {
  const url = await newPostgresDatabase(postgres)
  const { db, pool } = openForTest(url)
  if (postgres.replica === null) return { db, reads: readsOf(db) }
  const readUrl = `${postgres.replica}/${templateAt(url).template}`
  const replica = openForTest(readUrl).pool
  return { db, reads: new Replica({ db, pool }, replica, quietSources) }
}

/** Undefined when there is none, or when its test closed it. */
async function emptied(database: Borrowed | undefined): Promise<Borrowed | undefined> {
  if (database === undefined) return undefined
  try {
    // Alone: what the last test left behind may still be tidied.
    await database.db.transaction().execute((inside) => sql`select fresh.empty()`.execute(inside))
    return database
  } catch {
    return undefined
  }
}

/** With limits that also a machine keeps that has much else to do. */
export const openForTest = (url: string) =>
  openPostgresBeside({ url, connections: 5 }, quietSources, PATIENT)

const PATIENT = {
  connectionTimeoutMillis: 60_000,
  statement_timeout: 60_000,
  lock_timeout: 60_000,
  idle_in_transaction_session_timeout: 60_000,
  query_timeout: 60_000,
}
