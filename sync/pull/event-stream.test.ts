import { IDBDatabase } from 'fake-indexeddb'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type BusMessage,
  LockNotGranted,
  NoAnswer,
  type Ports,
  type StreamRequest,
} from '../ports.ts'
import { readArticleView } from '../status/article-view.ts'
import { readSyncSummary } from '../status/sync-summary.ts'
import { type AgencyWorld, createAgencyWorld } from '../testing/test-agency.ts'
import { doc, type Tab } from '../testing/test-world.ts'
import { openEventStream } from './event-stream.ts'

/** The event stream in a browser with several tabs, against the real API on one clock. */

const SECOND = 1_000
const MINUTE = 60 * SECOND

let world: AgencyWorld
/** The stores of the next transaction that fails; null for none. */
let failsOnceWith: string[] | null = null

const begin = IDBDatabase.prototype.transaction
IDBDatabase.prototype.transaction = function (this: IDBDatabase, stores, ...given) {
  const names = [stores].flat().join()
  const isMeant = failsOnceWith?.every((store) => names.includes(store))
  if (!isMeant || names.includes('articles')) return begin.call(this, stores, ...given)
  failsOnceWith = null
  throw new DOMException('Internal error', 'UnknownError')
}

beforeEach(async () => {
  failsOnceWith = null
  world = await createAgencyWorld()
})

const shown = () => readArticleView(world.database, world.article)
const LIST = 'GET /articles/client/myArticles'
const one = () => `GET /articles/${world.article}`

async function openTabs(count: number): Promise<Tab[]> {
  const tabs: Tab[] = []
  for (let at = 1; at <= count; at++) tabs.push(await world.tab(`tab ${at}`))
  await world.pass(SECOND)
  world.asked()
  return tabs
}

