import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { beforeEach, expect, test } from 'vitest'
import { forgetExitSnapshots } from '../editing/exit-snapshot.ts'
import { readArticleView } from '../status/article-view.ts'
import { isTryingAgain } from '../status/outbox-counts.ts'
import { readSyncSummary, unsentArticles } from '../status/sync-summary.ts'
import { readWaiting } from '../status/waiting-changes.ts'
import { localDatabaseName, openLocalDatabase } from '../store/database.ts'
import { readDraft } from '../store/draft-rows.ts'
import { docRow } from '../store/server-docs.ts'
import { measure } from '../store/text-stats.ts'
import { keepTypedNote, leftNote } from '../store/typed-notes.ts'
import { createSnapshotStore, createWorld, doc } from '../testing/test-world.ts'
import {
  type DeviceDatabase,
  deleteLocalDatabase,
  keepUnsent,
  openDeviceDatabase,
  readProfiles,
  recordProfile,
  unsentChanges,
  unsentOnlyInDatabase,
} from './device.ts'
import { unsentTexts } from './unsent-texts.ts'
import { unsentWorkLeft } from './unsent-work-left.ts'

let engine: { indexedDB: IDBFactory; IDBKeyRange: typeof IDBKeyRange }
let device: DeviceDatabase

beforeEach(() => {
  engine = { indexedDB: new IDBFactory(), IDBKeyRange }
  device = openDeviceDatabase(engine)
})

const ana = { id: 'u1', email: 'ana@halden.example', name: 'Ana Silva' }
const ben = { id: 'u2', email: 'ben@halden.example', name: 'Ben Okafor' }

