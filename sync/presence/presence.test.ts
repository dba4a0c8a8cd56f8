import { beforeEach, describe, expect, test } from 'vitest'
import type { TestUser } from '../../api/testing/test-app.ts'
import type { Others } from '../../domain/wire/presence.ts'
import type { BusMessage, Ports } from '../ports.ts'
import type { StreamFollower } from '../pull/event-stream.ts'
import { type AgencyWorld, createAgencyWorld } from '../testing/test-agency.ts'
import type { Tab } from '../testing/test-world.ts'
import type { OpenPage } from './open-pages.ts'
import { openPresence, type Presence } from './presence.ts'

/** Imogen's browser with its tabs, and others who report to the real API, on one clock. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const REPORT = 'PUT /presence'

let world: AgencyWorld

beforeEach(async () => {
  world = await createAgencyWorld()
})

const reports = () => world.asked().filter((line) => line === REPORT).length

type Page = OpenPage & { shown: (Others | null)[]; sees(): string | undefined }

const nameOf = ({ name, writing }: Others['people'][number]) => name + (writing ? '+' : '')

/** A page of this tab that shows the article; what it shows is 'Oona Vale+' while she writes. */
async function openIn(tab: Tab, articleId = world.article): Promise<Page> {
  const shown: (Others | null)[] = []
  const presence = await tab.client.presence()
  if (!presence) throw new Error('No presence')
  const page = presence.open(articleId, (others) => shown.push(others))
  await world.pass(SECOND)
  const sees = () => shown.at(-1)?.people.map(nameOf).join(', ')
  return { ...page, shown, sees }
}

const reportOf = (person: TestUser, articles: object[]) =>
  world.api.as(person).put('/v1/presence', { articles })
const reads = async (person: TestUser, id = world.article) => {
  await reportOf(person, [{ id, writing: false, blocks: [] }])
  await world.pass(SECOND)
}
const writes = async (person: TestUser) => {
  await reportOf(person, [{ id: world.article, writing: true, blocks: ['0'.repeat(16)] }])
  await world.pass(SECOND)
}

/** What the stream of this person says of the article: as `sees` of a page. */
async function listen(person: TestUser) {
  const { body } = await world.api.as(person).get('/v1/events')
  let last: Others | null = null
  void (async () => {
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? [])
      for (const event of text.split('\n\n'))
        if (event.startsWith('event: presence\n')) last = JSON.parse(event.split('data: ')[1] ?? '')
  })()
  return {
    sees: () => (last as Others | null)?.people.map(nameOf).join(', '),
    blocks: () => (last as Others | null)?.people[0]?.blocks,
  }
}

describe('a page that is alone', { tags: ['@WH-05'] }, () => {
  test('reports once, and then every ten minutes, however much is typed', async () => {
    const tab = await world.tab('tab')
    await world.pass(SECOND)
    world.asked()
    const page = await openIn(tab)
    expect(reports()).toBe(1)
    for (let key = 0; key < 8; key += 1) {
      page.typed()
      page.typedIn([String(key).repeat(16)])
      await world.pass(30 * SECOND)
    }
    expect(reports()).toBe(0)
    await world.pass(7 * MINUTE)
    expect(reports()).toBe(1)
    page.close()
    await world.pass(3 * SECOND)
    expect(reports()).toBe(1)
    await world.pass(10 * MINUTE)
    expect(reports()).toBe(0)
  })

  test('is not joined by its own user in another tab', { tags: ['@WH-08'] }, async () => {
    const [one, two] = [await world.tab('one'), await world.tab('two')]
    const pages = [await openIn(one), await openIn(two)]
    pages[0]?.typed()
    await world.pass(MINUTE)
    expect(pages.map(({ shown }) => shown)).toEqual([[], []])
  })
})