describe('the event stream', { tags: ['@SY-07'] }, () => {
  test('reach an open page within a second, by one question for all tabs', async () => {
    await openTabs(3)
    await world.settings({ name: 'Rolled oats', keywordList: [] })
    await world.settle()
    expect(await shown()).toMatchObject({ name: 'Rolled oats' })
    expect(world.asked()).toEqual([one()])
    const agency = world.api.as(world.admin)
    await agency.patch(`/v1/articles/${world.article}`, { completed: true })
    await world.settle()
    expect((await shown())?.completed).toBe(true)
    await agency.patch(`/v1/articles/${world.article}`, { completed: false })
    await world.settle()
    expect((await shown())?.completed).toBe(false)
  })

  test('brings the text of another user into the editor', async () => {
    const [tab] = await openTabs(1)
    const { editor } = await (tab as Tab).edit(world.article)
    await world.write(world.admin, doc('From the agency'))
    await world.settle()
    expect(editor.words).toBe('From the agency')
  })

  describe('of an admin, whose open article is in no list:', () => {
    async function becomeAdmin(): Promise<void> {
      const { writer, admin, client } = world
      const sessions = world.api.db.updateTable('sessions').set({ role: 'admin' })
      await sessions.where('user_id', '=', writer.id).execute()
      await world.api.as(admin).patch(`/v1/clients/${client.id}`, { users: [] })
    }

    /** The texts that two pages show after another user wrote while the stream was cut. */
    async function afterACut(back: (tabs: Tab[]) => void | Promise<void>): Promise<string[]> {
      const { admin, article } = world
      await becomeAdmin()
      const tabs = await openTabs(4)
      await tabs[0]?.client.load(article)
      const open = [await tabs[0]?.edit(article), await tabs[2]?.edit(article)]
      world.line.down = true
      world.line.cut()
      await world.write(admin, doc('From the agency'))
      await world.settings({ name: 'Rolled oats' })
      await world.pass(25 * SECOND)
      world.asked()
      world.line.down = false
      await back(tabs)
      await world.pass(3 * MINUTE)
      expect(await shown()).toMatchObject({ name: 'Rolled oats' })
      return open.map((one) => one?.editor.words ?? '')
    }
    const BOTH = ['From the agency', 'From the agency']

    test('it is current after the stream is back, by one request for all tabs', async () => {
      expect(await afterACut(() => {})).toEqual(BOTH)
      expect(world.asked().filter((request) => request === one())).toHaveLength(1)
    })

    test('and where the stream does not come back', async () => {
      const isRefused = () => {
        world.line.cutsAtOnce = true
      }
      expect(await afterACut(isRefused)).toEqual(BOTH)
    })

    test('and where another tab fetched the lists before', async () => {
      expect(await afterACut(([, other]) => other?.client.wake())).toEqual(BOTH)
    })

    test('and where the local database failed as the stream came back', async () => {
      const failsOnce = () => {
        failsOnceWith = ['meta', 'outbox']
      }
      expect(await afterACut(failsOnce)).toEqual(BOTH)
      expect(failsOnceWith).toBe(null)
    })

    test.each([
      { title: 'as soon as the network is back', wakes: true, wait: SECOND },
      { title: 'after about a minute', wakes: false, wait: 2 * MINUTE },
    ])('one whose fetch failed is fetched again $title', async ({ wakes, wait }) => {
      await becomeAdmin()
      const [tab] = await openTabs(1)
      await tab?.client.load(world.article)
      const open = await tab?.edit(world.article)
      await world.pass(SECOND)
      world.line.loseTexts = true
      await world.write(world.admin, doc('From the agency'))
      await world.pass(SECOND)
      world.line.loseTexts = false
      if (wakes) tab?.client.wake()
      await world.pass(wait)
      expect(open?.editor.words).toBe('From the agency')
    })

    test('and where the server refused it at first', async () => {
      const isRefusedAtFirst = async () => {
        world.line.denyTexts = 401
        await world.pass(20 * SECOND)
        world.line.denyTexts = null
      }
      expect(await afterACut(isRefusedAtFirst)).toEqual(BOTH)
    })
  })

  test('for a new article, a lost one and a renamed client load the list', async () => {
    await openTabs(1)
    const { id } = await world.api.article({ name: 'Barley', client: world.client })
    await world.pass(10 * SECOND)
    expect((await readArticleView(world.database, id))?.hasText).toBe(true)
    await world.api.as(world.admin).patch(`/v1/clients/${world.client.id}`, { name: 'Millers' })
    await world.settle()
    expect((await shown())?.client?.name).toBe('Millers')
    await world.api.as(world.admin).delete(`/v1/articles/${id}`)
    await world.settle()
    await world.pass(2 * MINUTE)
    expect(await readArticleView(world.database, id)).toBe(undefined)
  })

  test('of the client’s own save are not requested', async () => {
    const [tab] = await openTabs(1)
    const { editor } = await (tab as Tab).edit(world.article)
    editor.type('mine')
    await world.pass(5 * SECOND)
    expect(world.asked()).toEqual([`PATCH /articles/${world.article}`])
    expect(await shown()).toMatchObject({ saveLine: 'saved' })
  })

  test('whose article was not returned are requested again after ten seconds, then about every minute', async () => {
    await openTabs(1)
    for (const [name, failsFor, again] of [
      ['Rolled oats', SECOND, 12 * SECOND],
      ['Cut oats', 20 * SECOND, 2 * MINUTE],
    ] as const) {
      world.line.denyTexts = 401
      await world.settings({ name })
      await world.pass(failsFor)
      world.line.denyTexts = null
      await world.pass(again)
      expect(await shown()).toMatchObject({ name })
    }
  })

  test('whose article was not returned are requested as soon as the network is back, also of a page that was just opened', async () => {
    const [tab] = await openTabs(1)
    world.line.loseTexts = true
    await world.settings({ name: 'Rolled oats' })
    await world.settle()
    world.line.loseTexts = false
    tab?.client.wake()
    await world.settle()
    expect(await shown()).toMatchObject({ name: 'Rolled oats' })
  })

  test('make the questions of the timer needless, and the time of the last check moves on', async () => {
    await openTabs(2)
    await world.pass(9 * MINUTE)
    expect(world.asked()).toEqual([])
    const { lastCheckedAt } = await readSyncSummary(world.database)
    expect(world.clock.now() - Number(lastCheckedAt)).toBeLessThan(2 * MINUTE)
    await world.pass(2 * MINUTE)
    expect(world.asked()).toEqual([LIST])
  })

  test('pushes what waited for the server as soon as the stream opens', async () => {
    const [tab] = await openTabs(1)
    const { editor } = await (tab as Tab).edit(world.article)
    world.line.down = true
    world.line.cut()
    editor.type('mine')
    await world.pass(3 * MINUTE)
    expect((await shown())?.warning?.kind).toBe('durable')
    world.line.down = false
    world.asked()
    await world.pass(30 * SECOND)
    expect(world.asked().slice(0, 2)).toContain(`PATCH /articles/${world.article}`)
    expect(await shown()).toMatchObject({ saveLine: 'saved', warning: null })
  })
})

