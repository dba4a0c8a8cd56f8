import { Dexie } from 'dexie'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type DeviceDatabase, openDeviceDatabase, recordProfile } from '../../sync/device/device.ts'
import type { Clock } from '../../sync/ports.ts'
import { type DraftRow, LocalDatabase } from '../../sync/store/database.ts'
import type { SnapshotStore } from '../../sync/store/exit-snapshots.ts'
import type { SyncClient } from '../../sync/sync-client.ts'
import { createSnapshotStore } from '../../sync/testing/test-world.ts'
import { createWorkspace } from './workspace.ts'
import { createWorkspaceStore } from './workspace-later.ts'

/** What a page does when the user's local database belongs to another version of the app. */

// Live queries are asked of the library as a whole.
Object.assign(Dexie.dependencies, { indexedDB: new IDBFactory(), IDBKeyRange })

const USER = {
  id: 'u1',
  name: 'Imogen Hale',
  fullName: 'Imogen Hale',
  email: 'imogen@hale.example',
  role: 'user' as const,
  isEmailVerified: false,
}

let engine: { indexedDB: IDBFactory; IDBKeyRange: typeof IDBKeyRange }
let snapshotStore: SnapshotStore
let log: string[]
let timers: { ms: number; task: () => void }[]

beforeEach(() => {
  engine = { indexedDB: new IDBFactory(), IDBKeyRange }
  snapshotStore = createSnapshotStore()
  log = []
  timers = []
})

const clock: Clock = {
  now: () => 0,
  after: (ms, task) => {
    timers.push({ ms, task })
    return () => {}
  },
}

function pageOfThisVersion({
  flush = async () => {},
  stop = () => {},
  device = openDeviceDatabase(engine),
}: {
  flush?: () => Promise<void>
  stop?: (database: LocalDatabase) => void
  device?: DeviceDatabase
} = {}) {
  return createWorkspace({
    store: createWorkspaceStore(),
    device,
    clock,
    openDatabase: (userId) => new LocalDatabase(`contun-${userId}`, { ...engine, snapshotStore }),
    createClient: (_, database) =>
      ({
        database,
        start: async () => void (await database.open()),
        saveExitSnapshot: () => log.push('snapshot'),
        flush: async () => {
          await flush()
          log.push(`flush, ${database.isOpen() ? 'open' : 'closed'}`)
        },
        stop: async () => {
          stop(database)
          log.push('stop')
        },
      }) as unknown as SyncClient,
  })
}

/** What a newer version does to the user's database. */
function upgrade(version: number): Promise<'upgraded'> {
  return new Promise((done, fail) => {
    const request = engine.indexedDB.open('contun-u1', version)
    request.onsuccess = () => {
      request.result.close()
      log.push('upgraded')
      done('upgraded')
    }
    request.onerror = () => fail(request.error)
  })
}

describe('a newer version of the app', { tags: ['@SY-11'] }, () => {
  test('gets the database from an open page, which writes its texts first', {
    tags: ['@fault-47'],
  }, async () => {
    const workspace = pageOfThisVersion()
    await workspace.open(USER)
    await upgrade(9_990)
    expect(log).toEqual(['flush, open', 'stop', 'upgraded'])
    expect(workspace.store.getState()).toMatchObject({
      client: null,
      outdated: true,
      blocked: false,
    })
  })

  test('waits no longer than 3 s for a page that does not finish', {
    tags: ['@fault-47'],
  }, async () => {
    const workspace = pageOfThisVersion({ flush: () => new Promise(() => {}) })
    await workspace.open(USER)
    const upgraded = upgrade(9_990)
    await expect.poll(() => timers.map(({ ms }) => ms)).toContain(3_000)
    for (const { task } of timers) task()
    expect(await upgraded).toBe('upgraded')
    expect(log).toEqual(['upgraded'])
  })

  test('keeps text on the screen that could not be written', async () => {
    const workspace = pageOfThisVersion()
    const { database } = await workspace.open(USER)
    database.unsaved.set({}, 'a1', { kind: 'memory', isFull: true, sent: false, refusal: null })
    await upgrade(9_990)
    expect(workspace.store.getState().outdated).toBe(false)
  })

  test('that takes the database of a signed-out user does not affect the page of the next one', async () => {
    const workspace = pageOfThisVersion()
    await workspace.open(USER)
    await workspace.open({ ...USER, id: 'u2' })
    await upgrade(9_990)
    expect(workspace.store.getState().outdated).toBe(false)
    expect(workspace.store.getState().client).not.toBeNull()
  })

  test('keeps its database when an older page starts later', {
    tags: ['@fault-46'],
  }, async () => {
    await upgrade(9_990)
    const workspace = pageOfThisVersion()
    await expect(workspace.open(USER)).rejects.toThrow()
    expect(workspace.store.getState()).toMatchObject({
      client: null,
      outdated: true,
      blocked: false,
    })
    const database = new LocalDatabase('contun-u1', engine)
    await expect(database.meta.put({ key: 'connection', value: 'online' })).rejects.toThrow(
      'newer version',
    )
  })

  test('reports after 3 s that an older one does not close the database', async () => {
    const older = await new Promise<IDBDatabase>((done) => {
      const request = engine.indexedDB.open('contun-u1', 1)
      request.onsuccess = () => done(request.result)
    })
    const workspace = pageOfThisVersion()
    const opening = workspace.open(USER)
    await expect.poll(() => timers.map(({ ms }) => ms)).toContain(3_000)
    expect(workspace.store.getState().blocked).toBe(false)
    for (const { task } of timers) task()
    expect(workspace.store.getState().blocked).toBe(true)
    older.close()
    await opening
    expect(workspace.store.getState().blocked).toBe(false)
  })
})

