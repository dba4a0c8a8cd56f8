import { beforeEach, describe, expect, test } from 'vitest'
import { depth } from '../../scripts/test-depth.ts'
import type { Refusal } from '../ports.ts'
import { readArticleView, readHome } from '../status/article-view.ts'
import { readBlockedDrafts } from '../status/blocked-drafts.ts'
import { readSyncSummary } from '../status/sync-summary.ts'
import { readDraft } from '../store/draft-rows.ts'
import { errorBody } from '../testing/test-server.ts'
import { createWorld, doc, type Tab, typedOffline, type World } from '../testing/test-world.ts'

/** Hours that the page retries. Each one simulates all requests of an hour. */
const HOURS_REFUSED = depth === 'quick' ? 1 : 7

/** Completing, and articles that are reassigned or deleted while words are pending here. */
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

const view = async () => {
  const found = await readArticleView(world.database, 'a1')
  if (!found) throw new Error('a1 is unknown')
  return found
}

describe('completing', { tags: ['@CO-16', '@Q52'] }, () => {
  test('sends the last edit before the completion', { tags: ['@SY-12'] }, async () => {
    const { editor } = await tab.edit('a1')
    editor.type(' two')
    const completing = tab.client.setCompleted('a1', true)
    await world.settle()
    await completing
    expect(await view()).toMatchObject({ completed: true, completionPending: true })
    await world.pass(300)
    expect(world.server.patches()).toEqual([
      '300 PATCH a1 t1 "one two" k1',
      '300 200 t2',
      '300 PATCH a1 completed true k2',
      '300 200 t2',
    ])
    expect(await view()).toMatchObject({ completed: true, completionPending: false })
  })

  test('sends the text and then the completion, each once, after hours offline with lost responses', {
    tags: ['@SY-12', '@fault-39'],
  }, async () => {
    const { editor } = await tab.edit('a1')
    world.server.offline = true
    editor.type(' two')
    await world.pass(2_000)
    editor.type(' three')
    await world.pass(2_000)
    void tab.client.setCompleted('a1', true)
    await world.pass(7_200_000)
    expect(await view()).toMatchObject({ completed: true, completionPending: true })
    world.server.offline = false
    world.server.fates = ['answer-lost', 'good', 'good', 'answer-lost']
    world.server.patches()
    await world.pass(120_000)
    const accepted = world.server.patches().filter((line) => line.includes('PATCH'))
    const bodies = accepted.map((line) => line.split(' ').slice(3, -1).join(' '))
    expect([...new Set(bodies)]).toEqual(['t1 "one two three"', 'completed true'])
    expect(world.server.article('a1')).toMatchObject({
      textVersion: 2,
      completed: true,
      version: 3,
    })
  })

  test('includes the edits of another tab that were typed just before', async () => {
    const other = await world.tab('other')
    const { editor } = await other.edit('a1')
    editor.type(' from the other tab')
    void tab.client.setCompleted('a1', true)
    await world.pass(1_000)
    expect(world.server.words('a1')).toBe('one from the other tab')
    expect(world.server.article('a1').completed).toBe(true)
  })

  test('keeps an unsent completion behind later edits', async () => {
    const { editor } = await tab.edit('a1')
    world.server.offline = true
    editor.type(' two')
    await world.pass(1_500)
    void tab.client.setCompleted('a1', true)
    await world.pass(1_000)
    editor.type(' late')
    await world.pass(1_000)
    world.server.offline = false
    await world.pass(60_000)
    expect(world.server.words('a1')).toBe('one two late')
    expect(world.server.article('a1').completed).toBe(true)
    expect((await view()).blocked).toBe(null)
  })

  test('reverts a completion until it is sent', async () => {
    const { editor } = await tab.edit('a1')
    world.server.offline = true
    editor.type(' two')
    await world.pass(2_000)
    void tab.client.setCompleted('a1', true)
    await world.pass(1_000)
    expect(await tab.client.withdrawCompletion('a1')).toBe(true)
    expect(await view()).toMatchObject({ completed: false, completionPending: false })
    world.server.offline = false
    await world.pass(60_000)
    expect(world.server.article('a1')).toMatchObject({ completed: false, textVersion: 2 })
    void tab.client.setCompleted('a1', true)
    await world.pass(1_000)
    expect(await tab.client.withdrawCompletion('a1')).toBe(false)
    expect(world.server.article('a1').completed).toBe(true)
  })

  test('can be reverted while the device is offline, and is sent when it is online', async () => {
    let isCutOff = true
    tab.kill()
    world.server.offline = true
    const laptop = await world.tab('laptop', { isCutOff: () => isCutOff })
    await laptop.edit('a1')
    for (const isWanted of [false, true]) {
      void laptop.client.setCompleted('a1', true)
      await world.pass(100_000)
      expect(await view()).toMatchObject({ completed: true, completionUnsent: true })
      if (!isWanted) expect(await laptop.client.withdrawCompletion('a1')).toBe(true)
    }
    expect(world.server.patches()).toEqual([])
    isCutOff = false
    world.server.offline = false
    laptop.client.wake()
    await world.pass(1_000)
    expect(world.server.article('a1').completed).toBe(true)
    expect(await view()).toMatchObject({ completed: true, completionPending: false })
  })

  test('sends nothing for completing and reopening while offline', {
    tags: ['@CO-11'],
  }, async () => {
    await tab.edit('a1')
    world.server.offline = true
    void tab.client.setCompleted('a1', true)
    await world.settle()
    void tab.client.setCompleted('a1', false)
    await world.settle()
    expect(await world.database.outbox.count()).toBe(0)
    expect(await view()).toMatchObject({ completed: false, completionPending: false })
  })

  test('restores the view when the completion is refused; the text is safe', {
    tags: ['@ER-11', '@fault-40'],
  }, async () => {
    const { editor } = await tab.edit('a1')
    editor.type(' two')
    world.server.fates = ['good', { status: 403, json: errorBody(403, 'Forbidden') }]
    void tab.client.setCompleted('a1', true)
    await world.pass(5_000)
    expect(told).toEqual([{ articleId: 'a1', status: 403, message: 'Forbidden', reason: null }])
    expect(await view()).toMatchObject({
      completed: false,
      completionPending: false,
      warning: null,
    })
    expect(world.server.words('a1')).toBe('one two')
  })

  test('reports that it fails, with and without a response', { tags: ['@CO-15'] }, async () => {
    await tab.edit('a1')
    world.server.fates = ['lost', { status: 500, json: errorBody(500, 'Internal Server Error') }]
    void tab.client.setCompleted('a1', true)
    await world.pass(500)
    expect(await view()).toMatchObject({
      completionPending: true,
      completionFailure: { cause: 'connection', message: null },
    })
    await world.pass(1_000)
    const [queued] = await world.database.outbox.toArray()
    expect(await view()).toMatchObject({
      completionPending: true,
      completionFailure: {
        cause: 'server',
        dueAt: queued?.dueAt,
        message: 'Internal Server Error',
      },
    })
    await world.pass(10_000)
    expect(await view()).toMatchObject({ completed: true, completionFailure: null })
  })

  test.each([
    {
      fate: { status: 500, json: errorBody(500, 'Internal Server Error') },
      cause: 'server',
      connection: 'online',
    },
    { fate: { status: 502, json: '<html>' }, cause: 'server', connection: 'refused' },
    { fate: 'lost', cause: 'connection', connection: 'offline' },
  ] as const)(
    'what the server did not accept ($cause) is pending in every tab, after a reload, and can be reverted',
    { tags: ['@CO-15', '@fault-78'] },
    async ({ fate, cause }) => {
      await tab.edit('a1')
      const failing = { completed: true, completionPending: true, completionFailure: { cause } }
      world.server.fates = Array(20).fill(fate)
      void tab.client.setCompleted('a1', true)
      await world.pass(500)
      expect(await view()).toMatchObject({ ...failing, completionSince: 300 })
      expect(await readHome(world.database)).toMatchObject([
        { completed: true, completionPending: true },
      ])
      expect(await readSyncSummary(world.database)).toMatchObject({ failure: { cause } })
      tab.kill()
      const reloaded = await world.tab('reloaded')
      const { editor } = await reloaded.edit('a1')
      await world.pass(500)
      expect(await view()).toMatchObject(failing)
      expect(await reloaded.client.withdrawCompletion('a1')).toBe(true)
      expect(await view()).toMatchObject({ completed: false, completionPending: false })
      expect(await readHome(world.database)).toMatchObject([
        { completed: false, completionPending: false },
      ])
      world.server.fates = []
      editor.type(' more')
      await world.pass(60_000)
      expect(world.server.words('a1')).toBe('one more')
      expect(world.server.article('a1').completed).toBe(false)
    },
  )

  test('does not revert a completion whose response alone was lost', {
    tags: ['@fault-78'],
  }, async () => {
    await tab.edit('a1')
    world.server.fates = ['answer-lost']
    void tab.client.setCompleted('a1', true)
    await world.pass(500)
    expect(await view()).toMatchObject({ completionFailure: { cause: 'connection' } })
    expect(await tab.client.withdrawCompletion('a1')).toBe(false)
    expect(await view()).toMatchObject({ completed: true, completionPending: false })
  })

  test('records a completion that arrives after it was reverted', {
    tags: ['@fault-78'],
  }, async () => {
    await tab.edit('a1')
    world.server.fates = ['lost', 'slow']
    void tab.client.setCompleted('a1', true)
    await world.pass(500)
    const [{ dueAt = 0 } = {}] = await world.database.outbox.toArray()
    await world.pass(dueAt - world.clock.now() + 100)
    const withdrawn = tab.client.withdrawCompletion('a1')
    await world.settle()
    expect(await view()).toMatchObject({ completed: false, completionPending: false })
    await world.pass(10_000)
    expect(await withdrawn).toBe(true)
    expect(world.server.article('a1').completed).toBe(true)
    expect(await view()).toMatchObject({ completed: true, completionPending: false })
  })

  test('does not complete an article whose last text was refused', async () => {
    const { editor } = await tab.edit('a1')
    world.server.fates = [{ status: 413, json: errorBody(413, 'Too large') }]
    editor.type(' two')
    void tab.client.setCompleted('a1', true)
    await world.pass(5_000)
    expect(world.server.article('a1').completed).toBe(false)
    expect(await view()).toMatchObject({ completed: false, blocked: { reason: 'too-large' } })
    void tab.client.setCompleted('a1', true)
    await world.pass(5_000)
    expect(told.map(({ status, reason }) => [status, reason])).toEqual([
      [413, null],
      [409, 'text_held'],
    ])
  })
})

