import { Dexie } from 'dexie'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { localDatabaseName, openLocalDatabase } from './database.ts'
import { dirtyTexts, queuedArticles } from './keys.ts'
import { doc } from './test-world.ts'

/** What a laptop has from an earlier release is all there after the new one has opened it. */

const FIRST = {
  articles: 'id, clientId, completed, updatedAt, listed',
  docs: 'articleId',
  drafts: 'articleId, dirty',
  outbox: '++seq, [articleId+seq], state, nextAt',
  localRevs: '++id, [articleId+at], reason',
  rescue: '[articleId+tabId]',
  meta: 'key',
}
const SECOND = {
  localRevs: '++id, [articleId+at], reason, size',
  serverRevs: '[articleId+textVersion]',
}

const draft = (articleId: string, dirty: 0 | 1) => ({
  articleId,
  doc: doc(`${articleId} as it was typed`),
  baseDoc: doc(articleId),
  words: 5,
  localRev: 3,
  editedAt: 1_000,
  dirty,
})
const entry = (articleId: string, failedAt: number | null) => ({
  articleId,
  kind: 'text',
  state: 'inflight',
  idem: `key of ${articleId}`,
  frozen: JSON.stringify({ articleText: doc(articleId) }),
  nextAt: 2_000,
  failedAt,
})

const ROWS: Record<string, object[]> = {
  articles: [{ id: 'a1', name: 'Tides', clientId: 'c1', completed: 0, listed: 1 }],
  docs: [{ articleId: 'a1', textVersion: 4, doc: doc('a1') }],
  drafts: [draft('a1', 1), draft('a2', 0), draft('a3', 1)],
  outbox: [entry('a1', null), entry('a3', 1_500)],
  localRevs: [{ articleId: 'a1', at: 900, reason: 'checkpoint', doc: doc('earlier') }],
  rescue: [{ articleId: 'a1', tabId: 't1', doc: doc('last words'), at: 1_100 }],
  meta: [{ key: 'serverEpoch', value: 'one' }],
}

const everything = async (database: Dexie) =>
  Object.fromEntries(
    await Promise.all(
      database.tables.map(async (table) => [table.name, await table.toArray()] as const),
    ),
  )

test.each([
  ['first', [FIRST]],
  ['second', [FIRST, SECOND]],
])('SY-05 keeps every row of the %s release, and finds it by new keys', async (_, releases) => {
  const engine = { indexedDB: new IDBFactory(), IDBKeyRange }
  const old = new Dexie(localDatabaseName('u1'), engine)
  for (const [at, stores] of releases.entries()) old.version(at + 1).stores(stores)
  await old.open()
  for (const [name, rows] of Object.entries(ROWS)) await old.table(name).bulkAdd(rows)
  const before = await everything(old)
  old.close()

  const database = openLocalDatabase('u1', engine)
  await database.open()
  expect(await everything(database)).toEqual({ serverRevs: [], ...before })
  expect([...(await dirtyTexts(database))]).toEqual([
    ['a1', { editedAt: 1_000, words: 5 }],
    ['a3', { editedAt: 1_000, words: 5 }],
  ])
  expect([...(await queuedArticles(database)).values()]).toEqual(['a1', 'a3'])
  database.close()
})
