import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { beforeEach, expect, test } from 'vitest'
import { localDatabaseName, openLocalDatabase } from './database.ts'
import {
  type DeviceDatabase,
  deleteLocalDatabase,
  openDeviceDatabase,
  readProfiles,
  recordProfile,
  unsentChanges,
} from './device.ts'
import { createWorld, doc } from './test-world.ts'

let engine: { indexedDB: IDBFactory; IDBKeyRange: typeof IDBKeyRange }
let device: DeviceDatabase

beforeEach(() => {
  engine = { indexedDB: new IDBFactory(), IDBKeyRange }
  device = openDeviceDatabase(engine)
})

const ana = { id: 'u1', email: 'ana@halden.example', name: 'Ana Silva' }
const ben = { id: 'u2', email: 'ben@halden.example', name: 'Ben Okafor' }

test('SY-05 tells who wrote on this computer, latest first, and how much waits', async () => {
  await recordProfile(device, ana, 0, 1)
  await recordProfile(device, ben, 2, 2)
  await recordProfile(device, ana, 1, 3)
  expect(await readProfiles(device)).toEqual([
    { ...profile(ana), unsentCount: 1, lastSeenAt: 3 },
    { ...profile(ben), unsentCount: 2, lastSeenAt: 2 },
  ])
})

const profile = ({ id, email, name }: typeof ana) => ({
  userId: id,
  email,
  name,
  dbName: `contun-${id}`,
})

test('SY-05 keeps the texts of two people apart and removes those of one', async () => {
  for (const { id } of [ana, ben]) {
    const database = openLocalDatabase(id, engine)
    await database.docs.put({ articleId: 'a1', textVersion: 1, doc: doc(id), hash: '', words: 1 })
    database.close()
    await recordProfile(device, id === 'u1' ? ana : ben, 0, 1)
  }
  await deleteLocalDatabase('u1', device, engine)
  expect((await readProfiles(device)).map(({ userId }) => userId)).toEqual(['u2'])
  const names = (await engine.indexedDB.databases()).map(({ name }) => name)
  expect(names).not.toContain(localDatabaseName('u1'))
  expect(names).toContain(localDatabaseName('u2'))
})

test('ST-06 names the articles with words that the server does not have', async () => {
  const world = await createWorld()
  for (const id of ['a1', 'a2', 'a3']) world.server.add(id, doc('one'))
  const tab = await world.tab('tab')
  const { editor } = await tab.edit('a2')
  world.server.offline = true
  editor.type(' two')
  await world.pass(2_000)
  void tab.client.setCompleted('a3', true)
  await world.pass(2_000)
  expect(await unsentChanges(world.database)).toEqual([
    { articleId: 'a2', name: 'Article a2' },
    { articleId: 'a3', name: 'Article a3' },
  ])
  world.server.offline = false
  await world.pass(60_000)
  expect(await unsentChanges(world.database)).toEqual([])
})
