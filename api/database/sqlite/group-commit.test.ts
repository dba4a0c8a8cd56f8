import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp } from '../../testing/test-app.ts'
import Sqlite from './better-sqlite3.ts'
import { kyselyOver } from './sqlite.ts'

/** Real files and real connections; a third connection sees what is committed. */

let folder: string
let writer: Sqlite.Database
let foreign: Sqlite.Database
let db: ReturnType<typeof kyselyOver>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contun-group-'))
  const file = join(folder, 'contun.sqlite')
  writer = new Sqlite(file)
  db = kyselyOver(writer, new Sqlite(file))
  foreign = new Sqlite(file, { timeout: 0 })
  writer.exec('create table notes (id text primary key, big blob)')
})
afterEach(async () => {
  foreign.close()
  await db.destroy()
  rmSync(folder, { recursive: true, force: true })
})

const kept = () => foreign.prepare('select id from notes order by id').pluck().all()
const seen = async (at = db) =>
  (await sql<{ id: string }>`select id from notes order by id`.execute(at)).rows.map(({ id }) => id)
const note = (at: typeof db, id: string) => sql`insert into notes (id) values (${id})`.execute(at)
const write = (id: string, then: () => void = () => {}) =>
  db.transaction().execute(async (transaction) => {
    await note(transaction, id)
    then()
    return id
  })
/** Counts writes to the file: each commit is one. */
const commits = () => Number(foreign.pragma('data_version', { simple: true }))
const refusal = new Error('refused')
const refuse = () => {
  throw refusal
}
const outcomes = async (all: Promise<unknown>[]) =>
  (await Promise.allSettled(all)).map((one) =>
    one.status === 'fulfilled' ? one.value : one.reason,
  )

describe('transactions of one moment', () => {
  it('are on the disk before any of them is over, and by one commit', async () => {
    const before = commits()
    const order: string[] = []
    const ids = ['a', 'b', 'c', 'd']
    await Promise.all(
      ids.map(async (id) => {
        await write(id, () => order.push(`${id} at work, ${kept().length} kept`))
        order.push(`${id} over, ${kept().length} kept`)
      }),
    )
    expect(order).toEqual([
      ...ids.map((id) => `${id} at work, 0 kept`),
      ...ids.map((id) => `${id} over, 4 kept`),
    ])
    expect(commits() - before).toBe(1)
  })

  it('see the writes of earlier members, while other readers see only committed data', async () => {
    const first = write('a')
    const second = db.transaction().execute(async (transaction) => {
      const inside = await seen(transaction)
      return { inside, outside: await seen() }
    })
    expect(await second).toEqual({ inside: ['a'], outside: [] })
    await first
    expect(await seen()).toEqual(['a'])
  })

  it('roll back only their own writes when they fail', async () => {
    const all = [write('a'), write('b', refuse), write('c'), write('a')]
    const [a, b, c, twice] = await outcomes(all)
    expect([a, b, c]).toEqual(['a', refusal, 'c'])
    expect(twice).toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' })
    expect(kept()).toEqual(['a', 'c'])
  })

  it('leave the file free when all of them were refused, and when one was alone', async () => {
    expect(await outcomes([write('a', refuse)])).toEqual([refusal])
    foreign.exec('begin immediate; rollback')
    expect(await outcomes([write('b', refuse), write('c', refuse)])).toEqual([refusal, refusal])
    foreign.exec('begin immediate; rollback')
    expect(kept()).toEqual([])
  })

  it('are joined by single statements', async () => {
    const before = commits()
    await Promise.all([write('a'), note(db, 'b'), write('c')])
    expect(kept()).toEqual(['a', 'b', 'c'])
    expect(commits() - before).toBe(1)
    await expect(note(db, 'a')).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' })
  })

  it('wait for one whose work takes longer than its turn, and no longer than for that one', async () => {
    let finish = () => {}
    const wait = new Promise<void>((resolve) => {
      finish = resolve
    })
    const first = write('a')
    const slow = db.transaction().execute(async (transaction) => {
      await note(transaction, 'slow')
      await wait
    })
    const later = write('b', () => expect(kept()).toEqual(['a', 'slow']))
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(kept()).toEqual([])
    finish()
    await Promise.all([first, slow, later])
    expect(kept()).toEqual(['a', 'b', 'slow'])
  })

  it('are settled before the database is closed', async () => {
    let closed: Promise<void> | undefined
    const first = write('a')
    await write('b', () => {
      closed = db.destroy()
    })
    await Promise.all([first, closed])
    expect(kept()).toEqual(['a', 'b'])
  })
})