describe('a page and another user', { tags: ['@WH-01'] }, () => {
  test('learn of each other, also when the page had been silent for long', async () => {
    const page = await openIn(await world.tab('tab'))
    const oona = await listen(world.admin)
    await world.pass(2 * MINUTE)
    expect(page.shown).toEqual([])
    await reads(world.admin)
    await world.pass(2 * SECOND)
    expect([page.sees(), oona.sees()]).toEqual(['Oona Vale', 'Imogen Hale'])
    await writes(world.admin)
    expect(page.sees()).toBe('Oona Vale+')
    await reportOf(world.admin, [])
    await world.pass(SECOND)
    expect(page.shown.at(-1)).toBe(null)
  })

  test('see the page write until 30 seconds after its last key, in the block that it names', async () => {
    const page = await openIn(await world.tab('tab'))
    const oona = await listen(world.admin)
    await reads(world.admin)
    page.typed()
    page.typedIn(['a'.repeat(16)])
    await world.pass(3 * SECOND)
    expect([oona.sees(), oona.blocks()]).toEqual(['Imogen Hale+', ['a'.repeat(16)]])
    for (let key = 0; key < 4; key += 1) {
      await world.pass(10 * SECOND)
      await reads(world.admin)
      page.typed()
    }
    expect(oona.sees()).toBe('Imogen Hale+')
    await world.pass(28 * SECOND)
    await reads(world.admin)
    expect(oona.sees()).toBe('Imogen Hale+')
    await world.pass(5 * SECOND)
    expect([oona.sees(), oona.blocks()]).toEqual(['Imogen Hale', []])
  })

  test('cost one report with every sign of life of the server', { tags: ['@WH-05'] }, async () => {
    await openIn(await world.tab('tab'))
    await reads(world.admin)
    await world.pass(18 * SECOND)
    await reads(world.admin)
    world.asked()
    for (let turn = 0; turn < 6; turn += 1) {
      await world.pass(19 * SECOND)
      await reads(world.admin)
    }
    expect(reports()).toBe(6)
  })

  test('know of each other again after a report was lost', { tags: ['@WH-04'] }, async () => {
    const oona = await listen(world.admin)
    await reads(world.admin)
    world.line.loseAnswers = true
    await openIn(await world.tab('tab'))
    world.asked()
    await world.pass(3 * SECOND)
    expect(reports()).toBe(1)
    world.line.loseAnswers = false
    await reads(world.admin)
    await world.pass(5 * SECOND)
    expect(oona.sees()).toBe('Imogen Hale')
  })
})

describe('without a connection', { tags: ['@WH-04'] }, () => {
  test('nothing is said in any tab, at once, and again when the stream is back', async () => {
    const [one, two] = [await world.tab('one'), await world.tab('two')]
    const pages = [await openIn(one), await openIn(two)]
    await reads(world.admin)
    expect(pages.map((page) => page.sees())).toEqual(['Oona Vale', 'Oona Vale'])
    world.line.down = true
    world.line.cut()
    await world.settle()
    expect(pages.map(({ shown }) => shown.at(-1))).toEqual([null, null])
    await world.pass(5 * SECOND)
    world.line.down = false
    await reads(world.admin)
    await world.pass(20 * SECOND)
    await reads(world.admin)
    expect(pages.map((page) => page.sees())).toEqual(['Oona Vale', 'Oona Vale'])
  })

  test('a stream that delivers nothing says nothing after 45 seconds', async () => {
    const page = await openIn(await world.tab('tab'))
    await reads(world.admin)
    world.line.deaf = true
    await world.pass(46 * SECOND)
    expect(page.shown.at(-1)).toBe(null)
  })

  test('the tabs of a browser whose listening tab is gone say nothing, until one of them listens', async () => {
    const [one, two] = [await world.tab('one'), await world.tab('two')]
    await world.pass(2 * SECOND)
    const page = await openIn(two)
    await reads(world.admin)
    expect(page.sees()).toBe('Oona Vale')
    one.kill()
    world.line.cut()
    await world.pass(SECOND)
    await reads(world.admin)
    await world.pass(3 * SECOND)
    expect(page.shown).toContain(null)
    expect(page.sees()).toBe('Oona Vale')
  })
})

