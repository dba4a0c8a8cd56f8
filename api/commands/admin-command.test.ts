import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFile, openFileBeside } from '../database/open-database.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'
import { runCommand } from './admin-command.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const words = (text: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})

const COMMAND = {
  openOther: () => Promise.reject(new Error('There is one database')),
  ensureOwnPepper: async () => {},
}

describe('restore-article', { tags: ['@Q91'] }, () => {
  let app: TestApp
  let admin: TestUser
  let writer: TestUser
  let client: { id: string }
  beforeEach(async () => {
    app = await createTestApp()
    admin = await app.user({ role: 'admin' })
    writer = await app.user()
    client = await app.client({ users: [writer] })
  })

  const run = (...args: string[]) => runCommand({ ...app.deps, ...COMMAND }, args)
  const write = (id: string, text: string) =>
    app.as(writer).patch(`/v1/articles/${id}`, { articleText: words(text) })
  const remove = (id: string) => app.as(admin).delete(`/v1/articles/${id}`)
  const read = async (id: string) => (await app.as(writer).get(`/v1/articles/${id}`)).json()
  const textsOf = (table: 'article_revisions' | 'deleted_revisions') =>
    app.db.selectFrom(table).selectAll().orderBy('text_version').execute()

  it('brings back the article with every text it had, as one more version', async () => {
    const { id } = await app.article({ name: 'Oats', client })
    await write(id, 'First.')
    await write(id, 'Second.')
    const before = await read(id)
    const texts = await textsOf('article_revisions')
    await remove(id)
    expect((await write(id, 'Too late.')).status).toBe(404)
    app.clock.advance(1_000)
    expect(await run('deleted-articles')).toBe(`${id}  2026-03-02T09:00:00.000Z  Oats`)
    expect(await run('restore-article', id)).toBe("'Oats' is back.")
    expect(await read(id)).toEqual({ ...before, version: 4, updatedAt: '2026-03-02T09:00:01.000Z' })
    expect(await textsOf('article_revisions')).toEqual(texts)
    expect(await run('deleted-articles')).toBe('There is no deleted article.')
    expect((await write(id, 'Third.')).status).toBe(200)
    const [record] = await app.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'article.restored')
      .execute()
    expect(record).toMatchObject({ actor_id: null, subject_id: id })
  })

  it('may be done again after another deletion', async () => {
    const { id } = await app.article({ client })
    for (let round = 0; round < 2; round++) {
      await remove(id)
      await run('restore-article', id)
    }
    expect((await read(id)).version).toBe(3)
  })

  it('outlives its client and its authors', async () => {
    const { id } = await app.article({ client })
    await write(id, 'Kept.')
    const second = await app.user({ role: 'admin' })
    await app.as(second).delete(`/v1/articles/${id}`)
    await app.as(admin).delete(`/v1/clients/${client.id}`)
    for (const person of [writer, second]) await app.as(admin).delete(`/v1/users/${person.id}`)
    await run('restore-article', id)
    const article = await (await app.as(admin).get(`/v1/articles/${id}`)).json()
    expect(article).toMatchObject({ articleText: words('Kept.'), clientId: { deleted: true } })
    const listed = await (await app.as(admin).get('/v1/articles?sortBy=client')).json()
    expect(listed.totalResults).toBe(1)
  })

  it('is possible for 30 days, and after them nothing is left', async () => {
    const { id } = await app.article({ client })
    await remove(id)
    app.clock.advance(30 * DAY_MS)
    const next = await app.article()
    await app.signIn(admin)
    await remove(next.id)
    expect(await run('deleted-articles')).toContain(id)
    app.clock.advance(1)
    const last = await app.article()
    await remove(last.id)
    expect(await run('deleted-articles')).not.toContain(id)
    await expect(run('restore-article', id)).rejects.toThrow(`No deleted article has the id ${id}`)
    expect(await textsOf('deleted_revisions')).toHaveLength(2)
  })

  it.each(['', 'help', 'restore-article', 'restore-article x', 'deleted-articles x'])(
    'prints its usage for the arguments: %s',
    async (line) => {
      await expect(run(...line.split(' '))).rejects.toThrow('npm run admin -- restore-article ID')
    },
  )

  it('refuses an id that was never deleted', async () => {
    const { id } = await app.article()
    await expect(run('restore-article', id)).rejects.toThrow('No deleted article has the id')
  })
})

describe('npm run admin', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'contun-admin-'))
    file = join(folder, 'contun.sqlite')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  function command(...args: string[]) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--disable-proto=delete', join(root, 'dist/server/admin.js'), ...args],
      { cwd: folder, env: { PATH: process.env.PATH, DATA_DIR: folder }, encoding: 'utf8' },
    )
    return { status, stdout, stderr }
  }

  it('works while a server has the database open, and each sees the other’s changes', async () => {
    const { db, close } = await openFile(file, sources)
    const app = await createTestApp({ db })
    const admin = await app.user({ role: 'admin' })
    const { id } = await app.article({ name: 'Oats' })
    await app.as(admin).delete(`/v1/articles/${id}`)
    expect(command('restore-article', id)).toEqual({
      status: 0,
      stdout: "'Oats' is back.\n",
      stderr: '',
    })
    expect((await app.as(admin).get(`/v1/articles/${id}`)).status).toBe(200)
    await close()
  })

  it('says in one line what is wrong, and makes no database', () => {
    expect(command('deleted-articles')).toEqual({
      status: 1,
      stdout: '',
      stderr: `There is no database at ${file}\n`,
    })
  })

  it('never migrates while a server runs: another release is refused', async () => {
    const { db, close } = await openFile(file, sources)
    await sql`delete from migrations where name = '002-agency-lists'`.execute(db)
    await expect(openFileBeside(file)).rejects.toThrow('is of another release')
    await sql`insert into migrations values ('002-agency-lists', ''), ('999-newer', '')`.execute(db)
    await expect(openFileBeside(file)).rejects.toThrow('is of another release')
    await close()
  })
})
