import { beforeEach, expect, it } from 'vitest'
import { createTestApp } from '../test-app.ts'
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

beforeEach(() => {
  builds = 0
})

it('runs with other values each time, and is built once for each database', async () => {
  for (const expected of [1, 2]) {
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
    expect(builds).toBe(expected)
  }
})
