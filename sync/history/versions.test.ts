import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { beforeEach, describe, expect, test } from 'vitest'
import { plainText } from '../../domain/text/article-text.ts'
import type { ArticleText } from '../../domain/text/document.ts'
import { NoAnswer, type Send } from '../ports.ts'
import { letGo } from '../pull/pull.ts'
import { type LocalDatabase, type LocalRevReason, openLocalDatabase } from '../store/database.ts'
import { openDraft } from '../store/draft-rows.ts'
import { enterEpoch } from '../store/epoch.ts'
import { evict } from '../store/evict.ts'
import { keepCheckpoint, keepRevision, revisionsOf } from '../store/revisions.ts'
import { docRow } from '../store/server-docs.ts'
import { measure } from '../store/text-stats.ts'
import { createAgencyWorld } from '../testing/test-agency.ts'
import { answer, errorBody } from '../testing/test-server.ts'
import { createWorld, doc } from '../testing/test-world.ts'
import { pruneRevisions } from './prune-revisions.ts'
import { fetchServerRevisions, fetchServerText, readServerText } from './server-revisions.ts'
import { keepPresentText, markRestored, readVersions, type Version } from './versions.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const NINE = Date.parse('2026-03-02T09:00:00.000Z')

let database: LocalDatabase

beforeEach(() => {
  database = openLocalDatabase('u1', { indexedDB: new IDBFactory(), IDBKeyRange })
})

/** The server's history: words, reason and author, from version 1 on, a minute apart. */
type Past = [words: string, reason: string, author: string | null, handIn?: number][]

type PastServer = {
  send: Send
  asked: string[]
  isDown: boolean
  prune: (version: number) => void
}

function serverWith(past: Past): PastServer {
  const marks = past.map(([words, reason, author, handIn], index) => ({
    textVersion: index + 1,
    words: words.split(' ').length,
    author: author === null ? null : { id: author, name: author },
    reason,
    ...(handIn !== undefined && { handIn }),
    createdAt: new Date(NINE + index * MINUTE).toISOString(),
  }))
  const pruned = new Set<number>()
  const server = {
    asked: [] as string[],
    isDown: false,
    prune: (version: number) => void pruned.add(version),
    send: (async ({ path }) => {
      if (server.isDown) throw new NoAnswer()
      server.asked.push(path)
      const version = Number(/\/revisions\/(\d+)$/.exec(path)?.[1])
      const mark = marks[version - 1]
      if (pruned.has(version)) return answer(404, errorBody(404, 'Revision not found'))
      if (mark) return answer(200, { ...mark, articleText: doc(past[version - 1]?.[0] ?? '') })
      const query = new URLSearchParams(path.split('?')[1])
      const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))]
      const kept = marks.filter(({ textVersion }) => !pruned.has(textVersion))
      const results = kept.toReversed().slice((page - 1) * limit, page * limit)
      const totalPages = Math.ceil(kept.length / limit)
      return answer(200, { results, page, limit, totalPages, totalResults: kept.length })
    }) satisfies Send,
  }
  return server
}

const keep = (reason: LocalRevReason, words: string, at: number, baseVersion = 1) =>
  keepRevision(database, reason, { articleId: 'a1', ...measure(doc(words)), baseVersion }, at)

/** 'server 2 autosave Ida "One two."': what the timeline says, '?' for a text that only the server has. */
const line = ({ key, reason, server, text, isPresent, hasPresentText }: Version) =>
  [
    key.replace(/local \d+/, 'here'),
    ...(reason === key ? [] : [reason]),
    ...(server ? [server.author ?? 'unknown'] : []),
    text ? `"${plainText(text)}"` : '?',
    ...(isPresent ? ['present'] : hasPresentText ? ['same text'] : []),
  ].join(' ')
const timeline = async () => (await readVersions(database, 'a1')).map(line)

async function present(text: ArticleText, textVersion: number) {
  await database.docs.put(docRow({ articleId: 'a1', textVersion, ...measure(text) }))
  await openDraft(database, 'a1')
}

