import { beforeEach, describe, expect, test } from 'vitest'
import { documentJson } from '../../domain/text/document-json.ts'
import { readArticleView, readHome } from '../status/article-view.ts'
import { readSyncSummary } from '../status/sync-summary.ts'
import { readWaiting } from '../status/waiting-changes.ts'
import { readDraft } from '../store/draft-rows.ts'
import { errorBody } from '../testing/test-server.ts'
import { createWorld, doc, type Tab, type World } from '../testing/test-world.ts'

/** The server's state is stored here, and never over unsent words. */
let world: World
let tab: Tab

beforeEach(async () => {
  world = await createWorld()
  world.server.add('a1', doc('one'))
})

const gets = () => world.server.log.splice(0).map((line) => line.split(' ').slice(1).join(' '))

describe('pulling', { tags: ['@SY-05'] }, () => {
  test('brings all articles here at the first start, open ones first, from a server of an earlier release one by one', {
    tags: ['@CH-17'],
  }, async () => {
    world.server.add('a2', doc('two words'))
    world.server.add('a3', doc('three'))
    world.server.change('a1', { completed: true })
    tab = await world.tab('tab')
    expect(gets()).toEqual([
      'GET /articles/client/myArticles',
      'GET /articles/client/copies?ids=a2,a3,a1',
      'GET /articles/a2',
      'GET /articles/a3',
      'GET /articles/a1',
    ])
    expect(await readHome(world.database)).toMatchObject([
      { id: 'a1', completed: true },
      { id: 'a2', words: 2, waiting: false, wordMinimum: 100 },
      { id: 'a3' },
    ])
    expect(await readSyncSummary(world.database)).toEqual({
      connection: 'online',
      failure: null,
      sending: 0,
      waiting: 0,
      inMemory: 0,
      withoutRoom: 0,
      refusedNotes: 0,
      lastCheckedAt: 0,
      signInNeeded: false,
      updateNeeded: false,
    })
    await world.pass(60_000)
    expect(gets()).toEqual(['GET /articles/client/myArticles'])
  })

  test('takes a listing that comes without its envelope', { tags: ['@Q33'] }, async () => {
    const { send } = world.server
    world.server.send = async (request) => {
      const answer = await send(request)
      const { results } = (answer.json ?? {}) as { results?: unknown }
      return results === undefined ? answer : { ...answer, json: results }
    }
    tab = await world.tab('tab')
    expect(await readHome(world.database)).toMatchObject([{ id: 'a1', words: 1 }])
  })

  test('shows remote changes in an editor without pending edits', {
    tags: ['@SY-11'],
  }, async () => {
    tab = await world.tab('tab')
    const { editor } = await tab.edit('a1')
    world.server.change('a1', { text: doc('news') })
    await world.pass(60_000)
    expect(editor.words).toBe('news')
    expect(world.server.patches()).toEqual([])
  })

  test('leaves pending edits unchanged, and merges when it sends them', {
    tags: ['@SY-11'],
  }, async () => {
    tab = await world.tab('tab')
    const { editor } = await tab.edit('a1')
    world.server.change('a1', { text: doc('one', 'news') })
    await world.pass(59_500)
    editor.type(' mine')
    await world.pass(600)
    expect(editor.words).toBe('one mine')
    await world.pass(2_000)
    expect(world.server.words('a1')).toBe('one mine\nnews')
    expect(editor.words).toBe('one mine\nnews')
    expect(world.server.patches().filter((line) => line.includes('412'))).toEqual([])
  })

  test('shows remote changes that came while edits were pending that were then undone', {
    tags: ['@SY-11'],
  }, async () => {
    tab = await world.tab('tab')
    const { editor, text } = await tab.edit('a1')
    world.server.change('a1', { text: doc('one', 'news') })
    await world.pass(59_500)
    editor.type(' mine')
    await world.pass(600)
    editor.show(doc('one'))
    text.edited()
    await world.pass(2_000)
    expect(editor.words).toBe('one\nnews')
    expect(world.server.patches()).toEqual([])
    expect(await readArticleView(world.database, 'a1')).toMatchObject({ saveLine: 'saved' })
  })

  test('ignores a response older than what has been acknowledged', {
    tags: ['@SY-11', '@fault-55'],
  }, async () => {
    tab = await world.tab('tab')
    const { editor } = await tab.edit('a1')
    const old = structuredClone(world.server.article('a1'))
    editor.type(' two')
    await world.pass(2_000)
    const { send } = world.server
    world.server.send = async (request) =>
      request.path === '/articles/a1'
        ? { status: 200, json: old, header: () => null }
        : send(request)
    await tab.client.load('a1')
    await world.settle()
    expect(editor.words).toBe('one two')
    expect((await world.database.docs.get('a1'))?.json).toBe(documentJson(doc('one two')))
    expect((await world.database.articles.get('a1'))?.version).toBe(2)
  })

  test('sends before it asks when the network is back', { tags: ['@SY-08'] }, async () => {
    tab = await world.tab('tab')
    const { editor } = await tab.edit('a1')
    world.server.offline = true
    editor.type(' two')
    await world.pass(20_000)
    world.server.log.length = 0
    world.server.offline = false
    tab.client.wake()
    await world.settle()
    expect(gets().map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'PATCH a1',
      '200 t2',
      'GET /articles/client/myArticles',
    ])
  })

  test('asks again when a tab comes to the front, but not within 10 s', {
    tags: ['@SY-07'],
  }, async () => {
    tab = await world.tab('tab')
    gets()
    await world.pass(5_000)
    tab.client.wake()
    await world.pass(4_000)
    expect(gets()).toEqual([])
    await world.pass(2_000)
    tab.client.wake()
    await world.settle()
    expect(gets()).toEqual(['GET /articles/client/myArticles'])
  })

  test('lets one tab pull for all', { tags: ['@SY-07'] }, async () => {
    for (const name of ['one', 'two', 'three']) await world.tab(name)
    gets()
    await world.pass(61_000)
    expect(gets()).toEqual(['GET /articles/client/myArticles'])
  })
})

