import dns from 'node:dns'
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { startPostgres } from '../../../scripts/embedded-postgres.mjs'
import { silentLine } from '../../testing/silent-line.ts'
import { createTestApp, TEST_START, type TestApp } from '../../testing/test-app.ts'
import { quietSources } from '../../testing/test-clock.ts'
import { newPostgresDatabase } from '../../testing/test-database.ts'
import { lockOf } from '../locks.ts'
import { migrate } from '../migrations/migrate.ts'
import { openPostgres, openPostgresBeside } from './postgres.ts'
import { AGENCY_LOCK } from './postgres-changes.ts'
import { taking } from './postgres-driver.ts'

const WRITERS = 20

const words = (text: string) => ({
  articleText: {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
  },
})

async function office(app: TestApp) {
  const writer = await app.user({ role: 'admin' })
  const articles: string[] = []
  while (articles.length < WRITERS) articles.push((await app.article()).id)
  await app.signIn(writer)
  const patch = (id: string, body: object, key: string) =>
    app.as(writer).patch(`/v1/articles/${id}`, body, { 'idempotency-key': key })
  return {
    read: () => app.as(writer).get(`/v1/articles/${articles[0]}`),
    save: () => Promise.all(articles.map((id) => patch(id, words(`Words of ${id}.`), `key-${id}`))),
    ready: async () => (await app.as(null).get('/readyz')).status,
    alive: async () => (await app.as(null).get('/healthz')).status,
    texts: () =>
      app.db
        .selectFrom('article_revisions')
        .select(['article_id', 'text_version'])
        .where('text_version', '>', 1)
        .orderBy('article_id')
        .execute(),
    articles,
  }
}

const statusesOf = (answers: Response[]) => [...new Set(answers.map(({ status }) => status))]

function expectToComeAgain(answer: Response): void {
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
}

describe('PostgreSQL becomes unreachable', () => {
  async function ownServer() {
    const server = await startPostgres()
    onTestFinished(server.remove)
    const now = new Date(TEST_START).toISOString()
    const address = {
      engine: 'postgres',
      url: `${server.url}/postgres`,
      readUrl: null,
      connections: 5,
    } as const
    const { db, close } = await openPostgres(address, quietSources, (opened) =>
      migrate(opened, { now, newId: () => 'an id' }),
    )
    onTestFinished(close)
    return { server, app: await createTestApp({ db }) }
  }

  it('and every call gets Retry-After, the process survives and resumes automatically with all that was saved', async () => {
    const { server, app } = await ownServer()
    const { read, save, ready, alive, texts } = await office(app)
    expect(statusesOf(await save())).toEqual([200])
    const kept = await texts()
    await server.stop()
    for (const answer of [await read(), ...(await save())]) expectToComeAgain(answer)
    expect([await alive(), await ready()]).toEqual([200, 503])
    await server.start()
    expect([await alive(), await ready()]).toEqual([200, 200])
    expect((await read()).status).toBe(200)
    expect(await texts()).toEqual(kept)
  })

  it('in the middle of saves: acknowledged saves are stored, and retries are applied once', async () => {
    const { server, app } = await ownServer()
    const { save, texts, articles } = await office(app)
    const first = save()
    await Promise.race([first, server.stop()])
    await server.stop()
    const answers = await first
    expect(statusesOf(answers).filter((status) => status !== 200 && status !== 503)).toEqual([])
    await server.start()
    const kept = new Set((await texts()).map(({ article_id }) => article_id))
    for (const [index, { status }] of answers.entries()) {
      if (status === 200) expect(kept).toContain(articles[index])
    }
    expect(statusesOf(await save())).toEqual([200])
    expect((await texts()).map((row) => row.text_version)).toEqual(articles.map(() => 2))
  })
})

describe('PostgreSQL takes connections and does not answer', () => {
  it('every call gets Retry-After within 15 seconds, the process lives, and it resumes', async () => {
    const server = inject('postgres')
    if (server === undefined) throw new Error('These tests are of the project postgres')
    const { line, url } = await silentLine(await newPostgresDatabase(server))
    const { db, close } = openPostgresBeside({ url, connections: 3 }, quietSources)
    onTestFinished(close)
    const app = await createTestApp({ db })
    const { read, save, alive, ready } = await office(app)
    expect((await read()).status).toBe(200)
    line.isDead = true
    const began = performance.now()
    const stuck = [read(), save()] as const
    expect(await alive()).toBe(200)
    expectToComeAgain(await stuck[0])
    for (const answer of await stuck[1]) expectToComeAgain(answer)
    expect(performance.now() - began).toBeLessThan(15_000)
    expect(await ready()).toBe(503)
    line.isDead = false
    await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe(200)
    expect(statusesOf(await save())).toEqual([200])
  })
})

