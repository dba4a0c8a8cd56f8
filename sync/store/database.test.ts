import { Dexie, type Table } from 'dexie'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { documentHash } from '../../domain/text/canonical.ts'
import { type ArticleText, linkTo } from '../../domain/text/document.ts'
import { writeExitSnapshot } from '../editing/exit-snapshot.ts'
import { dirtyTexts } from '../status/outbox-counts.ts'
import { unsentArticles } from '../status/sync-summary.ts'
import { createSnapshotStore, doc } from '../testing/test-world.ts'
import { localDatabaseName, openLocalDatabase } from './database.ts'
import { CHUNK_SIZES, changeText } from './draft-chunks.ts'
import { readDraft } from './draft-rows.ts'
import { exitSnapshotRows } from './exit-snapshots.ts'
import { readDoc } from './server-docs.ts'

/** All rows of an earlier release are present after the new one has opened the database. */

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
const THIRD = {
  drafts: 'articleId, dirty, [dirty+articleId+editedAt+words]',
  outbox: '++seq, [articleId+seq], state, nextAt, kind, failedAt',
}

const SEVENTH = { ...FIRST, ...SECOND, ...THIRD, drafts: 'articleId, dirty' }

const SIXTH = { texts: '[articleId+role]', turns: '' }

const draft = (articleId: string, dirty: 0 | 1) => ({
  articleId,
  doc: doc(`${articleId} as it was typed`),
  hash: `old hash of ${articleId}`,
  baseDoc: doc(articleId),
  baseHash: 'old',
  words: 5,
  localRev: 3,
  baseTv: 4,
  editedAt: 1_000,
  dirty,
})
const entry = (articleId: string, failedAt: number | null) => ({
  articleId,
  kind: 'text',
  state: 'inflight',
  idem: `key of ${articleId}`,
  frozen: JSON.stringify({ articleText: doc(articleId) }),
  frozenHash: 'old',
  restored: `old hash of ${articleId}`,
  nextAt: 2_000,
  since: 1_000,
  merges: 0,
  heldReason: null,
  failedAt,
})

const ROWS: Record<string, object[]> = {
  articles: [{ id: 'a1', name: 'Tides', clientId: 'c1', completed: 0, listed: 1 }],
  docs: [{ articleId: 'a1', textVersion: 4, doc: doc('a1'), hash: 'old' }],
  drafts: [draft('a1', 1), draft('a2', 0), draft('a3', 1)],
  outbox: [entry('a1', null), entry('a3', 1_500)],
  localRevs: [{ articleId: 'a1', at: 900, reason: 'checkpoint', baseTv: 3, doc: doc('earlier') }],
  rescue: [{ articleId: 'a1', tabId: 't1', doc: doc('last words'), at: 1_100 }],
  meta: [{ key: 'serverEpoch', value: 'one' }],
}

/** The same rows as this release has them: texts of drafts in a table of their own, hashes of blocks, keys of what was sent. */
function asNow({
  rescue = [],
  ...rows
}: Record<string, Record<string, unknown>[]>): Record<string, object[]> {
  const { drafts = [], outbox = [], docs = [] } = rows
  return {
    ...rows,
    records: [],
    seenEntities: [],
    plans: [],
    exitSnapshots: rescue,
    drafts: drafts.map(({ doc: own, baseDoc, baseTv, ...draft }) => ({
      ...draft,
      baseVersion: baseTv,
      hash: hashOf(own),
      baseHash: hashOf(baseDoc),
    })),
    texts: drafts.flatMap(({ articleId, doc: own, baseDoc }) => [
      { articleId, role: 'base', json: JSON.stringify(baseDoc) },
      { articleId, role: 'draft', json: JSON.stringify(own) },
    ]),
    docs: docs.map((row) => ({ ...row, hash: hashOf(row.doc) })),
    outbox: outbox.map(({ seq, articleId, failedAt, idem }) => ({
      seq,
      articleId,
      kind: 'text',
      state: 'pending',
      key: `${idem}-2`,
      unconfirmed: [idem],
      sentHash: null,
      body: null,
      restored: documentHash(doc(`${articleId} as it was typed`)),
      dueAt: 2_000,
      firstEditAt: 1_000,
      conflicts: 0,
      blockedReason: null,
      failedAt,
    })),
    serverRevs: rows.serverRevs ?? [],
    turns: [],
  }
}