describe('the stream', { tags: ['@fault-54'] }, () => {
  test('is one for eight tabs, and the next tab listens when the first is closed', async () => {
    const tabs = await openTabs(8)
    expect(world.line.streams()).toBe(1)
    tabs[0]?.kill()
    world.line.cut()
    await world.pass(SECOND)
    expect(world.line.streams()).toBe(1)
    await world.settings({ name: 'Rolled oats' })
    await world.pass(SECOND)
    expect(await shown()).toMatchObject({ name: 'Rolled oats' })
    for (const tab of tabs.slice(1)) await tab.client.stop()
    expect(world.line.streams()).toBe(0)
  })

  test('moves to another tab while its owner is frozen, and not back', async () => {
    const [first] = await openTabs(2)
    first?.client.rest()
    await world.pass(SECOND)
    expect([world.line.streams(), world.asked()]).toEqual([1, ['STREAM']])
    first?.client.wake()
    await world.pass(5 * MINUTE)
    expect([world.line.streams(), world.asked().filter((ask) => ask === 'STREAM')]).toEqual([1, []])
  })

  test('is taken over from a frozen tab, which closes it when it resumes', async () => {
    const [frozen] = await openTabs(1)
    const keepAlive = world.line.streams()
    world.line.deaf = true
    await world.pass(30 * SECOND)
    frozen?.kill()
    world.line.deaf = false
    world.line.cut()
    world.locks.freeze('contun-news:u1')
    const other = await world.tab('other')
    await world.pass(2 * MINUTE)
    expect([keepAlive, world.line.streams()]).toEqual([1, 1])
    await other.client.stop()
  })

  test('that is silent for 45 s is closed and reopened, and the lists are compared', async () => {
    await openTabs(1)
    world.line.deaf = true
    await world.settings({ name: 'Rolled oats' })
    await world.pass(44 * SECOND)
    expect(world.asked()).toEqual([])
    world.line.deaf = false
    await world.pass(4 * SECOND)
    expect(world.asked()).toEqual(['STREAM', LIST])
    expect(await shown()).toMatchObject({ name: 'Rolled oats' })
    expect(world.line.streams()).toBe(1)
  })

  test('that was interrupted without changes requests nothing when it reconnects', async () => {
    await openTabs(1)
    world.line.cut()
    await world.pass(3 * SECOND)
    expect(world.asked()).toEqual(['STREAM'])
  })

  test('that is repeatedly interrupted is reopened with backoff', async () => {
    await openTabs(1)
    world.line.cutsAtOnce = true
    world.line.cut()
    await world.pass(5 * MINUTE)
    expect(world.asked().filter((ask) => ask === 'STREAM').length).toBeLessThan(25)
  })

  test('that never opens leaves pulling to the timer, and is retried at most once a minute', async () => {
    const stop = world.api.deps.isDraining
    world.api.deps.isDraining = () => true
    await openTabs(2)
    await world.settings({ name: 'Rolled oats' })
    await world.pass(MINUTE)
    expect(await shown()).toMatchObject({ name: 'Rolled oats' })
    await world.pass(10 * MINUTE)
    const asked = world.asked()
    expect(asked.filter((ask) => ask === 'STREAM').length).toBeLessThanOrEqual(12)
    expect(asked.filter((ask) => ask === LIST).length).toBeGreaterThanOrEqual(10)
    world.api.deps.isDraining = stop
  })

  test('continues with a new token when the old one has expired', async () => {
    world = await createAgencyWorld({ accessTokenMinutes: 2 })
    await openTabs(1)
    await world.pass(3 * MINUTE)
    expect(world.asked()).toEqual(['STREAM', 'POST /auth/refresh-tokens', 'STREAM'])
    await world.settings({ name: 'Rolled oats' })
    await world.settle()
    expect(await shown()).toMatchObject({ name: 'Rolled oats' })
  })

  test('ends with the session, and stays closed', async () => {
    const [tab] = await openTabs(1)
    await world.api.as(world.admin).delete(`/v1/users/${world.writer.id}/sessions`)
    await world.pass(MINUTE)
    expect(world.line.streams()).toBe(0)
    await tab?.client.stop()
  })
})

