import { Dexie } from 'dexie'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { beforeEach, describe, expect, test } from 'vitest'
import type { HttpRequest, Refusal } from '../ports.ts'
import { readArticleView } from '../status/article-view.ts'
import { readBlockedDrafts } from '../status/blocked-drafts.ts'
import { readSyncSummary } from '../status/sync-summary.ts'
import type { LocalDatabase } from '../store/database.ts'
import { readDraft } from '../store/draft-rows.ts'
import { errorBody } from '../testing/test-server.ts'
import { createWorld, doc, type Tab, typedOffline, type World } from '../testing/test-world.ts'

/** Text that its article refuses: kept, shown, and sent to the agency when the writer chooses so. */
let world: World
let tab: Tab
let told: Refusal[]

beforeEach(async () => {
  world = await createWorld()
  world.server.add('a1', doc('one'))
  tab = await world.tab('tab')
  told = []
  tab.client.onRefusal((refusal) => told.push(refusal))
})

const blocked = async () => (await readArticleView(world.database, 'a1'))?.blocked

const complete = () => world.server.change('a1', { completed: true })
const remove = () => world.server.refuse('a1', 404)

describe('sending blocked text to the agency', () => {
  test('is sent like a text that is too large for its article', {
    tags: ['@fault-53'],
  }, async () => {
    const { editor } = await tab.edit('a1')
    world.server.always.set('a1', { status: 413, json: errorBody(413, 'Too large') })
    editor.type(' two')
    await world.pass(3_000)
    expect(await blocked()).toMatchObject({ reason: 'too-large', sentAt: null })
    world.server.always.delete('a1')
    expect(await tab.client.sendToAgency('a1')).toBe(true)
    await world.pass(1_000)
    expect(world.server.undelivered).toEqual(['a1 too-large "one two"'])
    expect(await blocked()).toMatchObject({ reason: 'too-large', sending: false })
    expect((await blocked())?.sentAt).not.toBeNull()
  })

  test('arrives once, despite lost responses, and is shown with its time; the text stays', {
    tags: ['@fault-41'],
  }, async () => {
    await typedOffline(world, tab, remove)
    expect(await blocked()).toMatchObject({ reason: 'deleted', sending: false, sentAt: null })
    world.server.fates = ['lost', 'answer-lost']
    expect(await tab.client.sendToAgency('a1')).toBe(true)
    await world.settle()
    expect(await blocked()).toMatchObject({ sending: true, sentAt: null })
    await world.pass(60_000)
    expect(world.server.undelivered).toEqual(['a1 deleted "one two"'])
    const { sentAt } = (await blocked()) ?? {}
    expect(sentAt).toBeGreaterThan(10_000)
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one two'))
    expect(await readBlockedDrafts(world.database)).toEqual([
      {
        articleId: 'a1',
        name: 'Article a1',
        reason: 'deleted',
        words: 2,
        editedAt: 0,
        sending: false,
        sentAt,
      },
    ])
  })

  test('waits for the connection, and sends the text of that moment', {
    tags: ['@fault-41'],
  }, async () => {
    const { editor } = await typedOffline(world, tab, complete)
    world.server.offline = true
    await tab.client.sendToAgency('a1')
    await world.pass(120_000)
    editor.type(' three')
    await world.pass(1_000)
    await tab.client.sendToAgency('a1')
    await world.pass(1_000)
    expect(await readArticleView(world.database, 'a1')).toMatchObject({
      warning: null,
      blocked: { sending: true, sentAt: null },
    })
    world.server.offline = false
    tab.client.wake()
    await world.pass(60_000)
    expect(new Set(world.server.undelivered)).toEqual(
      new Set(['a1 completed "one two"', 'a1 completed "one two three"']),
    )
    expect((await blocked())?.sentAt).toBeTypeOf('number')
  })

  test('counts as sent only while the text is the one that was sent', async () => {
    const { editor } = await typedOffline(world, tab, complete)
    await tab.client.sendToAgency('a1')
    await world.pass(1_000)
    expect((await blocked())?.sentAt).toBeTypeOf('number')
    editor.type(' three')
    await world.pass(1_000)
    expect(await blocked()).toMatchObject({ sentAt: null, words: 3 })
  })

  test('a refusal reverts it and is reported; the text is kept', async () => {
    await typedOffline(world, tab, remove)
    world.server.fates = [{ status: 404, json: errorBody(404, 'Article not found') }]
    told.length = 0
    await tab.client.sendToAgency('a1')
    await world.pass(1_000)
    expect(told).toMatchObject([{ articleId: 'a1', status: 404 }])
    expect(await blocked()).toMatchObject({
      reason: 'deleted',
      words: 2,
      sending: false,
      sentAt: null,
    })
  })

  test('waits for a server that has the address', async () => {
    await typedOffline(world, tab, remove)
    const refusal = { status: 404, json: errorBody(404, 'Not found') }
    world.server.fates = [refusal, refusal]
    told.length = 0
    await tab.client.sendToAgency('a1')
    await world.pass(1_000)
    expect(await blocked()).toMatchObject({ sending: true, sentAt: null })
    await world.pass(60_000)
    expect(world.server.undelivered).toEqual(['a1 deleted "one two"'])
    expect(told).toEqual([])
  })

  test('leaves the list only when the agency has just this text of an article that is gone', async () => {
    const { editor } = await typedOffline(world, tab, remove)
    expect(await tab.client.clearSent('a1')).toBe(false)
    await tab.client.sendToAgency('a1')
    await world.pass(1_000)
    editor.type(' three')
    await world.pass(1_000)
    expect(await tab.client.clearSent('a1')).toBe(false)
    expect((await readBlockedDrafts(world.database)).length).toBe(1)
    await tab.client.sendToAgency('a1')
    await world.pass(1_000)
    expect(await tab.client.clearSent('a1')).toBe(true)
    expect(await readBlockedDrafts(world.database)).toEqual([])
    expect(await readSyncSummary(world.database)).toMatchObject({ waiting: 0 })
    const kept = await world.database.localRevs.where('reason').equals('orphan').toArray()
    expect(kept.map(({ doc: text }) => text)).toContainEqual(doc('one two three'))
  })

  test('a complete article stays listed: it may be reopened', async () => {
    await typedOffline(world, tab, complete)
    await tab.client.sendToAgency('a1')
    await world.pass(1_000)
    expect(await tab.client.clearSent('a1')).toBe(false)
  })

  test('does not trust a 200 of a middlebox', async () => {
    await typedOffline(world, tab, remove)
    world.server.fates = [{ status: 200, json: '<html>' }]
    await tab.client.sendToAgency('a1')
    await world.pass(500)
    expect(await blocked()).toMatchObject({ sending: true, sentAt: null })
    await world.pass(60_000)
    expect(world.server.undelivered).toEqual(['a1 deleted "one two"'])
  })

  test('sends nothing for an article that holds nothing', async () => {
    await tab.edit('a1')
    expect(await tab.client.sendToAgency('a1')).toBe(false)
    await world.pass(5_000)
    expect(world.server.undelivered).toEqual([])
  })
})

