import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import {
  type PostgresServer,
  startPostgres,
  startReplica,
} from '../../scripts/embedded-postgres.mjs'
import { runCount } from '../../scripts/test-depth.ts'
import { migrate } from '../database/migrations/migrate.ts'
import { openPostgres } from '../database/postgres/postgres.ts'
import type { Database } from '../deps.ts'
import { countingIds, quietSources, TEST_START } from './test-clock.ts'

/** A real PostgreSQL for the tests, with a database that is migrated and copied for each of them. */
export type TestPostgres = {
  /** Without the name of a database. */
  url: string
  template: string
  /** Address of a replica, which does the reads of every test; null in the usual run. */
  replica: string | null
  /** Ids that the migrations took. */
  ids: number
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Undefined where the tests run over SQLite. */
    postgres?: TestPostgres
  }
}

const TEMPLATE = 'contun_template'
/** Durability is not needed: the next run recreates the data. */
const FAST = ['fsync=off', 'full_page_writes=off', 'max_connections=300']

/** Runs once before the tests of the project; the returned function runs after them. */
export default async function startForTests(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres(FAST)
  try {
    const ids = await makeTemplate(server)
    const replica = runCount('REPLICAS') > 0 ? await startReplica(server) : null
    const { url } = server
    project.provide('postgres', { url, template: TEMPLATE, ids, replica: replica?.url ?? null })
    return async () => {
      await replica?.remove()
      await server.remove()
    }
  } catch (fault) {
    await server.remove()
    throw fault
  }
}

async function makeTemplate({ url, server }: PostgresServer): Promise<number> {
  await server.createDatabase(TEMPLATE)
  let ids = 0
  const next = countingIds()
  const newId = () => {
    ids += 1
    return next()
  }
  const now = new Date(TEST_START).toISOString()
  const address = {
    engine: 'postgres',
    url: `${url}/${TEMPLATE}`,
    readUrl: null,
    connections: 2,
  } as const
  const { db, close } = await openPostgres(address, quietSources, (db) =>
    migrate(db, { now, newId }),
  )
  await makeEmptying(db)
  await close()
  return ids
}

/**
 * Makes the function `empty()` in a new schema: it makes a database that was used what it is now, without a look at
 * references or triggers.
 */
export async function makeEmptying(db: Database, schema = 'fresh'): Promise<void> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = 'public' and tablename <> 'migrations'`.execute(db)
  const steps = [`create schema ${schema}`, 'set local check_function_bodies = off']
  const refills: string[] = []
  for (const { name } of rows) {
    steps.push(`create table ${schema}."${name}" as select * from "${name}"`)
    const isFilled = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db)
    refills.push(`delete from public."${name}"`)
    if (isFilled.rows.length > 0)
      refills.push(`insert into public."${name}" select * from ${schema}."${name}"`)
  }
  steps.push(`create function ${schema}.empty() returns void language sql
    set session_replication_role = replica as $$ ${refills.join('; ')} $$`)
  await sql.raw(steps.join('; ')).execute(db)
}