describe('loading one article', () => {
  test('an admin opens an article that no listing has, and keeps it', {
    tags: ['@SY-05'],
  }, async () => {
    world.server.hide('a1')
    tab = await world.tab('tab')
    expect(await tab.client.open('a1')).toBe(null)
    expect(await tab.client.load('a1')).toEqual({ kind: 'loaded' })
    const { editor } = await tab.edit('a1')
    await world.pass(600_000)
    editor.type(' two')
    await world.pass(1_000)
    expect(world.server.words('a1')).toBe('one two')
    expect(await readHome(world.database)).toEqual([])
  })

  test('distinguishes no response from a refusal', {
    tags: ['@ED-33', '@ED-34', '@Q12'],
  }, async () => {
    tab = await world.tab('tab')
    world.server.offline = true
    expect(await tab.client.load('a1')).toMatchObject({ kind: 'unreachable', message: null })
    world.server.offline = false
    expect(await tab.client.load('a9')).toMatchObject({
      kind: 'refused',
      status: 404,
      message: 'Article not found',
    })
    expect(await readArticleView(world.database, 'a9')).toBe(undefined)
  })

  test.each([
    { status: 500, headers: {}, wait: [1_000, 2_000] },
    { status: 429, headers: { 'Retry-After': '45' }, wait: [45_000, 45_000] },
    { status: 502, json: '<html>', headers: {}, wait: [1_000, 2_000] },
    { status: 404, headers: {}, wait: null },
  ])(
    'returns the retry time after $status',
    { tags: ['@ED-34', '@fault-79'] },
    async ({ wait, ...given }) => {
      tab = await world.tab('tab')
      world.server.reads = [{ json: errorBody(given.status, 'No'), ...given }]
      const outcome = await tab.client.load('a1')
      const dueAt = outcome.kind === 'loaded' ? undefined : outcome.dueAt
      if (wait === null) return expect(dueAt).toBe(null)
      const ms = Number(dueAt) - world.clock.now()
      expect(ms).toBeGreaterThanOrEqual(wait[0] ?? 0)
      expect(ms).toBeLessThanOrEqual(wait[1] ?? 0)
    },
  )

  test('polls with backoff', { tags: ['@ED-34'] }, async () => {
    tab = await world.tab('tab')
    world.server.offline = true
    const outcome = await tab.client.load('a1', 4)
    if (outcome.kind !== 'unreachable') throw new Error('It answered')
    expect(Number(outcome.dueAt) - world.clock.now()).toBeGreaterThanOrEqual(8_000)
  })
})

describe('articles that are gone', { tags: ['@SY-11'] }, () => {
  test('removes one only after two listings without it and a refusal of the article itself', async () => {
    tab = await world.tab('tab')
    world.server.refuse('a1', 404)
    await world.pass(60_000)
    expect(await world.database.docs.count()).toBe(1)
    await world.pass(60_000)
    expect(await world.database.docs.count()).toBe(0)
    expect(await readArticleView(world.database, 'a1')).toBe(undefined)
  })

  test('keeps one that the listing lost but that can still be read', async () => {
    tab = await world.tab('tab')
    world.server.hide('a1')
    await world.pass(300_000)
    expect(await readArticleView(world.database, 'a1')).toMatchObject({ hasText: true })
    expect(await readHome(world.database)).toEqual([])
  })

  test('keeps pending edits, whatever the listings contain', async () => {
    tab = await world.tab('tab')
    const { editor } = await tab.edit('a1')
    world.server.always.set('a1', 'lost')
    editor.type(' two')
    await world.pass(1_000)
    world.server.refuse('a1', 403)
    await world.pass(600_000)
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one two'))
    expect(await readHome(world.database)).toEqual([])
    expect(await readWaiting(world.database)).toMatchObject([{ articleId: 'a1', kind: 'text' }])
    expect(await world.database.docs.count()).toBe(0)
  })

  test.each([
    { way: 'on its way', leaves: false },
    { way: 'from a page that left', leaves: true },
  ])(
    'text whose response was lost, $way, is applied once when the article is back',
    { tags: ['@fault-41'] },
    async ({ leaves }) => {
      tab = await world.tab('tab')
      let { editor, text } = await tab.edit('a1')
      world.server.fates = ['answer-lost']
      editor.type(' and mine')
      await world.pass(leaves ? 200 : 1_200)
      if (leaves) {
        text.saveExitSnapshot()
        tab.kill()
        tab = await world.tab('next')
        ;({ editor, text } = await tab.edit('a1'))
      }
      world.server.refuse('a1', 403)
      await world.pass(60_000)
      editor.type(' too')
      await world.pass(1_000)
      world.server.change('a1', { text: doc('one theirs and mine') })
      world.server.refuse('a1', null)
      await world.pass(120_000)
      expect(world.server.words('a1')).toBe('one theirs and mine too')
      expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one theirs and mine too'))
    },
  )

  test('text typed while the article was being removed is sent once it is back', {
    tags: ['@fault-41'],
  }, async () => {
    tab = await world.tab('tab')
    const { editor } = await tab.edit('a1')
    world.server.refuse('a1', 404)
    await world.pass(120_000)
    expect(await world.database.drafts.count()).toBe(0)
    editor.type(' two')
    await world.pass(2_000)
    world.server.refuse('a1', null)
    await world.pass(120_000)
    expect(world.server.words('a1')).toBe('one two')
  })
})