const hashOf = (text: unknown): string => documentHash(text as ArticleText)

const everything = async (database: Dexie) =>
  Object.fromEntries(
    await Promise.all(
      database.tables.map(async (table) => [table.name, await table.toArray()] as const),
    ),
  )

test.each([
  ['first', [FIRST]],
  ['second', [FIRST, SECOND]],
  ['third', [FIRST, SECOND, THIRD]],
])(
  'keeps every row of the %s release, and finds it by new keys',
  { tags: ['@SY-05'] },
  async (_, releases) => {
    const engine = { indexedDB: new IDBFactory(), IDBKeyRange }
    const old = new Dexie(localDatabaseName('u1'), engine)
    for (const [at, stores] of releases.entries()) old.version(at + 1).stores(stores)
    await old.open()
    for (const [name, rows] of Object.entries(ROWS)) await old.table(name).bulkAdd(rows)
    const before = await everything(old)
    old.close()

    const database = openLocalDatabase('u1', engine)
    await database.open()
    expect(database.upgradeSteps).toBeGreaterThan(0)
    expect(await everything(database)).toEqual(asNow(before))
    expect([...(await dirtyTexts(database))]).toEqual([
      ['a1', { editedAt: 1_000, words: 5 }],
      ['a3', { editedAt: 1_000, words: 5 }],
    ])
    expect([...(await unsentArticles(database))]).toEqual(['a1', 'a3'])
    expect(await readDraft(database, 'a1')).toMatchObject({
      doc: doc('a1 as it was typed'),
      baseDoc: doc('a1'),
      dirty: 1,
    })
    database.close()
  },
)

test('reads every text of the sixth release', { tags: ['@SY-05'] }, async () => {
  const engine = { indexedDB: new IDBFactory(), IDBKeyRange }
  const old = new Dexie(localDatabaseName('u1'), engine)
  old.version(6).stores({ ...FIRST, ...SECOND, ...THIRD, drafts: 'articleId, dirty', ...SIXTH })
  const [read, typed] = [doc('as the agency has it'), doc('as it was typed')]
  const textsOf = (articleId: string, own: ArticleText) => [
    { articleId, role: 'draft', json: JSON.stringify(own) },
    { articleId, role: 'base', json: JSON.stringify(read) },
  ]
  const hashes = (own: ArticleText) => ({ hash: hashOf(own), baseHash: hashOf(read) })
  await old.table('docs').add({ articleId: 'a1', textVersion: 4, doc: read, hash: hashOf(read) })
  await old.table('drafts').bulkAdd([
    { ...draft('a1', 0), ...hashes(read) },
    { ...draft('a2', 1), ...hashes(typed) },
  ])
  await old.table('texts').bulkAdd([...textsOf('a1', read), ...textsOf('a2', typed)])
  old.close()

  const database = openLocalDatabase('u1', engine)
  const row = await database.docs.get('a1')
  expect(row && readDoc(row).doc).toEqual(read)
  expect(await readDraft(database, 'a1')).toMatchObject({ doc: read, baseDoc: read })
  expect(await readDraft(database, 'a2')).toMatchObject({ doc: typed, baseDoc: read })
  database.close()
})

/** One entry of the seventh version; `frozen` is the text as it was sent. */
const entryOf7 = (articleId: string, idem: string, rest: object = {}, frozen?: ArticleText) => ({
  articleId,
  idem,
  kind: 'text',
  state: 'pending',
  frozen: frozen ? JSON.stringify({ articleText: frozen }) : null,
  frozenRev: frozen ? 2 : null,
  frozenHash: frozen ? hashOf(frozen) : null,
  ifMatch: frozen ? '"v4.t4"' : null,
  nextAt: 2_000,
  since: 1_000,
  merges: 1,
  heldReason: null,
  failedAt: null,
  ...rest,
})