test('lists the users of this device, latest first, with their unsent changes', {
  tags: ['@SY-05'],
}, async () => {
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

test('keeps the texts of two users separate and removes those of one', {
  tags: ['@SY-05', '@fault-37'],
}, async () => {
  for (const { id } of [ana, ben]) {
    const database = openLocalDatabase(id, engine)
    await database.docs.put(docRow({ articleId: 'a1', textVersion: 1, ...measure(doc(id)) }))
    database.close()
    await recordProfile(device, id === 'u1' ? ana : ben, 0, 1)
  }
  await deleteLocalDatabase(openLocalDatabase('u1', engine), 'u1', device)
  expect((await readProfiles(device)).map(({ userId }) => userId)).toEqual(['u2'])
  const names = (await engine.indexedDB.databases()).map(({ name }) => name)
  expect(names).not.toContain(localDatabaseName('u1'))
  expect(names).toContain(localDatabaseName('u2'))
})

test('names the articles with text that the server does not have', {
  tags: ['@ST-06'],
}, async () => {
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

test('changes waiting for a connection are failed ones, not recent or refused ones', {
  tags: ['@BA-02', '@Q97'],
}, async () => {
  const world = await createWorld()
  for (const id of ['a1', 'a2']) world.server.add(id, doc('one'))
  const tab = await world.tab('tab')
  const { editor } = await tab.edit('a1')
  editor.type(' two')
  await world.pass(300)
  expect(await unsentArticles(world.database)).toEqual(new Set(['a1']))
  expect(await isTryingAgain(world.database)).toBe(false)
  world.server.offline = true
  await world.pass(3_000)
  expect(await isTryingAgain(world.database)).toBe(true)
  world.server.offline = false
  world.server.refuse('a1', 404)
  await world.pass(60_000)
  expect((await readArticleView(world.database, 'a1'))?.blocked).toMatchObject({
    reason: 'deleted',
  })
  expect(await isTryingAgain(world.database)).toBe(false)
})

test('reads every unsent text of a user, including blocked text and exit snapshots', {
  tags: ['@fault-35'],
}, async () => {
  const world = await createWorld()
  for (const id of ['a1', 'a2', 'a3']) world.server.add(id, doc('one'))
  const tab = await world.tab('tab')
  const { editor } = await tab.edit('a1')
  world.server.refuse('a1', 404)
  editor.type(' held')
  await world.pass(5_000)
  const { editor: second, text } = await tab.edit('a2')
  world.server.offline = true
  second.type(' cut off')
  text.saveExitSnapshot()
  tab.kill()
  await world.settle()
  const effects = { now: () => 9_000, newId: () => 'k99' }
  const texts = await unsentTexts(world.database, effects)
  expect(texts.map(({ name, doc: kept }) => [name, kept])).toEqual(
    expect.arrayContaining([
      ['Article a1', doc('one held')],
      ['Article a2', doc('one cut off')],
    ]),
  )
  expect(texts).toHaveLength(2)
})

test('names the exit snapshots that the database has no space for, makes no copy without them, and restores them later', {
  tags: ['@Q83'],
}, async () => {
  const world = await createWorld()
  world.server.add('a1', doc('one'))
  const tab = await world.tab('tab')
  const { editor, text } = await tab.edit('a1')
  world.server.offline = true
  editor.type(' two')
  text.saveExitSnapshot()
  tab.kill()
  await world.settle()
  let isFull = true
  world.database.drafts.hook('updating').subscribe(() => {
    if (isFull) throw new DOMException('No room', 'QuotaExceededError')
  })
  world.server.offline = false
  const next = await world.tab('next')
  expect(await readArticleView(world.database, 'a1')).toMatchObject({
    saveLine: 'no-room',
  })
  expect(await readSyncSummary(world.database)).toMatchObject({ waiting: 1, withoutRoom: 1 })
  expect(await readWaiting(world.database)).toMatchObject([
    { state: { kind: 'left', noRoom: true } },
  ])
  const drained = next.client.drain(2_000)
  await world.pass(3_000)
  expect(await drained).toBe(false)
  expect(await unsentChanges(world.database)).toEqual([{ articleId: 'a1', name: 'Article a1' }])
  const effects = { now: () => 9_000, newId: () => 'k99' }
  await expect(unsentTexts(world.database, effects)).rejects.toThrow()
  expect(await world.database.localRevs.count()).toBe(0)
  isFull = false
  await world.pass(120_000)
  expect(world.server.words('a1')).toBe('one two')
  expect(await unsentChanges(world.database)).toEqual([])
  expect(await readArticleView(world.database, 'a1')).toMatchObject({ saveLine: 'saved' })
})

test('exit snapshots get space by evicting text that the server has', {
  tags: ['@fault-44'],
}, async () => {
  const world = await createWorld()
  world.server.add('a1', doc('one'))
  world.server.add('a2', doc('finished'))
  world.server.change('a2', { completed: true })
  const tab = await world.tab('tab')
  const { editor, text } = await tab.edit('a1')
  world.server.offline = true
  editor.type(' two')
  text.saveExitSnapshot()
  tab.kill()
  await world.settle()
  let isFull = true
  world.database.docs.hook('deleting').subscribe(() => {
    isFull = false
  })
  world.database.drafts.hook('updating').subscribe(() => {
    if (isFull) throw new DOMException('No room', 'QuotaExceededError')
  })
  await world.tab('next')
  expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one two'))
})

test('distinguishes a cleared database from one where everything was sent', async () => {
  expect(await unsentWorkLeft('u1', engine)).toBe('gone')
  expect((await engine.indexedDB.databases()).map(({ name }) => name)).not.toContain('contun-u1')
  const database = openLocalDatabase('u1', engine)
  await database.open()
  expect(await unsentWorkLeft('u1', engine)).toBe('gone')
  await database.articles.put({ id: 'a1', name: 'Ferns' } as never)
  expect(await unsentWorkLeft('u1', engine)).toBe(0)
  await database.drafts.put({ articleId: 'a1', dirty: 1 } as never)
  expect(await unsentWorkLeft('u1', engine)).toBe(1)
  database.close()
})

test('an exit snapshot outside the database survives the loss of the database', {
  tags: ['@SY-10'],
}, async () => {
  const world = await createWorld()
  for (const id of ['a1', 'a2']) world.server.add(id, doc('one'))
  const tab = await world.tab('tab')
  world.server.offline = true
  const opened = [await tab.edit('a1'), await tab.edit('a2')] as const
  for (const { editor } of opened) editor.type(' two')
  await world.pass(2_000)
  opened[0].text.saveExitSnapshot()
  tab.kill()
  await world.settle()
  keepUnsent(world.database, await unsentArticles(world.database))
  const { snapshotStore } = world.database
  const cleared = { ...engine, ...(snapshotStore && { snapshotStore }) }
  const database = openLocalDatabase('u1', cleared)
  expect(await unsentOnlyInDatabase(device, database, 'u1')).toBe(1)
  expect(await unsentWorkLeft('u1', cleared)).toBe('gone')
  keepUnsent(world.database, new Set(['a1']))
  expect(await unsentOnlyInDatabase(device, database, 'u1')).toBe(0)
  expect(await unsentWorkLeft('u1', cleared)).toBe(1)
  forgetExitSnapshots(database)
  expect(await unsentWorkLeft('u1', cleared)).toBe('gone')
})

test('a note that is being typed outlives its page, and goes with the database of its user', async () => {
  const snapshotStore = createSnapshotStore()
  const [own, other] = ['u1', 'u2'].map((id) => openLocalDatabase(id, { ...engine, snapshotStore }))
  if (!own || !other) throw new Error('There are two')
  for (const database of [own, other]) keepTypedNote(database, 'a1', 'answer', 'Half a wo')
  expect(leftNote(own, 'a1', 'answer')).toBe('Half a wo')
  expect(leftNote(own, 'a1', 'reopened')).toBeNull()
  await deleteLocalDatabase(own, 'u1', device)
  expect([leftNote(own, 'a1', 'answer'), leftNote(other, 'a1', 'answer')]).toEqual([
    null,
    'Half a wo',
  ])
})