describe('the timeline', () => {
  test('takes the text of a server version from a row of database version 7', async () => {
    const { send } = serverWith([
      ['One.', 'created', null],
      ['Their words.', 'plain', 'Emil'],
    ])
    await present(doc('Mine.'), 3)
    await keep('pre-merge-theirs', 'Their words.', NINE, 2)
    await database.localRevs.toCollection().modify((row) => {
      row.baseTv = row.baseVersion ?? 0
      delete row.baseVersion
    })
    expect(await fetchServerRevisions(send, database, 'a1')).toEqual({ kind: 'fetched' })
    expect(await timeline()).toContain('server 2 plain Emil "Their words."')
  })

  test('keeps by which hand-in a text was handed in; a node of an earlier release says nothing of it', async () => {
    const { send } = serverWith([
      ['One.', 'created', null],
      ['One two.', 'autosave', 'Ida', 2],
    ])
    await present(doc('Mine.'), 3)
    await fetchServerRevisions(send, database, 'a1')
    await fetchServerText(send, database, 'a1', 2)
    await fetchServerRevisions(send, database, 'a1')
    const versions = await readVersions(database, 'a1')
    expect(versions.map(({ server }) => server?.handIn)).toEqual([undefined, 2, null])
  })

  test('writes only the versions that differ from what is here', async () => {
    const versions: Parameters<typeof serverWith>[0] = [
      ['One.', 'created', null],
      ['One two.', 'autosave', 'Ida'],
    ]
    await fetchServerRevisions(serverWith(versions).send, database, 'a1')
    const written: unknown[] = []
    database.serverRevs.hook('creating', (key) => void written.push(key))
    database.serverRevs.hook('updating', (_, key) => void written.push(key))
    database.serverRevs.hook('deleting', (key) => void written.push(key))
    await fetchServerRevisions(serverWith(versions).send, database, 'a1')
    expect(written).toEqual([])
    const changed: typeof versions = [
      ['One.', 'created', null],
      ['One two.', 'autosave', 'Emil'],
    ]
    await fetchServerRevisions(serverWith(changed).send, database, 'a1')
    expect(written).toEqual([['a1', 2]])
  })

  test('merges the versions of the server and this device, newest first, each text once', async () => {
    const { send } = serverWith([
      ['One.', 'created', null],
      ['One two.', 'autosave', 'Ida'],
      ['Their words.', 'plain', 'Emil'],
    ])
    await present(doc('Their words.'), 3)
    await keep('checkpoint', 'One.', NINE + 30_000)
    await keepRevision(
      database,
      'checkpoint',
      {
        articleId: 'a1',
        ...measure(doc('One two.')),
        baseVersion: 2,
        baseHash: measure(doc('One two.')).hash,
      },
      NINE + 90_000,
    )
    await keep('pre-merge-mine', 'One two mine.', NINE + 2 * MINUTE + 1)
    await keep('pre-merge-theirs', 'Their words.', NINE + 2 * MINUTE + 1, 3)
    await keep('checkpoint', 'One two mine.', NINE + 3 * MINUTE)
    expect(await fetchServerRevisions(send, database, 'a1')).toEqual({ kind: 'fetched' })
    expect(await timeline()).toEqual([
      'here pre-merge-mine "One two mine."',
      'server 3 plain Emil "Their words." present',
      'server 2 autosave Ida "One two."',
      'here checkpoint "One."',
      'server 1 created unknown ?',
    ])
    await fetchServerText(send, database, 'a1', 1)
    expect(await timeline()).toEqual([
      'here pre-merge-mine "One two mine."',
      'server 3 plain Emil "Their words." present',
      'server 2 autosave Ida "One two."',
      'server 1 created unknown "One."',
    ])
  })

  test('begins with the text on this computer where the server’s list does not have it', async () => {
    const { send } = serverWith([
      ['One.', 'created', null],
      ['One two.', 'autosave', 'Ida'],
    ])
    await present(doc('One two.'), 2)
    expect(await timeline()).toEqual(['draft "One two." present'])
    await fetchServerRevisions(send, database, 'a1')
    expect(await timeline()).toEqual([
      'server 2 autosave Ida "One two." present',
      'server 1 created unknown ?',
    ])
  })

  test('is there without a connection, with the texts that were looked at', async () => {
    const server = serverWith([
      ['One.', 'created', null],
      ['One two.', 'autosave', 'Ida'],
      ['Their words.', 'plain', 'Emil'],
    ])
    await fetchServerRevisions(server.send, database, 'a1')
    await fetchServerText(server.send, database, 'a1', 2)
    server.isDown = true
    expect(await fetchServerRevisions(server.send, database, 'a1')).toEqual({ kind: 'unreachable' })
    expect(await fetchServerText(server.send, database, 'a1', 1)).toEqual({ kind: 'unreachable' })
    const kept = [
      'server 3 plain Emil ?',
      'server 2 autosave Ida "One two."',
      'server 1 created unknown ?',
    ]
    expect(await timeline()).toEqual(kept)
    server.isDown = false
    await fetchServerRevisions(server.send, database, 'a1')
    expect(await timeline()).toEqual(kept)
  })

  test('has every version that the server lists, and asks for each page of a long list', {
    tags: ['@fault-69'],
  }, async () => {
    const many: Past = Array.from({ length: 1_100 }, (_, n) => [`Words ${n}.`, 'autosave', 'Ida'])
    const { send, asked } = serverWith(many)
    await fetchServerRevisions(send, database, 'a1')
    expect(asked).toHaveLength(3)
    expect(await database.serverRevs.count()).toBe(1_100)
    expect(await timeline()).toHaveLength(1_100)
  })

  test('has deleted text, also without a connection', {
    tags: ['@fault-69'],
  }, async () => {
    const sentences = ['One.', 'One. Two.', 'One. Two. Three.']
    const server = serverWith([
      ['', 'created', null],
      ...sentences.map((words): Past[number] => [words, 'autosave', 'Ida']),
      ['', 'autosave', 'Ida'],
    ])
    await fetchServerRevisions(server.send, database, 'a1')
    await fetchServerText(server.send, database, 'a1', 4)
    server.isDown = true
    await fetchServerRevisions(server.send, database, 'a1')
    expect((await timeline())[1]).toBe('server 4 autosave Ida "One. Two. Three."')
  })

  test('asks for the list again when the server has pruned a version since', async () => {
    const server = serverWith([
      ['One.', 'created', null],
      ['One two.', 'autosave', 'Ida'],
      ['One two three.', 'autosave', 'Ida'],
    ])
    await fetchServerRevisions(server.send, database, 'a1')
    server.prune(2)
    expect(await fetchServerText(server.send, database, 'a1', 2)).toEqual({
      kind: 'refused',
      message: 'Revision not found',
    })
    expect(await timeline()).toEqual(['server 3 autosave Ida ?', 'server 1 created unknown ?'])
  })

  test('forgets a text whose version means another one after a restored backup', async () => {
    const before = serverWith([
      ['One.', 'created', null],
      ['One two.', 'autosave', 'Ida'],
    ])
    await fetchServerRevisions(before.send, database, 'a1')
    await fetchServerText(before.send, database, 'a1', 2)
    const after = serverWith([
      ['One.', 'created', null],
      ['Something else entirely.', 'plain', 'Emil'],
    ])
    await fetchServerRevisions(after.send, database, 'a1')
    expect(await timeline()).toEqual(['server 2 plain Emil ?', 'server 1 created unknown ?'])
  })

  test('no text of the old history is stored under a number of the new one', {
    tags: ['@fault-28'],
  }, async () => {
    const before = serverWith([
      ['One.', 'created', null],
      ['One two.', 'autosave', 'Ida'],
    ])
    await enterEpoch(database, 'e1')
    await present(doc('One two.'), 2)
    await fetchServerRevisions(before.send, database, 'a1')
    await fetchServerText(before.send, database, 'a1', 1)
    await keep('pre-merge-theirs', 'One.', NINE + 1, 1)
    await enterEpoch(database, 'e2')
    const after = serverWith([
      ['Else.', 'created', null],
      ['Else two.', 'autosave', 'Ida'],
    ])
    await fetchServerRevisions(after.send, database, 'a1')
    expect(await timeline()).toEqual([
      'draft "One two." present',
      'server 2 autosave Ida ?',
      'here pre-merge-theirs "One."',
      'server 1 created unknown ?',
    ])
  })

  test('has the text of the article from before an earlier one was restored, also unsent text', async () => {
    await present(doc('One.'), 1)
    await keepPresentText(database, 'a1', doc('One, typed offline.'), NINE)
    await keepPresentText(database, 'a1', doc('One, typed offline.'), NINE + MINUTE)
    expect(await timeline()).toEqual([
      'draft "One." present',
      'here checkpoint "One, typed offline."',
    ])
  })

  test('a full disk evicts the server’s texts, never the list nor local text', {
    tags: ['@fault-44'],
  }, async () => {
    const { send } = serverWith([['One.', 'created', null]])
    await fetchServerRevisions(send, database, 'a1')
    await fetchServerText(send, database, 'a1', 1)
    await keep('blocked', 'Only here.', NINE + MINUTE)
    expect(await evict(database)).toBe(true)
    expect(await timeline()).toEqual(['here blocked "Only here."', 'server 1 created unknown ?'])
    expect(await evict(database)).toBe(false)
  })

  test.each([
    ['a captive portal', answer(200, 'Welcome to the hotel')],
    ['half a list', answer(200, { results: [{ textVersion: 1 }], totalPages: 1 })],
  ])('keeps the known list when %s responds', async (_, portal) => {
    const { send } = serverWith([['One.', 'created', null]])
    await fetchServerRevisions(send, database, 'a1')
    const away: Send = async () => portal
    expect(await fetchServerRevisions(away, database, 'a1')).toEqual({ kind: 'unreachable' })
    expect(await fetchServerText(away, database, 'a1', 1)).toEqual({ kind: 'unreachable' })
    expect(await timeline()).toEqual(['server 1 created unknown ?'])
  })

  test('the server’s texts are removed when this user may no longer read them', {
    tags: ['@fault-41'],
  }, async () => {
    const { send } = serverWith([['One.', 'created', null]])
    await present(doc('One.'), 1)
    await fetchServerRevisions(send, database, 'a1')
    const gone: Send = async () => answer(404, errorBody(404, 'Article not found'))
    expect(await fetchServerRevisions(gone, database, 'a1')).toEqual({
      kind: 'refused',
      message: 'Article not found',
    })
    expect(await database.serverRevs.count()).toBe(0)
    await fetchServerRevisions(send, database, 'a1')
    await letGo(database, 'a1', 'revoked')
    expect(await database.serverRevs.count()).toBe(0)
  })
})

