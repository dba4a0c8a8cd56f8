import { describe, expect, it } from 'vitest'
import { noMaintenance } from '../database/maintenance.ts'
import { migrate } from '../database/migrations/migrate.ts'
import Sqlite from '../database/sqlite/better-sqlite3.ts'
import { kyselyOver } from '../database/sqlite/sqlite.ts'
import { tableNames } from '../database/sqlite/sqlite-check.ts'
import { jobs } from '../process/housekeeping.ts'
import { createTestApp, TEST_START } from '../testing/test-app.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const text = (line: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: line }] }],
})

/** An app over a database whose handle the test has, with a writer who is signed in. */
async function scene() {
  const sqlite = new Sqlite(':memory:')
  const db = kyselyOver(sqlite)
  await migrate(db, { now: new Date(TEST_START).toISOString(), newId: () => 'an id' })
  const app = await createTestApp({ db })
  const writer = await app.user()
  const { id } = await app.article({ client: await app.client({ users: [writer] }) })
  const { refresh } = await app.signIn(writer)
  const ask = {
    save: (line: string) => app.as(writer).patch(`/v1/articles/${id}`, { articleText: text(line) }),
    read: () => app.as(writer).get(`/v1/articles/${id}`),
    list: () => app.as(writer).get('/v1/articles/client/myArticles'),
    login: () =>
      app.as(null).post('/v1/auth/login', { email: writer.email, password: writer.password }),
    refresh: () => app.as(null).post('/v1/auth/refresh-tokens', { refreshToken: refresh.token }),
    ready: () => app.app.request('/readyz'),
  }
  const statuses = async () => {
    const all = await Promise.all([
      ask.save('new'),
      ask.read(),
      ask.list(),
      ask.login(),
      ask.refresh(),
    ])
    return all.map(({ status }) => status)
  }
  const contents = async () => JSON.stringify(sqlite.prepare('select * from articles').all())
  return { app, sqlite, ask, statuses, contents }
}

/** Makes every write fail for want of space, as on a full disk. Returns the undo. */
function fill(sqlite: Sqlite.Database): () => void {
  const tables = tableNames(sqlite)
  sqlite.exec('create table heap (bytes blob)')
  for (const table of tables) {
    for (const change of ['insert', 'update', 'delete']) {
      sqlite.exec(`create trigger "${change} ${table}" after ${change} on "${table}"
        begin insert into heap values (zeroblob(50000)); end`)
    }
  }
  sqlite.pragma(`max_page_count = ${Number(sqlite.pragma('page_count', { simple: true }))}`)
  return () => sqlite.pragma('max_page_count = 1000000')
}

describe('a full disk', () => {
  it('refuses writes with 507, serves reads, ends no session, and recovers when there is space', async () => {
    const { sqlite, ask, statuses, contents } = await scene()
    const makeRoom = fill(sqlite)
    const before = await contents()
    expect(await statuses()).toEqual([507, 200, 200, 507, 503])
    expect(await (await ask.save('new')).json()).toMatchObject({ reason: 'storage_full' })
    expect(await contents()).toBe(before)
    expect((await ask.ready()).status).toBe(200)
    makeRoom()
    expect(await statuses()).toEqual([200, 200, 200, 200, 200])
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  })

  it('notes the use of a token as soon as there is room', async () => {
    const { sqlite, ask } = await scene()
    const seen = () => sqlite.prepare('select seen_counter from sessions').pluck().get()
    const makeRoom = fill(sqlite)
    expect([(await ask.read()).status, seen()]).toEqual([200, 0])
    makeRoom()
    expect([(await ask.read()).status, seen()]).toEqual([200, 1])
  })
})

describe('a database that became read-only', () => {
  it('returns 503 with Retry-After for writes, and serves reads', async () => {
    const { sqlite, ask, statuses } = await scene()
    sqlite.pragma('query_only = ON')
    expect(await statuses()).toEqual([503, 200, 200, 503, 503])
    expect((await ask.save('new')).headers.get('retry-after')).toBe('2')
    expect((await ask.ready()).status).toBe(200)
    sqlite.pragma('query_only = OFF')
    expect(await statuses()).toEqual([200, 200, 200, 200, 200])
  })
})

describe('a page that turns out to be damaged', () => {
  it('makes the server unready: nothing is written, readable data is served, no user is signed out', async () => {
    const { app, sqlite, ask, contents } = await scene()
    const before = await contents()
    // SQLite itself reports the fault: the first page of the revisions is replaced by a page of an index.
    sqlite.unsafeMode(true)
    sqlite.pragma('writable_schema = ON')
    sqlite.exec(`update sqlite_master set rootpage =
      (select rootpage from sqlite_master where type = 'index' limit 1) where name = 'article_revisions'`)
    sqlite.pragma('writable_schema = RESET')
    expect((await ask.save('new')).status).toBe(503)
    expect((await ask.ready()).status).toBe(503)
    expect([(await ask.login()).status, (await ask.refresh()).status]).toEqual([503, 503])
    expect([(await ask.read()).status, (await ask.list()).status]).toEqual([200, 200])
    expect(await contents()).toBe(before)
    expect((await app.app.request('/healthz')).status).toBe(200)
    const told = app.logLines.filter(({ message }) => message.startsWith('The database is damaged'))
    expect(told).toHaveLength(1)
  })
})

describe('a clock that jumps', () => {
  /** Sets the wall clock wrong, but not the monotonic one. */
  async function jumping() {
    const jump = { ms: 0 }
    const clock = { now: () => TEST_START + jump.ms, monotonic: () => 0 }
    const app = await createTestApp({ deps: { clock }, config: { rateLimits: true } })
    const writer = await app.user()
    const { id } = await app.article({ client: await app.client({ users: [writer] }) })
    const { refresh } = await app.signIn(writer)
    const refreshes = () =>
      app.as(null).post('/v1/auth/refresh-tokens', { refreshToken: refresh.token })
    const save = (line: string) =>
      app.as(writer).patch(`/v1/articles/${id}`, { articleText: text(line) })
    return { app, jump, writer, refreshes, save }
  }

  it('by an hour costs one refresh', async () => {
    const { jump, refreshes, save } = await jumping()
    jump.ms = HOUR
    expect((await save('one')).status).toBe(401)
    expect((await refreshes()).status).toBe(200)
  })

  it('by 60 days refuses requests, and deletes no session: set back, the session continues', async () => {
    const { app, jump, refreshes, save } = await jumping()
    jump.ms = DAY + 60 * DAY
    expect([(await save('one')).status, (await refreshes()).status]).toEqual([401, 401])
    for (const job of jobs(app.deps, noMaintenance)) await job.run()
    jump.ms = DAY
    expect((await refreshes()).status).toBe(200)
  })

  it('back by an hour refuses no request, and no article gets older', async () => {
    const { jump, refreshes, save } = await jumping()
    const first = await (await save('one')).json()
    jump.ms = -HOUR
    expect((await refreshes()).status).toBe(200)
    const second = await (await save('two')).json()
    expect(Date.parse(second.updatedAt)).toBe(Date.parse(first.updatedAt) + 1)
  })

  it('lifts no throttle', async () => {
    const { app, jump } = await jumping()
    const ask = async () =>
      (await app.as(null).post('/v1/auth/forgot-password', { email: 'a@b.example' })).status
    for (let times = 0; times < 10; times += 1) await ask()
    for (const ms of [0, HOUR, 60 * DAY, -HOUR]) {
      jump.ms = ms
      expect(await ask()).toBe(429)
    }
  })
})
