import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../database/open-database.ts'
import Sqlite from '../database/sqlite/better-sqlite3.ts'
import { staticFiles } from '../http/static-files.ts'
import { createTestApp, TEST_START, type TestUser, testConfig } from '../testing/test-app.ts'
import { quietSources } from '../testing/test-clock.ts'

/** The shipped composition: a file with its two connections, and the app with its pages over it. */

const PAGE_BYTES = 4_096
const faults: unknown[] = []
const noteFault = (fault: unknown) => void faults.push(fault)
const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  while (ends.length > 0) await ends.pop()?.()
})

async function openShipped() {
  const folder = mkdtempSync(join(tmpdir(), 'contun-staying-up-'))
  const file = join(folder, 'contun.sqlite')
  const sources = { ...quietSources, now: new Date(TEST_START).toISOString(), newId: () => 'an id' }
  const database = await openDatabase({ engine: 'sqlite', file }, sources)
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, noteFault)
  ends.push(async () => {
    // Lets a timer that is due run inside the test.
    await new Promise((due) => setImmediate(due))
    for (const event of ['uncaughtException', 'unhandledRejection']) process.off(event, noteFault)
    await database.close().catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  })
  const built = join(folder, 'public')
  mkdirSync(built)
  writeFileSync(join(built, 'index.html'), '<!doctype html>')
  const pages = staticFiles(built, testConfig)
  const app = await createTestApp({ db: database.db, pages })
  return { app, database, file, folder }
}

/** Overwrites every page with rows of this table with garbage, in the file and not in the journal. */
function damage(file: string, table: string): void {
  const other = new Sqlite(file)
  other.pragma('wal_checkpoint(TRUNCATE)')
  const leaves = "select pageno from dbstat where name = ? and pagetype = 'leaf'"
  const pages = other.prepare(leaves).pluck().all(table) as number[]
  other.close()
  const handle = openSync(file, 'r+')
  for (const page of pages) {
    writeSync(handle, Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES)
  }
  closeSync(handle)
}

const text = (line: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: line }] }],
})

async function damaged() {
  const shipped = await openShipped()
  const { app, file } = shipped
  const writer = await app.user()
  const { id } = await app.article({ client: await app.client({ users: [writer] }) })
  const save = (by: TestUser, line: string) =>
    app.as(by).patch(`/v1/articles/${id}`, { articleText: text(line) })
  for (let version = 0; version < 40; version += 1) await save(writer, `${version} `.repeat(400))
  damage(file, 'article_revisions')
  faults.length = 0
  return { ...shipped, writer, id, save }
}

describe('a damaged page that a read meets', () => {
  it('ends no process: not ready, nothing is written, what can be read is read', async () => {
    const { app, writer, id, save } = await damaged()
    const read = (path: string) => app.as(writer).get(`/v1/articles/${path}`)
    // In one turn, so that all of them share a snapshot.
    const some = await Promise.all([read(`${id}/revisions/3`), read(id), read('client/myArticles')])
    expect(some.map(({ status }) => status)).toEqual([503, 200, 200])
    await new Promise((due) => setImmediate(due))
    expect(faults).toEqual([])
    expect((await app.app.request('/readyz')).status).toBe(503)
    expect((await app.app.request('/healthz')).status).toBe(200)
    expect((await save(writer, 'more')).status).toBe(503)
    expect((await read(`${id}/revisions`)).status).toBe(503)
    expect((await read(id)).status).toBe(200)
    expect(faults).toEqual([])
  })

  it('fails no save that is committed in the same turn', async () => {
    const { app, database, file, id } = await damaged()
    const { db } = database
    const changed = db.transaction().execute(async (inside) => {
      await inside.updateTable('articles').set({ name: 'Kept' }).where('id', '=', id).execute()
      await expect(db.selectFrom('article_revisions').selectAll().execute()).rejects.toThrow(
        'malformed',
      )
    })
    await changed
    const name = () => db.selectFrom('articles').select('name').executeTakeFirst()
    expect(await name()).toEqual({ name: 'Kept' })
    const other = new Sqlite(file, { readonly: true })
    expect(other.prepare('select name from articles').pluck().get()).toBe('Kept')
    other.close()
    expect(app.logLines.filter(({ level }) => level === 'error')).toEqual([])
    expect(faults).toEqual([])
  })

  it('stops neither the shrinking of the journal nor the end of the process', async () => {
    const { database, id } = await damaged()
    const { db } = database
    const meet = () => db.selectFrom('article_revisions').selectAll().execute()
    await db.updateTable('articles').set({ name: 'New' }).where('id', '=', id).execute()
    database.shrinkJournal()
    await expect(meet()).rejects.toThrow('malformed')
    expect(() => database.shrinkJournal()).not.toThrow()
    await expect(meet()).rejects.toThrow('malformed')
    await database.close()
    expect(faults).toEqual([])
  })
})

describe('the log and the metrics', () => {
  it('name the route of each request', async () => {
    const { app } = await openShipped()
    const admin = await app.user({ role: 'admin' })
    const { id } = await app.article()
    const unknown = '0195a000-0000-7000-8000-00000000ffff'
    const as = app.as(admin)
    const calls = [
      ['/v1/articles/:id', () => as.get(`/v1/articles/${id}`)],
      ['/v1/articles/:id', () => as.get(`/v1/articles/${unknown}`)],
      ['/v1/articles/:id', () => as.patch(`/v1/articles/${id}`, {})],
      ['/v1/articles/:id', () => app.as(null).get(`/v1/articles/${id}`)],
      ['/v1/articles', () => as.patch('/v1/articles', { changes: [] })],
      ['/v1/articles/:id/revisions/:textVersion', () => as.get(`/v1/articles/${id}/revisions/1`)],
      ['/v1/auth/login', () => app.as(null).post('/v1/auth/login', {})],
      ['/v1/users', () => as.get('/v1/users')],
      ['/healthz', () => as.get('/healthz')],
      ['/*', () => app.app.request('/login')],
      ['/*', () => app.app.request('/v1/unknown')],
    ] as const
    for (const [, call] of calls) await call()
    const requests = app.logLines.filter(({ message }) => message === 'Request')
    expect(requests.map(({ fields }) => fields.route)).toEqual(calls.map(([route]) => route))
    const metrics = app.deps.metrics.text([], '')
    for (const [route] of calls) expect(metrics).toContain(`route="${route}"`)
  })
})