describe('the budget', () => {
  const kept = async () =>
    (await revisionsOf(database, 'a1').toArray()).map(({ reason, at }) => `${reason} ${at}`)

  const checkpoint = (words: string, at: number, baseHash?: string) =>
    keepCheckpoint(
      database,
      { articleId: 'a1', ...measure(doc(words)), baseVersion: 1, baseHash },
      at,
    )

  test('keeps the newest 50 checkpoints of an article, and one text once in a row', async () => {
    let words = 'Text'
    for (let at = 1; at <= 53; at += 1) {
      words += ` ${at}`
      await checkpoint(words, at)
      await checkpoint(words, at)
    }
    await pruneRevisions(database, 100)
    const all = await kept()
    expect([all.length, all[0], all.at(-1)]).toEqual([50, 'checkpoint 4', 'checkpoint 53'])
  })

  test('keeps older checkpoints whose text is in no other one', {
    tags: ['@fault-69'],
  }, async () => {
    for (let at = 1; at <= 53; at += 1) {
      const sent = measure(doc(`Text ${at}`))
      await checkpoint(`Text ${at}`, at, at === 2 ? sent.hash : undefined)
    }
    await pruneRevisions(database, 100)
    expect(await kept()).toHaveLength(52)
    expect(await kept()).not.toContain('checkpoint 2')
    await present(doc('Text 3'), 7)
    await pruneRevisions(database, 100)
    expect(await kept()).not.toContain('checkpoint 3')
    expect(await kept()).toContain('checkpoint 1')
  })

  const setDirty = (dirty: 0 | 1) =>
    database.drafts.toCollection().modify((draft) => {
      draft.dirty = dirty
    })

  test('keeps texts of merges and exit snapshots for 30 days, and longer while there is unsent text', async () => {
    for (const reason of ['pre-merge-mine', 'pre-merge-theirs', 'exit-snapshot'] as const) {
      await keep(reason, reason, 0)
    }
    await pruneRevisions(database, 30 * DAY)
    expect(await kept()).toHaveLength(3)
    await present(doc('pre-merge-mine pre-merge-theirs exit-snapshot'), 1)
    await setDirty(1)
    await pruneRevisions(database, 90 * DAY)
    expect(await kept()).toHaveLength(3)
    await setDirty(0)
    await pruneRevisions(database, 90 * DAY)
    expect(await kept()).toEqual([])
  })

  test('keeps texts of merges and exit snapshots whose text a merge left out', {
    tags: ['@fault-69'],
  }, async () => {
    await keep('pre-merge-mine', 'What a merge left out.', 0)
    await keep('exit-snapshot', 'What a merge took in.', 0)
    await present(doc('What a merge took in. And more.'), 1)
    await pruneRevisions(database, 400 * DAY)
    expect(await kept()).toEqual(['pre-merge-mine 0'])
  })

  test('keeps a refused text until the server is known to have it', {
    tags: ['@fault-38'],
  }, async () => {
    await keep('blocked', 'Refused words.', 0)
    await keep('orphan', 'Orphaned words.', 0)
    await present(doc('Other words.'), 3)
    await pruneRevisions(database, 400 * DAY)
    expect(await kept()).toEqual(['blocked 0', 'orphan 0'])
    const refused = measure(doc('Refused words.'))
    await database.docs.put(docRow({ articleId: 'a1', textVersion: 4, ...refused }))
    await pruneRevisions(database, 400 * DAY)
    expect(await kept()).toEqual(['orphan 0'])
  })

  test('beyond 20 MB the oldest checkpoints are removed first, but none with unique text', async () => {
    const large = (words: string) => ({
      articleId: 'a1',
      ...measure(doc(`${words}${' long'.repeat(660_000)}`)),
      baseVersion: 1,
    })
    const text = large('Text.')
    await keepRevision(database, 'blocked', large('Held.'), 1)
    await keepRevision(database, 'checkpoint', large('Deleted since.'), 2)
    for (let at = 3; at <= 8; at += 1) await keepRevision(database, 'checkpoint', text, at)
    await pruneRevisions(database, 10)
    expect(await kept()).toEqual([
      'blocked 1',
      'checkpoint 2',
      'checkpoint 5',
      'checkpoint 6',
      'checkpoint 7',
      'checkpoint 8',
    ])
  })

  test('a stretch of writing keeps the text before it once, then every five minutes', async () => {
    const world = await createWorld()
    world.server.add('a1', doc('one'))
    const { editor } = await (await world.tab('tab')).edit('a1')
    for (let minute = 0; minute < 11; minute += 1) {
      editor.type(` ${minute}`)
      await world.pass(MINUTE)
    }
    const texts = await revisionsOf(world.database, 'a1').toArray()
    expect(texts.map(({ doc: text }) => plainText(text))).toEqual([
      'one',
      'one 0 1 2 3 4',
      'one 0 1 2 3 4 5 6 7 8 9',
    ])
  })
})