test('a page shares its stream with no page of another user of this browser', {
  tags: ['@fault-54'],
}, async () => {
  const hearers: ((message: BusMessage) => void)[] = []
  const ports = {
    clock: { now: () => 0, after: () => () => {} },
    locks: { hold: (_: string, task: () => Promise<unknown>) => task() },
    bus: { post: () => {}, listen: (hear: (message: BusMessage) => void) => hearers.push(hear) },
    stream: () => new Promise(() => {}),
  } as unknown as Ports
  const silent = { greeted: () => {}, notified: () => {}, heard: () => {} }
  const own = { ...silent, userId: 'a', tabId: 'own', signedInUser: () => 'a' }
  const news = openEventStream(ports, own)
  const tell = (message: BusMessage) => hearers.forEach((hear) => void hear(message))
  tell({ kind: 'news-mine', userId: 'b', tabId: 'other' })
  tell({ kind: 'news-alive', userId: 'b' })
  expect([news.isMine(), news.isLive()]).toEqual([true, false])
  tell({ kind: 'news-mine', userId: 'a', tabId: 'other' })
  expect(news.isMine()).toBe(false)
})

test('a page that took the stream and lost it again waits for it as before', {
  tags: ['@fault-54'],
}, async () => {
  const timers: (() => void)[] = []
  const asked: string[] = []
  const refusals = [new LockNotGranted(), new DOMException('The lock was stolen', 'AbortError')]
  const ports = {
    clock: {
      now: () => 0,
      after: (_: number, task: () => void) => {
        timers.push(task)
        return () => {}
      },
    },
    locks: {
      hold(_: string, _task: unknown, how: { steal?: true }) {
        asked.push(how.steal ? 'steal' : 'wait')
        const refusal = refusals.shift()
        return refusal ? Promise.reject(refusal) : new Promise(() => {})
      },
    },
    bus: { post: () => {}, listen: () => () => {} },
    stream: () => new Promise(() => {}),
  } as unknown as Ports
  const silent = { greeted: () => {}, notified: () => {}, heard: () => {} }
  openEventStream(ports, { ...silent, userId: 'a', tabId: 'own', signedInUser: () => 'a' })
  await expect.poll(() => timers.length).toBe(1)
  timers[0]?.()
  await expect.poll(() => asked).toEqual(['wait', 'steal', 'wait'])
})

test('a page that thaws after the tab that stole the lock is closed has one stream', {
  tags: ['@fault-54'],
}, async () => {
  const listeners: ((message: BusMessage) => void)[] = []
  const timers = new Set<() => void>()
  const open = new Set<() => void>()
  let steal = (_: Error): void => {}
  let isFirst = true
  const ports = {
    clock: {
      now: () => 0,
      after(_: number, task: () => void) {
        timers.add(task)
        return () => timers.delete(task)
      },
    },
    locks: {
      hold(_: string, task: () => Promise<unknown>) {
        const held = task()
        if (!isFirst) return held
        isFirst = false
        return new Promise((_resolve, reject) => {
          steal = reject
        })
      },
    },
    bus: { post: () => {}, listen: (one: (message: BusMessage) => void) => listeners.push(one) },
    random: () => 0,
    stream: ({ abandoned }: StreamRequest) =>
      new Promise((_resolve, reject) => {
        const end = () => {
          open.delete(end)
          reject(new NoAnswer())
        }
        open.add(end)
        void abandoned.then(end)
      }),
  } as unknown as Ports
  const silent = { greeted: () => {}, notified: () => {}, heard: () => {} }
  openEventStream(ports, { ...silent, userId: 'a', tabId: 'own', signedInUser: () => 'a' })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  await turn()
  steal(new DOMException('The lock was stolen', 'AbortError'))
  await turn()
  for (const listener of listeners) listener({ kind: 'news-mine', userId: 'a', tabId: 'other' })
  await turn()
  expect(open.size).toBe(1)
  // The limit of silence is that of the open stream.
  for (const task of [...timers]) task()
  await turn()
  for (const task of [...timers]) task()
  await turn()
  expect(open.size).toBe(1)
})