describe('the record of unsent text', () => {
  test('text that could not be written is stored outside the database when the session ends', async () => {
    const workspace = pageOfThisVersion()
    await workspace.open(USER)
    await workspace.close()
    expect(log).toEqual(['stop'])
    const { database } = await workspace.open(USER)
    database.unsaved.set({}, 'a1', { kind: 'memory', isFull: true, sent: false, refusal: null })
    await workspace.close()
    expect(log).toEqual(['stop', 'snapshot', 'stop', 'snapshot'])
  })

  test('and so is text whose first failure is the last write of the session', async () => {
    const workspace = pageOfThisVersion({
      stop: ({ unsaved }) =>
        unsaved.set({}, 'a1', { kind: 'memory', isFull: true, sent: false, refusal: null }),
    })
    await workspace.open(USER)
    await workspace.close()
    expect(log).toEqual(['stop', 'snapshot'])
  })

  test('a session ends also where the record can never be written', {
    tags: ['@fault-43'],
  }, async () => {
    const device = openDeviceDatabase(engine)
    device.profiles.put = () => Dexie.Promise.resolve(new Promise<never>(() => {}))
    const workspace = pageOfThisVersion({ device })
    await workspace.open(USER)
    const closed = workspace.close()
    await vi.waitFor(() => expect(log).toEqual(['stop']))
    await vi.waitFor(() => expect(timers.map(({ ms }) => ms)).toContain(3_000))
    timers.find(({ ms }) => ms === 3_000)?.task()
    await closed
  })

  test('is written a second later when the first write failed', {
    tags: ['@ST-06'],
  }, async () => {
    const device = openDeviceDatabase(engine)
    let isBroken = true
    device.profiles.hook('creating', () => {
      if (isBroken) throw new Error('No room')
    })
    await pageOfThisVersion({ device }).open(USER)
    await vi.waitFor(() => expect(timers.map(({ ms }) => ms)).toContain(1_000))
    expect(await device.profiles.count()).toBe(0)
    isBroken = false
    timers.find(({ ms }) => ms === 1_000)?.task()
    await vi.waitFor(async () => expect(await device.profiles.get('u1')).toBeDefined())
  })

  test('reports the loss also when the browser dropped all databases of the page together', {
    tags: ['@SY-10'],
  }, async () => {
    const workspace = pageOfThisVersion()
    const { database } = await workspace.open(USER)
    await database.drafts.put({ articleId: 'a1', dirty: 1 } as DraftRow)
    await workspace.close()

    engine = { indexedDB: new IDBFactory(), IDBKeyRange }
    const again = pageOfThisVersion()
    await again.open(USER)
    await vi.waitFor(() => expect(again.store.getState().lostArticles).toBe(1))
    await again.close()
    await again.open(USER)
    await vi.waitFor(() => expect(again.store.getState().lostArticles).toBe(0))
  })

  test('reports no loss while the local copy has data', { tags: ['@SY-10'] }, async () => {
    const device = openDeviceDatabase(engine)
    await recordProfile(device, USER, 3, 0)
    const copy = new LocalDatabase('contun-u1', engine)
    await copy.drafts.put({ articleId: 'a1', dirty: 0 } as DraftRow)
    copy.close()
    const workspace = pageOfThisVersion({ device })
    await workspace.open(USER)
    await vi.waitFor(async () => expect((await device.profiles.get('u1'))?.unsentCount).toBe(0))
    expect(workspace.store.getState().lostArticles).toBe(0)
  })
})