describe('DNS does not answer for the name of PostgreSQL', () => {
  const NAME = 'postgres.larkspur.example'

  /** Until it is silent, the name is that of this computer. */
  function startNames() {
    const names = { areSilent: false }
    const { lookup } = dns
    const find = (name: string, ...rest: unknown[]) => {
      if (name !== NAME) return Reflect.apply(lookup, dns, [name, ...rest])
      return names.areSilent ? undefined : Reflect.apply(lookup, dns, ['127.0.0.1', ...rest])
    }
    Object.assign(dns, { lookup: find })
    onTestFinished(() => void Object.assign(dns, { lookup }))
    return names
  }

  it('every call that needs a new connection gets Retry-After within 15 seconds, and it resumes', async () => {
    const server = inject('postgres')
    if (server === undefined) throw new Error('These tests are of the project postgres')
    const address = await newPostgresDatabase(server)
    const names = startNames()
    const url = address.replace(new URL(address).hostname, NAME)
    const { db, close } = openPostgresBeside({ url, connections: 3 }, quietSources)
    onTestFinished(close)
    const app = await createTestApp({ db })
    const { read, save, alive, ready } = await office(app)
    names.areSilent = true
    expect((await read()).status).toBe(200)
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    await client.end()
    const began = performance.now()
    const stuck = [read(), save()] as const
    expect(await alive()).toBe(200)
    expectToComeAgain(await stuck[0])
    for (const answer of await stuck[1]) expectToComeAgain(answer)
    expect(performance.now() - began).toBeLessThan(15_000)
    expect(await ready()).toBe(503)
    names.areSilent = false
    await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe(200)
    expect(statusesOf(await save())).toEqual([200])
  })
})

describe('PostgreSQL is overloaded', () => {
  async function node(connections: number) {
    const server = inject('postgres')
    if (server === undefined) throw new Error('These tests are of the project postgres')
    const url = await newPostgresDatabase(server)
    const { db, close } = openPostgresBeside({ url, connections }, quietSources)
    onTestFinished(close)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(() => client.end())
    return { app: await createTestApp({ db }), client }
  }

  it('every connection is in use: requests that wait too long get Retry-After, and the others succeed', async () => {
    const { app, client } = await node(2)
    const { read, alive } = await office(app)
    await client.query('begin; lock table articles')
    const stuck = [read(), read(), read()]
    expect(await alive()).toBe(200)
    for (const answer of await Promise.all(stuck)) expectToComeAgain(answer)
    await client.query('rollback')
    expect((await read()).status).toBe(200)
  })

  it('another node holds the write lock too long: waiting writes get Retry-After, and reads are unaffected', async () => {
    const { app, client } = await node(5)
    const { read, save } = await office(app)
    await client.query(`begin; select pg_advisory_xact_lock(${AGENCY_LOCK})`)
    const waiting = save()
    expect((await read()).status).toBe(200)
    for (const answer of await waiting) expectToComeAgain(answer)
    await client.query('commit')
    expect(statusesOf(await save())).toEqual([200])
  })

  it('another node holds the lock of one article too long: its writes get Retry-After, and those of others succeed', async () => {
    const { app, client } = await node(2)
    const { save, articles } = await office(app)
    const lock = taking(lockOf.article(articles[0] ?? ''))
    await client.query(`begin; select ${lock}`)
    const [stuck, ...others] = await save()
    expectToComeAgain(stuck as Response)
    expect(statusesOf(others)).toEqual([200])
    await client.query('commit')
  })

  it('another program makes a deadlock with a single statement: it is retried, and both succeed', async () => {
    const { app, client } = await node(5)
    const [first, second] = [await app.client({ name: 'A' }), await app.client({ name: 'B' })]
    const ids = [first.id, second.id]
    const rename = (id: string) => `update clients set name = name || '!' where id = '${id}'`
    // The other one waits longer, so the deadlock is found by the statement.
    await client.query("set deadlock_timeout = '1min'")
    await client.query(`begin; ${rename(second.id)}`)
    const marked = app.db.updateTable('clients').set({ created_at: 'now' }).where('id', 'in', ids)
    const marking = marked.execute()
    await expect.poll(async () => (await client.query(WAITING)).rowCount).toBe(1)
    await client.query(`${rename(first.id)}; commit`)
    await marking
    const rows = await app.db.selectFrom('clients').select(['name', 'created_at']).execute()
    expect(rows.map(({ name, created_at }) => `${name} ${created_at}`).sort()).toEqual([
      'A! now',
      'B! now',
    ])
  })
})

const WAITING = "select from pg_locks where not granted and locktype = 'transactionid'"
