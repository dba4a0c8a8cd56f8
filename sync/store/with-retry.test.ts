import { IDBDatabase, IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { beforeEach, describe, expect, test } from 'vitest'
import { readArticleView } from '../status/article-view.ts'
import {
  createOpenArticle,
  doc,
  type FakeEditor,
  type Tab,
  type World,
} from '../testing/test-world.ts'
import { type LocalDatabase, openLocalDatabase } from './database.ts'
import { openDraft, readDraft } from './draft-rows.ts'
import { causeOf, createRetry } from './with-retry.ts'

/** The browser's database fails: what recovers, what is given up, and how soon. */
let world: World
let tab: Tab
let editor: FakeEditor

beforeEach(async () => {
  broken = null
  ;({ world, tab, editor } = await createOpenArticle())
})

const named = (name: string, message = name) => new DOMException(message, name)

type Fault = (begin: () => IDBTransaction) => IDBTransaction

/** The fault of transactions that write typed text, or of all; `handles` are those that have it, null means all. */
type Broken = { fault: Fault; handles: IDBDatabase[] | null; reaches?: 'everything' }
let broken: Broken | null = null

const begin = IDBDatabase.prototype.transaction
IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...given) {
  const go = () => begin.apply(this, given)
  const stores = typeof given[0] === 'string' ? [given[0]] : [...given[0]]
  const writesDrafts =
    given[1] === 'readwrite' && stores.includes('drafts') && !stores.includes('articles')
  const applies = broken?.handles?.includes(this) ?? true
  const isMeant = writesDrafts || broken?.reaches === 'everything'
  return broken && applies && isMeant ? broken.fault(go) : go()
}

function breakHandle(fault: Fault) {
  broken = { fault, handles: [world.database.backendDB()] }
}

function breakEveryHandle(fault: Fault) {
  broken = { fault, handles: null }
}

const failWith = (error: DOMException) => () => {
  throw error
}

const view = async () => {
  const found = await readArticleView(world.database, 'a1')
  if (!found) throw new Error('a1 is unknown')
  return found
}

const kept = async () => (await readDraft(world.database, 'a1'))?.doc
const sent = () => world.server.patches().filter((line) => line.includes('PATCH'))

describe('a handle that fails', { tags: ['@fault-43'] }, () => {
  test.each([
    named('InvalidStateError', 'The database connection is closing.'),
    named('UnknownError', 'Internal error opening backing store for indexedDB.open.'),
    named('UnknownError', 'Connection to Indexed Database server lost. Refresh the page'),
    named('TimeoutError'),
  ])(
    '$name is dropped, and the text is written by a new one before anything is said',
    async (error) => {
      breakHandle(failWith(error))
      editor.type(' two')
      await world.pass(200)
      expect(await kept()).toEqual(doc('one two'))
      expect(world.database.unsaved.of('a1')).toBeNull()
      await world.pass(2_000)
      expect(sent()).toEqual(['1000 PATCH a1 t1 "one two" k1'])
    },
  )

  test('fails three times, then the text is in memory and on its way; a later handle takes it', async () => {
    let isBroken = true
    let writes = 0
    breakEveryHandle((begin) => {
      if (!isBroken) return begin()
      writes += 1
      throw named('UnknownError')
    })
    world.server.offline = true
    editor.type(' two')
    await world.pass(200)
    expect(writes).toBe(3)
    expect(await view()).toMatchObject({ saveLine: 'not-saved', isFull: false })
    expect(sent()).toEqual(['150 PATCH a1 t1 "one two" k1'])
    isBroken = false
    await world.pass(10_000)
    expect(await kept()).toEqual(doc('one two'))
    expect(world.database.unsaved.of('a1')).toBeNull()
  })

  test('does not prevent a completion from being marked or reverted', {
    tags: ['@CO-16'],
  }, async () => {
    const loseHandle = () => {
      breakHandle(failWith(named('UnknownError', 'Connection to Indexed Database server lost')))
      Object.assign(broken ?? {}, { reaches: 'everything' })
    }
    world.server.offline = true
    loseHandle()
    const marked = tab.client.setCompleted('a1', true)
    await world.settle()
    await marked
    expect(await view()).toMatchObject({ completed: true, completionPending: true })
    loseHandle()
    const withdrawn = tab.client.withdrawCompletion('a1')
    await world.settle()
    expect(await withdrawn).toBe(true)
  })

  test('keeps no exit snapshot of a page that continued from being discarded', {
    tags: ['@SY-10'],
  }, async () => {
    editor.type(' two')
    await world.pass(200)
    let tries = 0
    breakEveryHandle(() => {
      tries += 1
      throw named('UnknownError')
    })
    Object.assign(broken ?? {}, { reaches: 'everything' })
    for (let times = 0; times < 20; times += 1) tab.client.saveExitSnapshot()
    await world.pass(2_000)
    tries = 0
    await world.pass(60_000)
    expect(tries).toBeLessThan(150)
    broken = null
    await world.pass(15_000)
    expect(await view()).toMatchObject({ saveLine: 'saved' })
    expect(world.database.snapshotStore?.length).toBe(0)
  })

  test('is detected and replaced when the tab becomes visible, before the next edit', async () => {
    const dead = world.database.backendDB()
    dead.close()
    tab.client.wake()
    await world.pass(100)
    expect(world.database.backendDB()).not.toBe(dead)
  })
})

