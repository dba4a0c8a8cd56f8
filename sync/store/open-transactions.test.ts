import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { openDeviceDatabase, recordProfile } from '../device/device.ts'
import { writeExitSnapshot } from '../editing/exit-snapshot.ts'
import { doc } from '../testing/test-world.ts'
import { openLocalDatabase } from './database.ts'
import { abortAll } from './open-transactions.ts'

/** Open transactions of a page that the browser freezes must not block other pages. */

const engine = () => ({ indexedDB: new IDBFactory(), IDBKeyRange })

test('aborts the reads and writes of a page, so that the next page does not wait', {
  tags: ['@fault-80'],
}, async () => {
  const shared = engine()
  const leaving = openLocalDatabase('u1', shared)
  await leaving.open()
  const row = { key: 'connection', value: 'offline' } as const
  const hanging = leaving.transaction('rw', leaving.meta, async () => {
    await leaving.meta.put(row)
    // Keeps the transaction open for the lifetime of the page.
    for (;;) await leaving.meta.get('connection')
  })
  const outcome = hanging.catch((error: Error) => error.name)
  await expect.poll(() => leaving.transactions.size).toBe(1)
  abortAll(leaving.transactions)
  expect(await outcome).toBe('AbortError')
  const next = openLocalDatabase('u1', shared)
  expect(await next.meta.get('connection')).toBeUndefined()
  expect(leaving.transactions.size).toBe(0)
})

test('leaves committed exit snapshots unchanged', { tags: ['@fault-80'] }, async () => {
  const database = openLocalDatabase('u1', engine())
  await database.open()
  writeExitSnapshot(database, {
    articleId: 'a1',
    tabId: 't1',
    doc: doc('words'),
    base: doc(''),
    seenRev: 1,
    at: 1,
  })
  abortAll(database.transactions)
  expect(await database.exitSnapshots.count()).toBe(1)
})

test('notes what the note about users has open, and forgets what has ended', async () => {
  const device = openDeviceDatabase(engine())
  await device.open()
  const writing = recordProfile(device, { id: 'u1', email: 'a@b.example', name: 'A' }, 0, 1)
  await expect.poll(() => device.transactions.size).toBe(1)
  await writing
  expect(device.transactions.size).toBe(0)
})