describe('the local database of the earlier release', () => {
  test('has undelivered texts that are sent as they were, under their keys, and notes of those that arrived', async () => {
    const { editor } = await typedOffline(world, tab, remove)
    await tab.client.sendToAgency('a1')
    await world.pass(1_000)
    editor.type(' three')
    await world.pass(1_000)
    world.server.fates = ['answer-lost']
    await tab.client.sendToAgency('a1')
    await world.settle()
    const [sent] = await world.database.outbox.where('kind').equals('undelivered').toArray()
    expect(sent).toMatchObject({ attempts: 1 })
    const note = await world.database.meta.get('undelivered:a1')
    const indexedDB = await asEarlierRelease(world.database)

    const later = await createWorld(undefined, { indexedDB })
    later.server.add('a1', doc('one'))
    later.server.refuse('a1', 404)
    const requests: HttpRequest[] = []
    const { send } = later.server
    later.server.send = (request) => {
      requests.push(request)
      return send(request)
    }
    const { database } = later
    expect(await database.outbox.where('kind').equals('undelivered').toArray()).toEqual([sent])
    expect(await database.meta.get('undelivered:a1')).toEqual(note)
    await later.tab('tab')
    await later.pass(60_000)
    expect(later.server.undelivered).toEqual(['a1 deleted "one two three"'])
    const [request] = requests.filter(({ method }) => method === 'POST')
    expect(request?.body).toBe(sent?.body)
    expect(request?.headers).toMatchObject({ 'Idempotency-Key': sent?.key })
    const view = await readArticleView(database, 'a1')
    expect(view?.blocked).toMatchObject({ sending: false, sentAt: expect.any(Number) })
  })

  /** A copy with the rows of version 9. */
  async function asEarlierRelease(now: LocalDatabase): Promise<IDBFactory> {
    const indexedDB = new IDBFactory()
    const old = new Dexie(now.name, { indexedDB, IDBKeyRange })
    old
      .version(9)
      .stores(
        Object.fromEntries(
          now.tables.map(({ name, schema: { primKey, indexes } }) => [
            name,
            [primKey, ...indexes].map(({ src }) => src).join(),
          ]),
        ),
      )
    const named = ({ kind, key, ...row }: { kind?: string; key?: string }) => ({
      ...row,
      ...(kind && { kind: kind.replace('undelivered', 'stray') }),
      ...(key && { key: key.replace('undelivered:', 'stray:') }),
    })
    for (const table of now.tables)
      await old.table(table.name).bulkAdd((await table.toArray()).map(named))
    old.close()
    return indexedDB
  }
})