describe('a database that never responds', { tags: ['@fault-43'] }, () => {
  /** The transaction neither completes nor fails, as with a lost process. */
  const silent = () => {
    const store: unknown = new Proxy(
      {},
      { get: (_, name) => () => (name === 'index' ? store : {}) },
    )
    const nothing = () => {}
    const transaction = { objectStore: () => store, addEventListener: nothing, abort: nothing }
    return transaction as unknown as IDBTransaction
  }

  test('is replaced in a moment; until then the screen does not say Saved', async () => {
    breakHandle(silent)
    editor.type(' two')
    await world.pass(300)
    expect(await view()).toMatchObject({ saveLine: 'saving' })
    await world.pass(2_500)
    expect(await kept()).toEqual(doc('one two'))
    expect(world.database.unsaved.of('a1')).toBeNull()
  })

  test('delays neither the exit snapshot of a closed page, nor a text that was not open here, nor the end of the session', async () => {
    world.server.add('a2', doc('fresh'))
    world.server.offline = true
    editor.type(' two')
    tab.client.saveExitSnapshot()
    tab.kill()
    await world.settle()
    world.server.offline = false
    breakHandle(silent)
    Object.assign(broken ?? {}, { reaches: 'everything' })
    const next = await world.tab('next')
    await world.pass(45_000)
    expect(world.server.words('a1')).toBe('one two')
    expect(world.database.snapshotStore?.length).toBe(0)
    expect((await next.client.open('a2'))?.document).toEqual(doc('fresh'))
    await next.client.stop()
  })

  test('is given up within 5 s of the key; the text is saved directly', async () => {
    breakEveryHandle(silent)
    editor.type(' two')
    await world.pass(5_000)
    expect(world.database.unsaved.of('a1')).toMatchObject({ kind: 'memory' })
    expect(world.server.words('a1')).toBe('one two')
    expect(await view()).toMatchObject({ saveLine: 'sent-only' })
  })

  test('keeps no exit snapshot of a page that continues from being discarded', {
    tags: ['@SY-10'],
  }, async () => {
    editor.type(' two wor')
    await world.pass(200)
    breakHandle(silent)
    Object.assign(broken ?? {}, { reaches: 'everything' })
    tab.client.saveExitSnapshot()
    await world.pass(45_000)
    expect(world.database.snapshotStore?.length).toBe(0)
    expect(await view()).toMatchObject({ saveLine: 'saved' })
  })

  test('blocks no pending text once the handle is replaced', async () => {
    world.server.offline = true
    editor.type(' two')
    await world.pass(5_000)
    breakHandle(silent)
    Object.assign(broken ?? {}, { reaches: 'everything' })
    world.server.offline = false
    await world.pass(150_000)
    expect(world.server.words('a1')).toBe('one two')
    expect(await view()).toMatchObject({ saveLine: 'saved' })
  })

  test('blocks no remote changes once the handle is replaced', async () => {
    breakHandle(silent)
    Object.assign(broken ?? {}, { reaches: 'everything' })
    await world.pass(61_000)
    world.server.change('a1', { text: doc('one of theirs') })
    await world.pass(150_000)
    expect(await kept()).toEqual(doc('one of theirs'))
  })

  test('an opening that hangs is given up within 5 s and reported', async () => {
    const { database } = world
    database.close()
    database.open = () => new Promise(() => {}) as ReturnType<LocalDatabase['open']>
    const retrying = createRetry(world.clock, database, () => true)
    let failed = false
    retrying
      .run(() => database.open())
      .catch(() => {
        failed = true
      })
    await world.pass(5_000)
    expect(failed).toBe(true)
  })

  test('a progressing upgrade is not interrupted, a stalled one is', {
    tags: ['@SY-11'],
  }, async () => {
    const database = openLocalDatabase('u2', { indexedDB: new IDBFactory(), IDBKeyRange })
    let openings = 0
    database.open = () => {
      openings += 1
      return new Promise(() => {}) as ReturnType<LocalDatabase['open']>
    }
    let failed = false
    createRetry(world.clock, database, () => true)
      .run(() => database.open())
      .catch(() => {
        failed = true
      })
    for (let second = 0; second < 60; second += 1) {
      database.upgradeSteps += 1
      await world.pass(1_000)
    }
    expect([openings, failed]).toEqual([1, false])
    await world.pass(8_000)
    expect(failed).toBe(true)
  })

  test('text that was written without a confirmation is not merged back in once it was deleted', async () => {
    breakEveryHandle((go) => {
      const transaction = go()
      // The commit reaches the disk, its event does not reach the page.
      Object.defineProperty(transaction, 'oncomplete', { set: () => {} })
      return transaction
    })
    world.server.offline = true
    editor.type(' two')
    await world.pass(5_000)
    expect(await kept()).toEqual(doc('one two'))
    expect(world.database.unsaved.of('a1')).toMatchObject({ kind: 'memory' })
    broken = null
    editor.show(doc('one'))
    editor.type(' more')
    await world.pass(20_000)
    expect(await kept()).toEqual(doc('one more'))
    expect(editor.words).toBe('one more')
  })
})