describe('a commit that fails', () => {
  it('fails all that had a part in it, and nothing of them stays', async () => {
    writer.exec(
      'create table parents (id text primary key); create table children (parent text references parents (id) deferrable initially deferred)',
    )
    const orphan = db
      .transaction()
      .execute((transaction) => sql`insert into children values ('nobody')`.execute(transaction))
    const all = await outcomes([write('a'), orphan, write('b'), write('c', refuse)])
    const fault = expect.objectContaining({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' })
    // A refused transaction may have read the rows of another one that failed, so all of them fail.
    expect(all).toEqual([fault, fault, fault, fault])
    expect(kept()).toEqual([])
    expect(await write('d')).toBe('d')
    expect(kept()).toEqual(['d'])
  })

  it('is one that could not begin, for the one that asked', async () => {
    writer.pragma('busy_timeout = 0')
    foreign.exec('begin immediate')
    const [a, b] = await outcomes([write('a'), write('b')])
    expect([a, b]).toEqual(Array(2).fill(expect.objectContaining({ code: 'SQLITE_BUSY' })))
    foreign.exec('rollback')
    expect(await write('c')).toBe('c')
    expect(kept()).toEqual(['c'])
  })
})

describe('a full disk', () => {
  const fill = (at: typeof db) =>
    sql`insert into notes values ('big', zeroblob(400000))`.execute(at)

  it('fails the member that finds no space; the others of the group commit or fail as a whole', async () => {
    writer.pragma(`max_page_count = ${Number(writer.pragma('page_count', { simple: true })) + 4}`)
    const all = await outcomes([
      write('a'),
      db.transaction().execute(async (transaction) => {
        await note(transaction, 'half')
        await fill(transaction)
      }),
      write('b'),
    ])
    expect(all[1]).toMatchObject({ code: 'SQLITE_FULL' })
    const answered = [all[0], all[2]].filter((one) => typeof one === 'string')
    expect(kept()).toEqual(answered)
  })

  it('returns 507, and the next save succeeds when there is space', async () => {
    const file = join(folder, 'app.sqlite')
    const sqlite = new Sqlite(file)
    const app = await createTestApp({ db: kyselyOver(sqlite, new Sqlite(file)) })
    const admin = await app.user({ role: 'admin' })
    const { id } = await app.article()
    const words = (text: string) => ({
      articleText: {
        type: 'doc',
        content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
      },
    })
    sqlite.pragma(`max_page_count = ${Number(sqlite.pragma('page_count', { simple: true }))}`)
    const long = 'word '.repeat(40_000)
    const path = `/v1/articles/${id}`
    const [full, other] = await Promise.all([
      app.as(admin).patch(path, words(long)),
      app.as(admin).patch(path, words(`${long} more`)),
    ])
    expect([full.status, other.status]).toEqual([507, 507])
    sqlite.pragma('max_page_count = 1000000')
    expect((await app.as(admin).patch(path, words(long))).status).toBe(200)
    const { version } = await (await app.as(admin).get(path)).json()
    expect(version).toBe(2)
    await app.db.destroy()
  })
})

describe('a statement that is kept', () => {
  it('has the columns that its table has by now, where it names none', async () => {
    const all = async () => (await sql`select * from notes`.execute(db)).rows
    await write('a')
    expect(await all()).toEqual([{ id: 'a', big: null }])
    await sql`alter table notes rename column big to small`.execute(db)
    await sql`alter table notes add column late text`.execute(db)
    expect(await all()).toEqual([{ id: 'a', small: null, late: null }])
  })
})