describe('text that was refused unchanged', () => {
  test.each([
    [413, 'too-large'],
    [400, 'rejected'],
  ])('%i blocks it as %s until the user tries again', async (status, reason) => {
    const { editor } = await tab.edit('a1')
    world.server.fates = [{ status, json: errorBody(status, 'No') }]
    editor.type(' two')
    await world.pass(60_000)
    expect(await blocked()).toMatchObject({ reason, words: 2 })
    expect(world.server.words('a1')).toBe('one')
    await tab.client.retryBlocked('a1')
    await world.pass(1_000)
    expect(world.server.words('a1')).toBe('one two')
    expect(await blocked()).toBeNull()
  })

  test('trying again changes nothing for a complete article', async () => {
    await typedOffline(world, tab, complete)
    await tab.client.retryBlocked('a1')
    await world.pass(5_000)
    expect(world.server.patches()).toEqual([])
    expect(await blocked()).toMatchObject({ reason: 'completed' })
  })
})

describe('a page that is too old for the server', () => {
  test('426 keeps writing here and asks for a reload, until the server takes text again', async () => {
    const { editor } = await tab.edit('a1')
    const old = { status: 426, json: errorBody(426, 'Upgrade') }
    world.server.always.set('a1', old)
    editor.type(' two')
    await world.pass(2_000)
    editor.type(' three')
    await world.pass(2_000)
    expect(await readArticleView(world.database, 'a1')).toMatchObject({
      blocked: null,
      saveLine: 'on-this-computer',
      warning: { kind: 'update' },
    })
    expect(await readSyncSummary(world.database)).toMatchObject({ updateNeeded: true })
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one two three'))
    world.server.always.clear()
    await world.pass(120_000)
    expect(world.server.words('a1')).toBe('one two three')
    expect(await readArticleView(world.database, 'a1')).toMatchObject({ warning: null })
    expect(await readSyncSummary(world.database)).toMatchObject({ updateNeeded: false })
  })
})

describe('what is kept and what is deleted when access is lost', { tags: ['@fault-41'] }, () => {
  test('the server’s texts are deleted, the own draft and its earlier text are kept', async () => {
    const { editor } = await tab.edit('a1')
    world.server.offline = true
    editor.type(' mine')
    await world.pass(2_000)
    world.server.change('a1', { text: doc('one', 'theirs') })
    world.server.offline = false
    world.server.fates = ['good', { status: 500, json: errorBody(500, 'No') }]
    tab.client.wake()
    await world.pass(500)
    expect(await reasons()).toContain('pre-merge-theirs')
    world.server.refuse('a1', 403)
    await world.pass(60_000)
    expect(await blocked()).toMatchObject({ reason: 'revoked' })
    expect(await world.database.docs.get('a1')).toBeUndefined()
    expect(await reasons()).toEqual(expect.arrayContaining(['pre-merge-mine', 'orphan']))
    expect(await reasons()).not.toContain('pre-merge-theirs')
    expect((await world.database.drafts.get('a1'))?.dirty).toBe(1)
  })

  const reasons = async () => {
    const kept = await world.database.localRevs.toArray()
    return kept.map(({ reason }) => reason)
  }
})