test('the upgrade to version 8 keeps every key that version 7 sent', {
  tags: ['@SY-05'],
}, async () => {
  const engine = { indexedDB: new IDBFactory(), IDBKeyRange }
  const old = new Dexie(localDatabaseName('u1'), engine)
  old.version(7).stores({ ...SEVENTH, ...SIXTH })
  const now = doc('as it is')
  const before = doc('as it was')
  const articles = ['typed-on', 'left', 'sent', 'blocked', 'undelivered', 'complete', 'on-its-way']
  await old.table('drafts').bulkAdd(
    articles.map((articleId) => ({
      articleId,
      hash: hashOf(now),
      baseHash: 'base',
      baseTv: 4,
      dirty: 1,
    })),
  )
  await old.table('outbox').bulkAdd([
    entryOf7('typed-on', 'k1', { state: 'inflight' }, before),
    entryOf7('typed-on', 'k2', { takenAs: 5 }, doc('as it was then')),
    entryOf7('typed-on', 'k3', { patient: 1 }),
    entryOf7('left', 'k4', { state: 'inflight' }, before),
    entryOf7('sent', 'k5', { state: 'inflight', maybeSent: true }, now),
    entryOf7('blocked', 'k6', {
      state: 'held',
      heldReason: 'completed',
      unanswered: [{ idem: 'k7', frozen: '{}' }],
    }),
    entryOf7('undelivered', 'k8', { kind: 'stray' }, now),
    entryOf7('complete', 'k9', { kind: 'control', completed: true }),
    entryOf7('on-its-way', 'k12', { kind: 'stray', state: 'inflight' }, before),
  ])
  const arrived = { at: 900, hash: hashOf(now) }
  await old.table('meta').add({ key: 'stray:blocked', value: arrived })
  await old.table('localRevs').bulkAdd([
    { articleId: 'left', at: 1, reason: 'held', baseTv: 2, doc: before },
    { articleId: 'left', at: 2, reason: 'rescue', baseTv: 3, doc: before },
  ])
  const sent = { idem: 'k11', frozen: '{}', frozenHash: 'hash of k11' }
  const left = { articleId: 'left', tabId: 't1', idem: 'k10', sent, sentOn: 4, at: 3 }
  await old.table('rescue').add(left)
  old.close()

  const snapshotStore = createSnapshotStore()
  snapshotStore.setItem(
    'contun-u1:last-words:sent:t2',
    JSON.stringify({ ...left, articleId: 'sent', tabId: 't2' }),
  )
  const database = openLocalDatabase('u1', { ...engine, snapshotStore })
  const common = { dueAt: 2_000, firstEditAt: 1_000, conflicts: 1 }
  const text = { ...common, kind: 'text', body: null }
  expect(await database.outbox.toArray()).toEqual(
    [
      { seq: 3, articleId: 'typed-on', key: 'k3', unconfirmed: ['k1', 'k2'], debounced: 1 },
      { seq: 4, articleId: 'left', key: 'k4-2', unconfirmed: ['k4'] },
      {
        seq: 5,
        articleId: 'sent',
        key: 'k5',
        state: 'inflight',
        sentHash: hashOf(now),
        maybeSent: true,
      },
      {
        seq: 6,
        articleId: 'blocked',
        key: 'k6',
        unconfirmed: ['k7'],
        state: 'blocked',
        blockedReason: 'completed',
      },
      {
        seq: 7,
        articleId: 'undelivered',
        key: 'k8',
        kind: 'undelivered',
        body: JSON.stringify({ articleText: now }),
        sentHash: hashOf(now),
      },
      { seq: 8, articleId: 'complete', key: 'k9', kind: 'control', completed: true },
      {
        seq: 9,
        articleId: 'on-its-way',
        key: 'k12',
        kind: 'undelivered',
        state: 'inflight',
        body: JSON.stringify({ articleText: before }),
        sentHash: hashOf(before),
      },
    ].map((row) => ({
      ...text,
      state: 'pending',
      sentHash: null,
      blockedReason: null,
      failedAt: null,
      ...row,
    })),
  )
  expect(await database.meta.toArray()).toEqual([{ key: 'undelivered:blocked', value: arrived }])
  expect((await database.drafts.get('left'))?.baseVersion).toBe(4)
  expect((await database.localRevs.toArray()).map(({ reason }) => reason)).toEqual([
    'blocked',
    'exit-snapshot',
  ])
  const snapshot = { key: 'k10', unconfirmed: [{ key: 'k11', hash: 'hash of k11' }], at: 3 }
  expect(await exitSnapshotRows(database)).toEqual([
    { articleId: 'left', tabId: 't1', ...snapshot },
    { articleId: 'sent', tabId: 't2', ...snapshot },
  ])
  database.close()
})