describe('a full disk', { tags: ['@fault-44'] }, () => {
  const full = named('QuotaExceededError')

  test('evicts the texts of completed articles, then checkpoints that the server has, never unsent text', async () => {
    for (const id of ['a2', 'a3']) {
      world.server.add(id, doc('finished'))
      world.server.change(id, { completed: true })
    }
    await world.pass(61_000)
    const { database } = world
    await openDraft(database, 'a3')
    await database.drafts.toCollection().modify((draft) => {
      if (draft.articleId === 'a3') draft.dirty = 1
    })
    await database.transaction('rw', database.localRevs, async () => {
      for (const at of [1, 2, 3]) {
        await database.localRevs.add({
          articleId: 'a1',
          at,
          reason: 'checkpoint',
          doc: doc('x'),
          baseVersion: 1,
          words: 1,
          isBase: at === 1,
        })
      }
      await database.localRevs.add({
        articleId: 'a1',
        at: 1,
        reason: 'blocked',
        doc: doc('x'),
        baseVersion: 1,
        words: 1,
      })
    })
    expect(await database.docs.count()).toBe(3)
    let isFull = true
    database.localRevs.hook('deleting').subscribe(() => {
      isFull = false
    })
    breakEveryHandle((go) => (isFull ? failWith(full)() : go()))
    editor.type(' two')
    await world.pass(200)
    expect(await kept()).toEqual(doc('one two'))
    expect((await database.docs.toArray()).map(({ articleId }) => articleId)).toEqual(['a1', 'a3'])
    const left = await database.localRevs.where('[articleId+at]').below(['a1', 60_000]).toArray()
    expect(left.map(({ reason, at }) => [reason, at])).toEqual([
      ['blocked', 1],
      ['checkpoint', 2],
      ['checkpoint', 3],
    ])
    await world.pass(120_000)
    expect(await database.docs.count()).toBe(2)
  })

  test('with nothing to evict the text is in memory and is shown so', async () => {
    breakEveryHandle(failWith(full))
    world.server.offline = true
    editor.type(' two')
    await world.pass(200)
    expect(await view()).toMatchObject({ saveLine: 'not-saved', warning: { kind: 'memory' } })
  })
})

test('cleared by the browser, which blocks opening until it is done: the shown text is written again', {
  tags: ['@SY-11', '@fault-45'],
}, async () => {
  world.server.offline = true
  editor.type(' two')
  await world.pass(2_000)
  const { database } = world
  const lost = database.backendDB()
  await Promise.all(database.tables.map((table) => table.clear()))
  const { open } = IDBFactory.prototype
  IDBFactory.prototype.open = failWith(named('AbortError', 'The connection was closed.'))
  lost.close()
  lost.onclose?.(new Event('close') as IDBVersionChangeEvent)
  await world.pass(9_000)
  IDBFactory.prototype.open = open
  await world.pass(25_000)
  expect(await kept()).toEqual(doc('one two'))
})

test('every cause is found however deep the library wraps it', () => {
  const wrapped = (inner: unknown) =>
    Object.assign(new Error('Transaction aborted'), { name: 'AbortError', inner })
  expect(causeOf(wrapped(named('QuotaExceededError')))).toBe('no-room')
  expect(causeOf(wrapped(named('UnknownError')))).toBe('handle')
  expect(causeOf(new Error('Connection to Indexed Database server lost'))).toBe('handle')
  expect(causeOf(new TypeError('x is undefined'))).toBeNull()
  expect(causeOf(null)).toBeNull()
})
