import { beforeEach, expect, it } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'
import { prepared } from './prepared.ts'

let builds = 0
const named = prepared((db, given: { name: string; role: 'admin' | 'user' }) => {
  builds += 1
  return db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('role', '=', given.role)
    .where('is_email_verified', '=', 0)
    .where('name', '=', given.name)
})
const renamed = prepared((db, given: { id: string; name: string }) =>
  db.updateTable('users').set({ name: given.name }).where('id', '=', given.id),
)
const addressed = prepared((db, given: { id: string; email: string }) =>
  db.updateTable('users').set({ email: given.email }).where('id', '=', given.id),
)

beforeEach(() => {
  builds = 0
})

it('runs with other values each time, and is built once', async () => {
  for (let database = 1; database <= 2; database += 1) {
    const { db, user } = await createTestApp()
    const ada = await user({ name: 'Ada', role: 'admin' })
    const bea = await user({ name: 'Bea' })
    expect(await named(db, { name: 'Ada', role: 'admin' })).toEqual([{ id: ada.id, name: 'Ada' }])
    expect(await named(db, { name: 'Bea', role: 'user' })).toEqual([{ id: bea.id, name: 'Bea' }])
    expect(await named(db, { name: 'Ada', role: 'user' })).toEqual([])
    await db.transaction().execute(async (transaction) => {
      await renamed(transaction, { id: bea.id, name: "O'Hara" })
      expect(await named(transaction, { name: "O'Hara", role: 'user' })).toHaveLength(1)
    })
  }
  expect(builds).toBe(1)
})

it('refuses what comes after the end of its transaction', async () => {
  const { db, user } = await createTestApp()
  const { id } = await user({ name: 'Ada' })
  const ended = [
    await db.transaction().execute(async (transaction) => {
      await renamed(transaction, { id, name: 'Bea' })
      return transaction
    }),
  ]
  const refused = db.transaction().execute(async (transaction) => {
    await renamed(transaction, { id, name: 'Cid' })
    ended.push(transaction)
    throw new Error('refused')
  })
  await expect(refused).rejects.toThrow('refused')
  for (const transaction of ended) {
    await expect(renamed(transaction, { id, name: 'Late' })).rejects.toThrow(/already/)
  }
  expect(await named(db, { name: 'Bea', role: 'user' })).toHaveLength(1)
})

it('a failed write outside of a transaction does not fail concurrent reads', async () => {
  const { db, user } = await createTestApp()
  const ada = await user({ name: 'Ada' })
  const writers = await Promise.all(Array.from({ length: 10 }, () => user({ name: 'Bea' })))
  let isOver = false
  const failing = Promise.allSettled(
    writers.map(({ id }) => addressed(db, { id, email: ada.email })),
  ).finally(() => {
    isOver = true
  })
  while (!isOver) expect(await named(db, { name: 'Bea', role: 'user' })).toHaveLength(10)
  expect((await failing).map(({ status }) => status)).toEqual(Array(10).fill('rejected'))
})
