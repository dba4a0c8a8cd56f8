import { Dexie } from 'dexie'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { beforeEach, expect, test } from 'vitest'
import { type LocalDatabase, openLocalDatabase } from './database.ts'
import { deleteDraft } from './draft-rows.ts'
import { knownEpoch } from './epoch.ts'
import { keepRevision } from './revisions.ts'
import { moveDocForward } from './server-docs.ts'
import { measure } from './text-stats.ts'
import { transact } from './transaction.ts'

/** The compiler checks every `@ts-expect-error` here: one above a line that compiles is an error. */

/** The text that the server lost, which is kept as a revision, and the one in its place. */
const KNOWN = { articleId: 'a1', textVersion: 0, hash: 'other', words: 0 }
const TEXT = { articleId: 'a1', textVersion: 2, ...measure({}) }

let database: LocalDatabase

beforeEach(() => {
  database = openLocalDatabase('u1', { indexedDB: new IDBFactory(), IDBKeyRange })
})

test('a transaction that lacks a table of a call compiles as little as it runs', async () => {
  await database.docs.put(KNOWN)
  const running = [
    transact(database, 'rw', ['drafts'], async (tables) => {
      // @ts-expect-error texts are missing
      await deleteDraft(tables, 'a1')
    }),
    transact(database, 'rw', ['docs'], async (tables) => {
      // @ts-expect-error localRevs are missing, which a function called by it uses for some texts
      await moveDocForward(tables, TEXT, 1)
    }),
    // @ts-expect-error there is no such table
    transact(database, 'r', ['rescue'], async () => {}),
  ]
  const outcomes = await Promise.allSettled(running)
  const notFound = expect.objectContaining({ name: 'NotFoundError' })
  expect(outcomes).toEqual(running.map(() => ({ status: 'rejected', reason: notFound })))
})

test('without a transaction, what needs one would store half of it: it does not compile', async () => {
  await database.docs.put(KNOWN)
  database.docs.hook('updating', () => {
    throw new Error('No room')
  })
  const moving = transact(database, 'rw', ['docs', 'localRevs'], (tables) =>
    moveDocForward(tables, TEXT, 1),
  )
  await expect(moving).rejects.toThrow('No room')
  expect(await database.localRevs.count()).toBe(0)
  // @ts-expect-error not in a transaction
  await expect(moveDocForward(database, TEXT, 1)).rejects.toThrow('No room')
  expect(await database.localRevs.count()).toBe(1)
})

test('a transaction may cover more tables, and what needs none runs in one too', async () => {
  await transact(database, 'rw', ['docs', 'localRevs', 'meta'], async (tables) => {
    await moveDocForward(tables, TEXT, 1)
    expect(await knownEpoch(tables)).toBeNull()
  })
  expect(await knownEpoch(database)).toBeNull()
  expect((await database.docs.get('a1'))?.textVersion).toBe(2)
})

test('covers the named tables alone, in the given mode', async () => {
  const running = await transact(database, 'r', ['docs', 'drafts'], async () => {
    const { mode, storeNames } = Dexie.currentTransaction
    return { mode, storeNames }
  })
  expect(running).toEqual({ mode: 'readonly', storeNames: ['docs', 'drafts'] })
})

test('is one transaction across every await, undone as a whole when its scope rejects', async () => {
  const keep = (at: number) => ({ articleId: 'a1', ...measure({}), baseVersion: at })
  const writing = transact(database, 'rw', ['localRevs', 'meta'], async (tables) => {
    await keepRevision(tables, 'checkpoint', keep(1), 1)
    await Promise.all([knownEpoch(tables), tables.meta.put({ key: 'serverEpoch', value: 'e1' })])
    await keepRevision(tables, 'checkpoint', keep(2), 2)
    throw new Error('Given up')
  })
  await expect(writing).rejects.toThrow('Given up')
  expect(await database.localRevs.count()).toBe(0)
  expect(await knownEpoch(database)).toBeNull()
})