test('asks for the listing again where version 11 read it without its plans', {
  tags: ['@SY-05'],
}, async () => {
  const engine = { indexedDB: new IDBFactory(), IDBKeyRange }
  const old = new Dexie(localDatabaseName('u1'), engine)
  old.version(11).stores({
    articles: 'id, clientId, completed, updatedAt, listed',
    records: 'articleId',
    seenEntities: 'articleId',
    meta: 'key',
  })
  const article = { id: 'a1', name: 'Tides', completed: 0, listed: 1, version: 4 }
  const record = { articleId: 'a1', handIns: [], total: 0, lost: [], notes: [] }
  const seen = { articleId: 'a1', entities: [{ keyword: 'tide', category: 'Must Use' }] }
  const checked = { key: 'lastCheckedAt', value: 1_000 }
  await old.table('articles').add(article)
  await old.table('records').add(record)
  await old.table('seenEntities').add(seen)
  await old.table('meta').bulkAdd([checked, { key: 'listTag', value: '"one"' }])
  old.close()

  const database = openLocalDatabase('u1', engine)
  const { meta, articles, records, seenEntities, plans } = await everything(database)
  expect(meta).toEqual([checked])
  expect({ articles, records, seenEntities, plans }).toEqual({
    articles: [article],
    records: [record],
    seenEntities: [seen],
    plans: [],
  })
  database.close()
})

test('a draft that a page without links typed on has the links of the text that it grew from', {
  tags: ['@SY-05'],
}, async () => {
  const engine = { indexedDB: new IDBFactory(), IDBKeyRange }
  const old = new Dexie(localDatabaseName('u1'), engine)
  old.version(11).stores({
    ...SEVENTH,
    ...SIXTH,
    outbox: '++seq, [articleId+seq], state, dueAt, kind, failedAt',
    rescue: null,
  })
  const linked = (...words: string[]): ArticleText => ({
    type: 'doc',
    content: words.map((text) => ({
      type: 'paragraph',
      content: [{ type: 'text', text, marks: [linkTo('https://larkspur.example')] }],
    })),
  })
  const long = Array.from({ length: 600 }, (_, at) => `A long paragraph, with the number ${at}`)
  const row = (articleId: string, own: ArticleText, base: ArticleText, rest = {}) => ({
    ...draft(articleId, 1),
    doc: undefined,
    baseDoc: undefined,
    hash: hashOf(own),
    baseHash: hashOf(base),
    ...rest,
  })
  const whole = (articleId: string, own: ArticleText, base: ArticleText) => [
    { articleId, role: 'draft', json: JSON.stringify(own) },
    { articleId, role: 'base', json: JSON.stringify(base), hash: hashOf(base) },
  ]
  const chunks = changeText('long', doc(...long, 'more'), undefined, CHUNK_SIZES)
  await old
    .table('drafts')
    .bulkAdd([
      row('short', doc('See here', 'more'), linked('See here')),
      row('own', linked('See there'), linked('See here')),
      row('bare', doc('See here', 'more'), doc('See here')),
      row('long', doc(...long, 'more'), linked(...long), { pieces: chunks.pieces }),
      row('same', doc('See here'), doc('See here')),
      row('lost', doc('See here'), linked('See here')),
    ])
  await old.table('texts').bulkAdd([
    ...whole('short', doc('See here', 'more'), linked('See here')),
    ...whole('own', linked('See there'), linked('See here')),
    ...whole('bare', doc('See here', 'more'), doc('See here')),
    ...chunks.put,
    { articleId: 'long', role: 'base', json: JSON.stringify(linked(...long)) },
    // The base of an earlier draft, which nothing has removed.
    ...whole('same', doc('See here'), linked('See here')),
    { articleId: 'lost', role: 'base', json: JSON.stringify(linked('See here')) },
  ])
  old.close()

  const database = openLocalDatabase('u1', engine)
  const texts = async (articleId: string) => {
    const read = await readDraft(database, articleId)
    expect(read?.hash).toBe(hashOf(read?.doc))
    return { doc: read?.doc, localRev: read?.localRev }
  }
  const more = doc('more').content
  expect(await texts('short')).toEqual({
    doc: { type: 'doc', content: [...(linked('See here').content ?? []), ...more] },
    localRev: 4,
  })
  expect(await texts('own')).toEqual({ doc: linked('See there'), localRev: 3 })
  expect(await texts('bare')).toEqual({ doc: doc('See here', 'more'), localRev: 3 })
  expect(await texts('same')).toEqual({ doc: doc('See here'), localRev: 3 })
  await expect(texts('lost')).rejects.toThrow('lost its text')
  expect(await texts('long')).toEqual({
    doc: { type: 'doc', content: [...(linked(...long).content ?? []), ...more] },
    localRev: 4,
  })
  database.close()
})

