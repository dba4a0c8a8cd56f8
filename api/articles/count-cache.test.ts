import { expect, it } from 'vitest'
import { openMemoryDatabase } from '../database/sqlite/sqlite.ts'
import { countCacheOf } from './count-cache.ts'

const search = (name: string) => ({ name, clientId: [] })

it('keeps the totals of the latest 500 searches, and evicts the oldest', async () => {
  const db = openMemoryDatabase()
  const cache = countCacheOf(db)
  for (let total = 0; total <= 500; total += 1)
    cache.set(search(`oat ${total}`), { seq: '1', total })
  const kept = ['oat 0', 'oat 1', 'oat 500'].map((name) => cache.get(search(name))?.total)
  expect(kept).toEqual([undefined, 1, 500])
  expect(countCacheOf(db)).toBe(cache)
  await db.destroy()
})
