import { beforeEach, describe, expect, it } from 'vitest'
import { createWorld, doc, type Tab, type World } from '../testing/test-world.ts'

/** Several articles at once: written offline, and edited while a request hangs. */

let world: World
let tab: Tab
const ids = ['a1', 'a2', 'a3', 'a4']

beforeEach(async () => {
  world = await createWorld()
  for (const id of ids) world.server.add(id, doc('one'))
  tab = await world.tab('tab 1')
  await world.pass(1_000)
  world.server.patches()
})

async function type(id: string, words: string): Promise<void> {
  if ((await tab.client.load(id)).kind === 'refused') throw new Error(`No ${id}`)
  const { editor, text } = await tab.edit(id)
  editor.type(words)
  await text.flush()
}

/** Edits offline, with failed attempts. */
async function writeOffline(...articles: string[]): Promise<void> {
  for (const id of articles) await tab.client.load(id)
  world.server.offline = true
  for (const id of articles) await type(id, ' two')
  await world.pass(3_000)
  world.server.offline = false
  world.server.patches()
}

/** What reached the server, without the times. */
const heard = () => world.server.patches().map((line) => line.replace(/^\d+ /, ''))
const words = () => ids.map((id) => world.server.words(id))
const queue = () => world.database.outbox.toArray()

describe('changes made offline', () => {
  it('are sent in one batch, with a key and a response per article', async () => {
    await writeOffline('a1', 'a2', 'a3')
    tab.client.wake()
    await world.pass(1_000)
    const lines = heard()
    expect(lines[0]).toBe('BATCH of 3')
    expect(lines.filter((line) => line.startsWith('PATCH'))).toHaveLength(3)
    expect(words()).toEqual(['one two', 'one two', 'one two', 'one'])
    expect(await queue()).toEqual([])
    expect(
      (await world.database.drafts.toArray()).map(({ dirty, baseVersion }) => [dirty, baseVersion]),
    ).toEqual([
      [0, 2],
      [0, 2],
      [0, 2],
    ])
  })

  it('of one article is sent as a single call', async () => {
    await writeOffline('a1')
    tab.client.wake()
    await world.pass(1_000)
    expect(heard()).toEqual(['PATCH a1 t1 "one two" k1', '200 t2'])
  })

  it('is retried under the same keys when the response is lost, and applied once', async () => {
    await writeOffline('a1', 'a2')
    world.server.fates = ['answer-lost']
    tab.client.wake()
    await world.pass(500)
    const [, ...first] = heard().filter((line) => !line.startsWith('200'))
    await world.pass(30_000)
    const [, ...again] = heard().filter((line) => !line.startsWith('200'))
    expect(again).toEqual(first.filter((line) => line !== 'batch lost'))
    expect(ids.map((id) => world.server.article(id).textVersion)).toEqual([2, 2, 1, 1])
    expect(await queue()).toEqual([])
  })

  it('is settled article by article: one is refused, one merged, one taken', async () => {
    await writeOffline('a1', 'a2', 'a3')
    world.server.change('a1', { completed: true })
    world.server.change('a2', { text: doc('one', 'hers') })
    tab.client.wake()
    await world.pass(5_000)
    expect(words()).toEqual(['one', 'one two\nhers', 'one two', 'one'])
    const left = await queue()
    expect(
      left.map(({ articleId, state, blockedReason }) => [articleId, state, blockedReason]),
    ).toEqual([['a1', 'blocked', 'completed']])
  })

  it('is sent call by call to a server without batches', async () => {
    await writeOffline('a1', 'a2')
    world.server.withoutBatches = true
    tab.client.wake()
    await world.pass(1_000)
    expect(heard().filter((line) => !line.startsWith('200'))).toEqual([
      'BATCH of 2',
      'PATCH a1 t1 "one two" k1',
      'PATCH a2 t1 "one two" k2',
    ])
    await writeOffline('a3', 'a4')
    tab.client.wake()
    await world.pass(1_000)
    expect(heard().filter((line) => line.startsWith('BATCH'))).toEqual([])
    expect(words()).toEqual(['one two', 'one two', 'one two', 'one two'])
    expect(await queue()).toEqual([])
  })

  it.each([400, 403, 413, 422])(
    'is sent call by call when %i refuses the batch',
    async (status) => {
      await writeOffline('a1', 'a2')
      world.server.fates = [{ status, json: { code: status, message: 'No', requestId: 'r' } }]
      tab.client.wake()
      await world.pass(1_000)
      expect(words()).toEqual(['one two', 'one two', 'one', 'one'])
      expect(await queue()).toEqual([])
    },
  )

  it.each([
    ['too few', { answers: [] }],
    ['none', { welcome: 'Please accept our terms' }],
    ['those of other articles', { answers: [answered('a2'), answered('a1')] }],
    ['nonsense', { answers: [null, 1] }],
  ])('stays here when the answers are %s', async (_, json) => {
    await writeOffline('a1', 'a2')
    world.server.fates = [{ status: 200, json }]
    tab.client.wake()
    await world.pass(300)
    expect((await queue()).map(({ state }) => state)).toEqual(['inflight', 'inflight'])
    await world.pass(30_000)
    expect(words()).toEqual(['one two', 'one two', 'one', 'one'])
  })

  it('waits for a sign-in all together', async () => {
    await writeOffline('a1', 'a2')
    world.server.signedOut = true
    tab.client.wake()
    await world.pass(1_000)
    expect(
      (await queue()).map(({ failedAt, unreachable }) => [failedAt !== null, unreachable]),
    ).toEqual([
      [true, 0],
      [true, 0],
    ])
    expect(await world.database.meta.get('signInNeeded')).toEqual({
      key: 'signInNeeded',
      value: true,
    })
  })

  it('is sent in smaller batches over a connection too slow for large ones', async () => {
    await writeOffline(...ids)
    world.server.fates = ['never', 'never', 'never', 'never']
    tab.client.wake()
    await world.pass(10 * 60_000)
    const batches = heard().filter((line) => line.startsWith('BATCH'))
    expect(batches).toEqual([4, 4, 4, 4, 3].map((size) => `BATCH of ${size}`))
    expect(await queue()).toEqual([])
  })
})

const answered = (id: string) => ({ id, status: 200, headers: {}, body: { id } })

describe('articles do not wait for each other', () => {
  it('one is sent while the request of another hangs, and the next text of that one waits', async () => {
    for (const id of ids) await tab.client.load(id)
    world.server.always.set('a1', 'never')
    await type('a1', ' two')
    await world.pass(2_000)
    world.server.patches()
    await type('a2', ' two')
    await type('a1', ' three')
    await world.pass(2_000)
    expect(heard()).toEqual(['PATCH a2 t1 "one two" k2', '200 t2'])
    world.server.always.clear()
    await world.pass(60_000)
    expect(words()).toEqual(['one two three', 'one two', 'one', 'one'])
  })
})