test('counts the words of texts with dashes again', { tags: ['@Q34'] }, async () => {
  const engine = { indexedDB: new IDBFactory(), IDBKeyRange }
  const old = new Dexie(localDatabaseName('u1'), engine)
  old.version(13).stores({
    docs: 'articleId',
    drafts: 'articleId, dirty, [dirty+articleId+editedAt+words]',
    texts: '[articleId+role]',
  })
  const words = 9
  const text = (articleId: string, own: ArticleText) => ({
    articleId,
    role: 'draft',
    json: JSON.stringify(own),
  })
  await old.table('docs').bulkAdd([
    { articleId: 'a1', textVersion: 1, hash: '', words, json: JSON.stringify(doc('one—two')) },
    { articleId: 'a2', textVersion: 1, hash: '', words, json: JSON.stringify(doc('one two')) },
  ])
  await old.table('drafts').bulkAdd([
    { ...draft('a1', 1), words },
    { ...draft('a2', 1), words },
    { ...draft('lost', 1), words },
  ])
  await old.table('texts').bulkAdd([text('a1', doc('one―two—three')), text('a2', doc('one-two'))])
  old.close()

  const database = openLocalDatabase('u1', engine)
  const wordsOf = (rows: { words: number }[]) => rows.map((row) => row.words)
  expect(wordsOf(await database.docs.orderBy('articleId').toArray())).toEqual([2, words])
  expect(wordsOf(await database.drafts.orderBy('articleId').toArray())).toEqual([3, words, words])
  database.close()
})

test('writes of different tables wait for one another, also the one of a page that leaves', {
  tags: ['@fault-14'],
}, async () => {
  const database = openLocalDatabase('u1', { indexedDB: new IDBFactory(), IDBKeyRange })
  await database.open()
  const order: string[] = []
  const write = (table: Table) =>
    database.transaction('rw', table, async () => {
      await table.count()
      order.push(`${table.name} begins`)
      if (table === database.meta) leave()
      await table.count()
      order.push(`${table.name} ends`)
    })
  let kept = Promise.resolve(0)
  const leave = () => {
    const words = { doc: doc('two'), base: doc('one'), seenRev: 1, at: 1 }
    writeExitSnapshot(database, { articleId: 'a1', tabId: 't1', ...words })
    kept = Promise.resolve(Dexie.ignoreTransaction(() => database.exitSnapshots.count()))
    void kept.then((count) => order.push(`${count} rescued`))
  }
  await Promise.all([database.meta, database.localRevs, database.docs].map(write))
  await kept
  const writes = ['meta begins', 'meta ends', 'localRevs begins', 'localRevs ends']
  expect(order).toEqual([...writes, 'docs begins', 'docs ends', '1 rescued'])
  database.close()
})
