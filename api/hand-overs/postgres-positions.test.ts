import { sql } from 'kysely'
import { expect, inject, it, onTestFinished } from 'vitest'
import type { HandOvers } from '../../domain/wire/hand-overs.ts'
import { lockOf, write } from '../database/locks.ts'
import type { Database } from '../deps.ts'
import { createTestApp } from '../testing/test-app.ts'
import { newPostgresDatabase, openForTest } from '../testing/test-database.ts'

it('a hand-in that is committed late is not behind one that was read before', async () => {
  const postgres = inject('postgres')
  if (postgres === undefined) throw new Error('This test is of the project postgres')
  const url = await newPostgresDatabase(postgres)
  const open = () => {
    const { db, close } = openForTest(url)
    onTestFinished(close)
    return db
  }
  const [first, second] = [open(), open()]
  const app = await createTestApp({ db: first })
  const admin = await app.user({ role: 'admin' })
  const client = await app.client()
  const body = { name: 'Website', clientIds: [client.id], days: 1 }
  const { token } = await (await app.as(admin).post('/v1/program-tokens', body)).json()
  const read = async (since: number): Promise<HandOvers> => {
    const headers = { authorization: `Bearer ${token}` }
    return (await app.as(null).get(`/v1/hand-overs?since=${since}`, headers)).json()
  }
  const handIn = (db: Database, article: string, committing: Promise<void>) =>
    write(db, [lockOf.article(article)], async (inside) => {
      const at = '2026-03-02T09:00:00.000Z'
      const row = { article_id: article, number: 1, text_version: 1, at, client_id: client.id }
      await inside
        .insertInto('hand_ins')
        .values({ ...row, user_id: null })
        .execute()
      inserted()
      await committing
    })

  let inserted = () => {}
  let commit = () => {}
  const insertedFirst = new Promise<void>((resolve) => {
    inserted = resolve
  })
  const late = handIn(
    first,
    'late',
    new Promise((resolve) => {
      commit = resolve
    }),
  )
  await insertedFirst
  let isOver = false
  const next = handIn(second, 'next', Promise.resolve()).then(() => {
    isOver = true
  })
  const waiting = async () => {
    const { rows } = await sql`select 1 from pg_locks where not granted`.execute(first)
    return isOver || rows.length > 0
  }
  await expect.poll(waiting, { timeout: 30_000 }).toBe(true)
  const before = await read(0)
  commit()
  await Promise.all([late, next])
  const after = await read(before.next)
  const seen = [...before.results, ...after.results].map(({ articleId }) => articleId)
  expect(seen).toEqual(['late', 'next'])
})
