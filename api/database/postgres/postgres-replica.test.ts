import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  type PostgresServer,
  startPostgres,
  startReplica,
} from '../../../scripts/embedded-postgres.mjs'
import { silentLine } from '../../testing/silent-line.ts'
import { createTestApp, TEST_START, type TestApp, type TestUser } from '../../testing/test-app.ts'
import { quietSources } from '../../testing/test-clock.ts'
import { migrate } from '../migrations/migrate.ts'
import { openPostgres } from './postgres.ts'
import { examinePostgres } from './postgres-doctor.ts'

/** A primary with default settings, a streaming replica of it, and a node with the addresses of both. */

const ARTICLES = 20

let primary: PostgresServer
let replica: PostgresServer
let app: TestApp
let admin: TestUser
let close: () => Promise<void>
let lines: string[]

const open = (readUrl: string, url = `${primary.url}/postgres`) =>
  openPostgres(
    { engine: 'postgres', url, readUrl, connections: 5 },
    {
      ...quietSources,
      pause: (tries) => new Promise((resolve) => setTimeout(resolve, Math.min(tries, 2) * 10)),
      log: { ...quietSources.log, info: noted, warn: noted },
    },
    (db) => migrate(db, { now: new Date(TEST_START).toISOString(), newId: () => 'an id' }),
  )
const noted = (_fields: object, message: string) => void lines.push(message)

beforeAll(async () => {
  lines = []
  primary = await startPostgres()
  replica = await startReplica(primary)
  const { db, reads, ...opened } = await open(`${replica.url}/postgres`)
  close = opened.close
  app = await createTestApp({ db, deps: { reads }, isLasting: true })
  admin = await app.user({ role: 'admin' })
  await app.signIn(admin)
})
beforeEach(() => {
  lines = []
})
afterAll(async () => {
  await app.giveBack()
  await close()
  await replica.remove()
  await primary.remove()
})

const counts = () => ({ replica: 0, primary: 0, ...app.deps.reads.counts() })

/** The response to a GET request, and which server its reads ran on. */
async function get(path: string, node = app) {
  const before = { ...counts() }
  const answer = await node.as(admin).get(path)
  const after = counts()
  const body: { results?: { name: string }[]; name?: string } = await answer.json()
  const by = after.replica > before.replica ? 'replica' : 'primary'
  return { status: answer.status, by, body }
}

async function askReplica(statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: `${replica.url}/postgres` })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

async function rename(id: string, name: string): Promise<void> {
  const { status } = await app.as(admin).patch(`/v1/articles/admin/${id}`, { name })
  expect(status).toBe(200)
}