test('shows the user who completed an article and the time, until it is reopened', {
  tags: ['@CO-15'],
}, async () => {
  await tab.edit('a1')
  const at = '2026-11-25T10:42:00.000Z'
  world.server.change('a1', { completed: true, completion: { by: { id: 'u2', name: 'Ines' }, at } })
  await world.pass(120_000)
  expect(await view()).toMatchObject({ completed: true, completion: { by: 'Ines', at } })
  world.server.change('a1', { completed: false, completion: null })
  await world.pass(120_000)
  expect(await view()).toMatchObject({ completed: false, completion: null })
})

describe('articles that change while edits are pending', () => {
  test('keeps edits of an article that another user completed, and sends them when it is reopened', {
    tags: ['@SY-11', '@fault-38'],
  }, async () => {
    const { editor } = await typedOffline(world, tab, () =>
      world.server.change('a1', { completed: true }),
    )
    expect(await view()).toMatchObject({
      completed: true,
      blocked: { reason: 'completed', words: 2 },
      warning: null,
      saveLine: 'on-this-computer',
    })
    expect(told.map(({ status, reason }) => [status, reason])).toEqual([[409, 'article_completed']])
    editor.type(' three')
    await world.pass(120_000)
    expect(world.server.patches()).toEqual([])
    expect(await readSyncSummary(world.database)).toMatchObject({ waiting: 1 })
    world.server.change('a1', { completed: false, text: doc('one', 'by the agency') })
    await world.pass(120_000)
    expect(editor.words).toContain('one two three')
    expect(world.server.words('a1')).toBe(editor.words)
    expect(world.server.words('a1')).toContain('by the agency')
    expect(await view()).toMatchObject({ blocked: null, saveLine: 'saved', completed: false })
    expect(told).toHaveLength(1)
  })

  test.each([
    [404, 'deleted'],
    [403, 'revoked'],
  ] as const)(
    'keeps edits of an article that returns %i indefinitely, and lists them',
    { tags: ['@Q91', '@fault-41'] },
    async (status, reason) => {
      await typedOffline(world, tab, () => world.server.refuse('a1', status))
      expect(await view()).toMatchObject({
        blocked: { reason, words: 2 },
        hasText: true,
        seenAt: null,
      })
      await world.pass(HOURS_REFUSED * 3_600_000)
      expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one two'))
      expect(await readHome(world.database)).toEqual([])
      expect(await readBlockedDrafts(world.database)).toMatchObject([{ articleId: 'a1', words: 2 }])
      const kept = await world.database.localRevs.where('reason').equals('orphan').toArray()
      expect(kept.map(({ doc: text }) => text)).toEqual([doc('one two')])
      expect(told).toHaveLength(1)
      world.server.refuse('a1', null)
      await world.pass(120_000)
      expect(world.server.words('a1')).toBe('one two')
      expect(await view()).toMatchObject({ blocked: null, saveLine: 'saved' })
    },
  )

  test('blocks nothing when the article itself contradicts the refusal', {
    tags: ['@SY-11'],
  }, async () => {
    const { editor } = await tab.edit('a1')
    world.server.fates = [{ status: 404, json: errorBody(404, 'Article not found') }]
    editor.type(' two')
    await world.pass(5_000)
    expect(world.server.words('a1')).toBe('one two')
    expect(told).toEqual([])
  })

  test('does not trust a 404 of a middlebox', { tags: ['@SY-08'] }, async () => {
    const { editor } = await tab.edit('a1')
    world.server.fates = [{ status: 404 }, { status: 403, json: '<html>' }]
    editor.type(' two')
    await world.pass(10_000)
    expect(world.server.words('a1')).toBe('one two')
    expect(told).toEqual([])
  })
})
