import { sql } from 'kysely'
import pg from 'pg'
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createTestApp } from '../../testing/test-app.ts'
import { quietSources } from '../../testing/test-clock.ts'
import { newPostgresDatabase, openForTest } from '../../testing/test-database.ts'
import { memoryCounts } from '../../throttle/count-store.ts'
import { sharedCounts } from './postgres-counts.ts'
import { listenToNodes } from './postgres-news.ts'

let url: string
beforeEach(async () => {
  const postgres = inject('postgres')
  if (postgres === undefined) throw new Error('These tests are of the project postgres')
  url = await newPostgresDatabase(postgres)
})

function node() {
  const { db, pool, close } = openForTest(url)
  onTestFinished(close)
  return { db, pool }
}

describe('a change at one node', () => {
  /** A page at the second node, where the clock does not move, so that no poll finds the change. */
  async function listeningPage() {
    const first = await createTestApp({ db: node().db })
    const second = await createTestApp({ db: node().db, deps: { newId: first.deps.newId } })
    const admin = await first.user({ role: 'admin' })
    const { id } = await first.article()
    await first.signIn(admin)
    await second.signIn(admin)
    const { body } = await second.as(admin).get('/v1/events')
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    let heard = ''
    const hears = async (part: string) => {
      while (!heard.includes(part)) heard += (await reader?.read())?.value ?? ''
      return true
    }
    await hears('hello')
    const hangUp = listenToNodes(url, quietSources, {
      changed: () => void second.deps.changes.look(),
      received: () => {},
    })
    onTestFinished(async () => {
      second.deps.changes.end()
      await hangUp()
    })
    const change = (name: string) =>
      first
        .as(admin)
        .patch(`/v1/articles/admin/${id}`, { name })
        .then(({ status }) => status)
    return { change, hears, id, db: first.db }
  }
  const listeners = (db: Awaited<ReturnType<typeof listeningPage>>['db']) =>
    sql<{
      pid: number
    }>`select pid from pg_stat_activity where application_name = 'contun-articles news'
      and datname = current_database() and query like 'listen %' and state = 'idle'`
      .execute(db)
      .then(({ rows }) => rows.map(({ pid }) => pid))

  it('reaches a page at another node at once', async () => {
    const { change, hears, id, db } = await listeningPage()
    await expect.poll(() => listeners(db), { timeout: 30_000 }).toHaveLength(1)
    expect(await change('Another name')).toBe(200)
    expect(await hears(`"articleId":"${id}","version":2`)).toBe(true)
  })

  it('reaches it also after the connection was cut, and missed changes are delivered then', async () => {
    const { change, hears, id, db } = await listeningPage()
    await expect.poll(() => listeners(db), { timeout: 30_000 }).toHaveLength(1)
    const [pid] = await listeners(db)
    await sql`select pg_terminate_backend(${pid})`.execute(db)
    expect(await change('While it was cut')).toBe(200)
    expect(await hears(`"articleId":"${id}","version":2`)).toBe(true)
    await expect.poll(() => listeners(db), { timeout: 30_000 }).toHaveLength(1)
    expect(await change('And again')).toBe(200)
    expect(await hears(`"articleId":"${id}","version":3`)).toBe(true)
  })
})

describe('counts of the throttles', () => {
  const WINDOW = 60_000
  const store = () =>
    sharedCounts(
      node().pool,
      memoryCounts(() => 0),
    )

  it('are the same at every node, and count each of 50 at once', async () => {
    const [first, second] = [store(), store()]
    const added = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 ? first : second).add('a', 1, WINDOW)),
    )
    const counts = added.map(({ count }) => count).sort((a, b) => a - b)
    expect(counts).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
    for (const { msLeft } of added) expect(msLeft).toBeGreaterThan(0)
    await first.remove('a')
    expect(await second.add('a', 1, WINDOW)).toMatchObject({ count: 1 })
  })

  it('never drop below zero, restart when the window is over, and are separate per key', async () => {
    const counts = store()
    const add = async (amount: number) => (await counts.add('a', amount, WINDOW)).count
    expect([await add(-1), await add(1), await add(1), await add(-1)]).toEqual([0, 1, 2, 1])
    expect([await add(-1), await add(-1), await add(1)]).toEqual([0, 0, 1])
    expect(await counts.add('b', 1, WINDOW)).toMatchObject({ count: 1 })
    const { db } = node()
    await sql`update throttle_counts set until = clock_timestamp()`.execute(db)
    expect([await add(-1), await add(1)]).toEqual([0, 1])
  })

  it('continue at each node separately where PostgreSQL cannot be reached', async () => {
    const pool = new pg.Pool({ connectionString: 'postgres://contun@127.0.0.1:1/contun' })
    const counts = sharedCounts(
      pool,
      memoryCounts(() => 0),
    )
    expect(await counts.add('a', 1, WINDOW)).toMatchObject({ count: 1 })
    expect(await counts.add('a', 1, WINDOW)).toMatchObject({ count: 2 })
    await counts.remove('a')
    expect(await counts.add('a', 1, WINDOW)).toMatchObject({ count: 1 })
    await pool.end()
  })
})