describe('a replica', () => {
  it('runs the reads, and each read sees what was written before it', {
    tags: ['@PE-15'],
  }, async () => {
    const { id } = await app.article()
    const found: (string | undefined)[] = []
    const wanted: string[] = []
    const before = { ...counts() }
    for (let at = 0; at < ARTICLES; at += 1) {
      const name = `Name ${at}`
      wanted.push(name, name)
      await rename(id, name)
      found.push((await get(`/v1/articles/${id}`)).body.name)
      const { results } = (await get(`/v1/articles?name=${encodeURIComponent(name)}`)).body
      found.push(results?.[0]?.name)
    }
    expect(found).toEqual(wanted)
    expect(counts().replica - before.replica).toBeGreaterThan(ARTICLES)
  })

  it('that lags is not used until it has caught up', async () => {
    const { id } = await app.article()
    await get(`/v1/articles/${id}`)
    await askReplica('select pg_wal_replay_pause()')
    await rename(id, 'While it lags')
    const late = await get(`/v1/articles/${id}`)
    expect([late.by, late.body.name]).toEqual(['primary', 'While it lags'])
    await askReplica('select pg_wal_replay_resume()')
    await expect.poll(async () => (await get(`/v1/articles/${id}`)).by).toBe('replica')
    expect((await get(`/v1/articles/${id}`)).body.name).toBe('While it lags')
  })

  it('that stops is replaced by the primary until it is back, and no read fails', async () => {
    const { id } = await app.article({ name: 'Here' })
    const read = async () => {
      const { status, body } = await get(`/v1/articles/${id}`)
      return `${status} ${body.name}`
    }
    const reading = Promise.all(Array.from({ length: ARTICLES }, read))
    await replica.stop()
    expect(new Set(await reading)).toEqual(new Set(['200 Here']))
    expect(await get(`/v1/articles/${id}`)).toMatchObject({ by: 'primary', status: 200 })
    expect(lines).toContain('The replica cannot be used: the primary does all reads')
    await replica.start()
    await expect.poll(async () => (await get(`/v1/articles/${id}`)).by).toBe('replica')
    expect(lines.at(-1)).toBe('The replica is used again')
  })

  it('that takes connections and does not answer is replaced by the primary within 10 seconds', async () => {
    const { line, url } = await silentLine(`${replica.url}/postgres`)
    const { reads, close } = await open(url)
    onTestFinished(close)
    const users = () => reads.read((db) => db.selectFrom('users').select('id').execute())
    const replicaReads = async () => (await users()) && reads.counts()?.replica
    await expect.poll(replicaReads).toBeGreaterThan(0)
    line.isDead = true
    const began = performance.now()
    const found = await Promise.all([users(), users(), users()])
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(found.every((ids) => ids.length > 0)).toBe(true)
    expect(lines).toContain('The replica cannot be used: the primary does all reads')
    const before = reads.counts()?.replica ?? 0
    line.isDead = false
    await expect.poll(replicaReads, { timeout: 10_000 }).toBeGreaterThan(before)
  })

  it.each([
    [
      'loses its connection',
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'contun-articles'`,
    ],
    ['fails', 'select 1'],
  ])('whose read %s: the read runs on the primary', async (_, statement) => {
    const seen: string[] = []
    const value = await app.deps.reads.read(async (db) => {
      const isReplica = db !== app.db
      seen.push(isReplica ? 'replica' : 'primary')
      if (isReplica) await askReplica(statement)
      // PostgreSQL refuses it on a replica.
      await sql`select pg_current_wal_lsn()`.execute(db)
      return db.selectFrom('users').select('email').where('id', '=', admin.id).execute()
    })
    expect(value).toEqual([{ email: admin.email }])
    expect(seen).toEqual(['replica', 'primary'])
    await expect.poll(async () => (await get('/v1/users')).by).toBe('replica')
  })

  it('of another server is not used, even if its WAL is longer', async () => {
    const restored = await startPostgres()
    onTestFinished(restored.remove)
    for (let length = 0; length < 3; length += 1) await sql`select pg_switch_wal()`.execute(app.db)
    await expect.poll(async () => (await get('/v1/users')).by).toBe('replica')
    const { reads, close } = await open(`${replica.url}/postgres`, `${restored.url}/postgres`)
    onTestFinished(close)
    expect(await reads.read((db) => db.selectFrom('users').select('id').execute())).toEqual([])
    expect(lines).toContain('The replica cannot be used: the primary does all reads')
  })
})

it('that is unavailable while the primary is unavailable too: the database can be closed', async () => {
  const alone = await startPostgres()
  onTestFinished(alone.remove)
  const node = await open(`${primary.url}/postgres`, `${alone.url}/postgres`)
  const users = () => node.reads.read((db) => db.selectFrom('users').select('id').execute())
  expect(await users()).toEqual([])
  await alone.stop()
  for (let times = 0; times < ARTICLES; times += 1) await expect(users()).rejects.toThrow()
  await node.close()
})

it('of the old primary is not used after a failover, even if its WAL is longer', async () => {
  const old = await startPostgres()
  onTestFinished(old.remove)
  const promoted = await startReplica(old)
  onTestFinished(promoted.remove)
  const left = await startReplica(old)
  onTestFinished(left.remove)
  const ask = async ({ url }: PostgresServer, statement: string) => {
    const client = new pg.Client({ connectionString: `${url}/postgres` })
    await client.connect()
    const { rows } = await client.query(statement)
    await client.end()
    return rows
  }
  const before = await open(`${left.url}/postgres`, `${old.url}/postgres`)
  await before.close()
  await ask(promoted, 'select pg_promote()')
  for (let length = 0; length < 3; length += 1) await ask(old, 'select pg_switch_wal()')
  await ask(old, "insert into meta values ('after the failover', 'lost')")
  await expect
    .poll(() => ask(left, "select 1 from meta where key = 'after the failover'"))
    .toHaveLength(1)
  const node = await open(`${left.url}/postgres`, `${promoted.url}/postgres`)
  onTestFinished(node.close)
  const keys = await node.reads.read((db) => db.selectFrom('meta').select('key').execute())
  expect(keys.map(({ key }) => key)).not.toContain('after the failover')
})

it('is examined by the doctor, with its lag', async () => {
  const findings = async (readUrl: string) => {
    const address = { engine: 'postgres', url: `${primary.url}/postgres`, connections: 2 } as const
    const expected = { pepper: null, config: { requireSecondStep: 'off' } } as const
    const all = await examinePostgres({ ...address, readUrl }, quietSources, expected)
    return all.filter(({ name }) => name === 'replica').map(({ isWell, says }) => [isWell, says])
  }
  await expect.poll(() => findings(`${replica.url}/postgres`)).toEqual([[true, '0 bytes behind']])
  expect(await findings(`${primary.url}/postgres`)).toEqual([[false, 'It is not a replica']])
})

it.each([
  ['the primary itself', () => `${primary.url}/postgres`],
  ['no server', () => 'postgres://127.0.0.1:1/postgres'],
])(
  'at the address of %s is no replica: the primary does the reads, and the log says so',
  async (_, address) => {
    const { reads, close } = await open(address())
    const users = () => reads.read((db) => db.selectFrom('users').select('id').execute())
    expect(await users()).toHaveLength(1)
    expect(await users()).toHaveLength(1)
    expect(reads.counts()).toEqual({ replica: 0, primary: 2 })
    expect(lines).toContain('The replica cannot be used: the primary does all reads')
    await close()
  },
)