/** Two tabs of one browser, of which the first has the stream; the server shows a sign of life every 20 s. */
function twoTabs() {
  let now = 0
  const bodies: string[] = []
  const listeners: ((message: BusMessage) => void)[] = []
  const followers: StreamFollower[] = []
  const tabs = ['one', 'two'].map((tabId, at) => {
    const ports: Pick<Ports, 'clock' | 'bus' | 'send' | 'sendLast'> = {
      clock: { now: () => now, after: () => () => {} },
      bus: {
        post(message) {
          for (const [other, hear] of listeners.entries()) if (other !== at) hear(message)
        },
        listen: (hear) => {
          listeners[at] = hear
          return () => {}
        },
      },
      send: async ({ body = '' }) => {
        bodies.push(body)
        return { status: 204, json: undefined, header: () => null }
      },
      sendLast: () => {},
    }
    const follow = (follower: StreamFollower) => {
      followers.push(follower)
      return () => {}
    }
    const stream = { follow, isLive: () => true }
    return openPresence(ports as Ports, { userId: 'u1', tabId, stream })
  }) as [Presence, Presence]
  const [holder] = followers
  holder?.begun()
  const people = [{ id: 'u2', name: 'Oona Vale', writing: false, blocks: [] }]
  return {
    tabs,
    bodies,
    crash: () => listeners.splice(1, 1),
    say: (articleId: string) => holder?.received('presence', { articleId, people, count: 1 }),
    async pass(seconds: number) {
      now += seconds * SECOND
      await Promise.resolve()
      holder?.heard()
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
    },
  }
}

describe('the tab with the stream', { tags: ['@WH-04'] }, () => {
  test('leaves out a tab that crashed, within 45 seconds', async () => {
    const { tabs, pass, bodies, crash, say } = twoTabs()
    const [one, two] = tabs
    one.open('a1', () => {})
    two.open('a2', () => {})
    say('a1')
    say('a2')
    await pass(20)
    expect(bodies.at(-1)).toContain('a2')
    crash()
    await pass(20)
    await pass(20)
    expect(bodies.at(-1)).not.toContain('a2')
    expect(bodies.at(-1)).toContain('a1')
  })

  test('says at once that it is put away, and that it is back', async () => {
    const tab = await world.tab('tab')
    await openIn(tab)
    const oona = await listen(world.admin)
    await reads(world.admin)
    await world.pass(3 * SECOND)
    expect(oona.sees()).toBe('Imogen Hale')
    tab.client.rest()
    await world.pass(SECOND)
    expect(oona.sees()).toBe('')
    tab.client.wake()
    await world.pass(3 * SECOND)
    expect(oona.sees()).toBe('Imogen Hale')
  })

  test('says the same of an article in two tabs, and of one that is opened again', async () => {
    const [one, two] = [await world.tab('one'), await world.tab('two')]
    const first = await openIn(one)
    await reads(world.admin)
    const second = await openIn(two)
    expect([first.sees(), second.sees()]).toEqual(['Oona Vale', 'Oona Vale'])
    second.close()
    await world.pass(500)
    const third = await openIn(two)
    expect(third.sees()).toBe('Oona Vale')
    first.close()
    third.close()
    await world.pass(4 * SECOND)
    await reads(world.admin)
    const last = await openIn(two)
    await world.pass(4 * SECOND)
    expect(last.sees()).toBe('Oona Vale')
  })

  test('asks a server of an earlier release once', async () => {
    world.line.rewrite = (request) =>
      request.address === '/presence' ? { ...request, address: '/nothing' } : request
    const tab = await world.tab('tab')
    await openIn(tab)
    await world.pass(2 * MINUTE)
    expect(reports()).toBe(1)
  })
})
