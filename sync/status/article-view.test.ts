import { beforeEach, expect, test } from 'vitest'
import { hurry } from '../push/retry-policy.ts'
import { errorBody } from '../testing/test-server.ts'
import { createWorld, doc, type Tab, type World } from '../testing/test-world.ts'
import { readArticleView, readHome } from './article-view.ts'
import { readSyncSummary, unsentArticles } from './sync-summary.ts'
import { readWaiting } from './waiting-changes.ts'

/** The home and the header with many pending texts, shown without reading any text. */

let world: World
let tab: Tab

beforeEach(async () => {
  world = await createWorld()
  for (const id of ['a1', 'a2', 'a3']) world.server.add(id, doc('one'))
  tab = await world.tab('tab')
})

async function write(id: string, words: string): Promise<void> {
  const { editor, text } = await tab.edit(id)
  editor.type(words)
  await text.flush()
}

const home = async () =>
  Object.fromEntries(
    (await readHome(world.database)).map(({ id, words, completed, waiting }) => [
      id,
      { words, completed, waiting },
    ]),
  )
const counts = async () => {
  const { sending, waiting } = await readSyncSummary(world.database)
  return { sending, waiting }
}

test('the home shows pending texts as they are here, others as the server has them', {
  tags: ['@SY-07'],
}, async () => {
  world.server.offline = true
  await write('a1', ' two three')
  await world.pass(5)
  await write('a2', ' two')
  await tab.client.setCompleted('a2', true)
  await tab.client.setCompleted('a3', true)
  await tab.client.withdrawCompletion('a3')
  expect(await home()).toEqual({
    a1: { words: 3, completed: false, waiting: true },
    a2: { words: 2, completed: true, waiting: true },
    a3: { words: 1, completed: false, waiting: false },
  })
  // By the time of typing; the world's clock is far behind the server's here.
  expect((await readHome(world.database)).map(({ id }) => id)).toEqual(['a3', 'a2', 'a1'])
})

test('a change counts as sending until its first try fails, and as waiting until it has arrived', {
  tags: ['@SY-07'],
}, async () => {
  await write('a1', ' two')
  await write('a2', ' two')
  expect(await counts()).toEqual({ sending: 0, waiting: 2 })
  const { outbox } = world.database
  await outbox.toCollection().modify({ state: 'inflight' })
  expect(await counts()).toEqual({ sending: 2, waiting: 2 })
  await outbox.where('[articleId+seq]').between(['a1', 0], ['a1', 99]).modify({ failedAt: 1_000 })
  expect(await counts()).toEqual({ sending: 1, waiting: 2 })
  await outbox.clear()
  expect(await counts()).toEqual({ sending: 0, waiting: 2 })
})

test('neither reads a text', { tags: ['@SY-07'] }, async () => {
  world.server.offline = true
  for (const id of ['a1', 'a2']) await write(id, ' two')
  await world.pass(3_000)
  await readHome(world.database)
  const { texts, docs } = world.database
  const read: unknown[] = []
  for (const table of [texts, docs]) {
    table.hook('reading', (row) => {
      read.push(row)
      return row
    })
  }
  expect(await readHome(world.database)).toHaveLength(3)
  expect(await readSyncSummary(world.database)).toMatchObject({ waiting: 2 })
  expect(read).toEqual([])
  await docs.get('a1')
  expect(read).toHaveLength(1)
})

test('a recreated database has its own entries', {
  tags: ['@SY-07'],
}, async () => {
  world.server.offline = true
  await write('a1', ' two')
  expect(await unsentArticles(world.database)).toEqual(new Set(['a1']))
  const [entry] = await world.database.outbox.toArray()
  await tab.client.stop()
  await world.database.delete()
  await world.database.open()
  if (entry) await world.database.outbox.add({ ...entry, articleId: 'a2' })
  expect(await unsentArticles(world.database)).toEqual(new Set(['a2']))
})

test('shows a failed save until the time of Retry-After, and retries no earlier', {
  tags: ['@BA-06', '@SY-08'],
}, async () => {
  const busy = errorBody(429, 'Too many requests. Please try again in 60 seconds.')
  world.server.fates = [{ status: 429, json: busy, headers: { 'Retry-After': '60' } }]
  await write('a1', ' two')
  await world.pass(2_000)
  expect(await readArticleView(world.database, 'a1')).toMatchObject({
    saveLine: 'on-this-computer',
    warning: { kind: 'durable', refusal: null },
  })
  expect(await readSyncSummary(world.database)).toMatchObject({ connection: 'online', waiting: 1 })
  const [change] = await readWaiting(world.database)
  expect(change?.state).toMatchObject({ kind: 'failed', attempts: 1, error: busy.message })
  await write('a1', ' three')
  tab.client.wake()
  await world.pass(30_000)
  expect(world.server.words('a1')).toBe('one')
  await world.pass(35_000)
  expect(world.server.words('a1')).toBe('one two three')
  expect(await readArticleView(world.database, 'a1')).toMatchObject({
    saveLine: 'saved',
    warning: null,
  })
})

test('flushing writes only entries that wait for the debounce', {
  tags: ['@SY-07'],
}, async () => {
  await write('a1', ' two')
  await world.pass(500)
  await write('a2', ' two')
  const { outbox } = world.database
  const written: unknown[] = []
  outbox.hook('updating', (changes, seq) => void written.push([seq, changes]))
  const now = world.clock.now()
  await outbox
    .where('[articleId+seq]')
    .between(['a1', 0], ['a1', 99])
    .modify({ dueAt: now, debounced: 0 })
  written.splice(0)
  await hurry(world.database, now)
  expect(written).toEqual([[2, { dueAt: now, debounced: 0 }]])
})

test('the home shows nothing that the last listing did not have, whatever is pending', {
  tags: ['@CH-15', '@AC-21', '@PE-09'],
}, async () => {
  world.server.always.set('a3', { status: 500, json: errorBody(500, 'Oops') })
  await write('a3', ' two')
  for (const id of ['a1', 'a3']) world.server.hide(id)
  await world.pass(61_000)
  expect(Object.keys(await home())).toEqual(['a2'])
  expect((await readWaiting(world.database)).map(({ articleId }) => articleId)).toEqual(['a3'])
  // Removed only later, and once the server confirms it.
  expect(await world.database.articles.get('a1')).toMatchObject({ listed: 1, access: 'suspect' })
})