describe('a restored text', () => {
  async function restoring() {
    const agency = await createAgencyWorld()
    const tab = await agency.tab('tab')
    await agency.pass(1_000)
    const { editor, text } = await tab.edit(agency.article)
    const write = async (words: string) => {
      editor.show(doc(words))
      text.edited()
      await text.flush()
    }
    const restore = async (words: string) => {
      await write(words)
      const restored = { hash: measure(doc(words)).hash, now: agency.clock.now() }
      await markRestored(agency.database, agency.article, restored)
      tab.client.wake()
      await agency.settle()
    }
    const reasons = async () => {
      const rows = await agency.api.db
        .selectFrom('article_revisions')
        .select('reason')
        .orderBy('text_version')
        .execute()
      return rows.map(({ reason }) => reason)
    }
    return { agency, editor, write, restore, reasons }
  }

  test('is sent immediately and marked as restored on the server; later edits are not', async () => {
    const { agency, editor, write, restore, reasons } = await restoring()
    await write('one two')
    await agency.pass(2_000)
    await restore('one')
    expect(await reasons()).toEqual(['created', 'autosave', 'restore'])
    editor.type(' three')
    await agency.pass(2_000)
    expect(await reasons()).toEqual(['created', 'autosave', 'restore', 'autosave'])
  })

  test('is the one present version; the earlier one has the same text', async () => {
    const { agency, write, restore } = await restoring()
    const { api, writer, article, line: connection } = agency
    const send: Send = async ({ path }) => {
      if (connection.down) throw new NoAnswer()
      const response = await api.as(writer).get(`/v1${path}`)
      return answer(response.status, await response.json())
    }
    const list = async () => {
      await fetchServerRevisions(send, agency.database, article)
      return (await readVersions(agency.database, article)).map(line)
    }
    await write('one')
    await agency.pass(2_000)
    await write('one two')
    await agency.pass(2_000)
    await fetchServerText(send, agency.database, article, 2)
    expect(await list()).toEqual([
      'server 3 autosave Imogen Hale "one two" present',
      'server 2 autosave Imogen Hale "one"',
      'server 1 created unknown ""',
    ])
    connection.down = true
    await restore('one')
    expect(await list()).toEqual([
      'draft "one" present',
      'server 3 autosave Imogen Hale "one two"',
      'server 2 autosave Imogen Hale "one" same text',
      'server 1 created unknown ""',
    ])
    connection.down = false
    await agency.pass(40_000)
    expect(await list()).toEqual([
      'server 4 restore Imogen Hale "one" present',
      'server 3 autosave Imogen Hale ?',
      'server 2 autosave Imogen Hale "one" same text',
      'server 1 created unknown ""',
    ])
  })

  test('is called so when the restoring was undone and done again while nothing could be sent', async () => {
    const { agency, write, restore, reasons } = await restoring()
    await write('one two')
    await agency.pass(2_000)
    await write('one two three')
    agency.line.down = true
    await restore('one')
    await write('one two three')
    await write('one')
    await agency.pass(3_000)
    agency.line.down = false
    await agency.pass(40_000)
    expect((await reasons()).at(-1)).toBe('restore')
  })

  test('is called so after a retry, and not when it was typed on before it could be sent', async () => {
    const { agency, editor, write, restore, reasons } = await restoring()
    await write('one two')
    await agency.pass(2_000)
    agency.line.down = true
    await restore('one')
    await agency.pass(3_000)
    agency.line.down = false
    await agency.pass(40_000)
    expect(await reasons()).toEqual(['created', 'autosave', 'restore'])
    agency.line.down = true
    await restore('one two')
    editor.type(' three')
    await agency.pass(3_000)
    agency.line.down = false
    await agency.pass(40_000)
    expect(await reasons()).toEqual(['created', 'autosave', 'restore', 'autosave'])
  })
})

describe('the text of one version', () => {
  const past: Past = [
    ['One', 'created', 'Imogen'],
    ['One two', 'autosave', 'Imogen'],
  ]
  const read = (version: number) => readServerText(database, 'a1', version)

  test('is fetched also where the list is not here, and is then read without a connection', async () => {
    const server = serverWith(past)
    expect(await read(1)).toBeNull()
    expect(await fetchServerText(server.send, database, 'a1', 1)).toEqual({ kind: 'fetched' })
    server.isDown = true
    expect(await read(1)).toEqual(doc('One'))
    expect(await read(2)).toBeNull()
    expect(await fetchServerText(server.send, database, 'a1', 2)).toEqual({ kind: 'unreachable' })
  })

  test('is read from texts that are on this computer', async () => {
    await database.docs.put(docRow({ articleId: 'a1', textVersion: 2, ...measure(doc('One two')) }))
    expect(await read(2)).toEqual(doc('One two'))
    await openDraft(database, 'a1')
    await database.docs.put(docRow({ articleId: 'a1', textVersion: 3, ...measure(doc('Three')) }))
    expect([await read(2), await read(3)]).toEqual([doc('One two'), doc('Three')])
  })
})
