import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type Others, presenceSchema } from '../../domain/wire/presence.ts'
import { createTestApp, type TestUser } from '../testing/test-app.ts'
import { testClock } from '../testing/test-clock.ts'

/** PUT /v1/presence and what the streams of the others say then. */

const SECOND = 1_000
const BLOCK = '0123456789abcdef'

async function scene() {
  const clock = testClock()
  /** What the timers began, as far as it is a promise. */
  const begun: unknown[] = []
  const after = (ms: number, task: () => unknown) => clock.after(ms, () => void begun.push(task()))
  const app = await createTestApp({ deps: { clock }, after })
  const [ada, ida, eve, otto] = await Promise.all([
    app.user({ name: 'Ada Ferris', role: 'admin' }),
    app.user({ name: 'Ida Hale' }),
    app.user({ name: 'Eve Wren' }),
    app.user({ name: 'Otto Lind' }),
  ])
  const office = await app.client({ users: [ida, eve] })
  const { id } = await app.article({ client: office })

  /** The page of a user: what it reports, and what it was sent about the article last. */
  async function page(person: TestUser) {
    const { body } = await app.as(person).get('/v1/events')
    const heard: Others[] = []
    let ended = false
    void (async () => {
      let rest = ''
      for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const events = (rest + part).split('\n\n')
        rest = events.pop() ?? ''
        for (const event of events)
          if (event.startsWith('event: presence\n'))
            heard.push(presenceSchema.parse(JSON.parse(event.split('data: ')[1] ?? '')))
      }
      ended = true
    })()
    const put = async (articles: object[]) => {
      const answer = await app.as(person).put('/v1/presence', { articles })
      expect(answer.status).toBe(204)
    }
    return {
      heard,
      ended: () => ended,
      reads: (articleId = id) => put([{ id: articleId, writing: false, blocks: [] }]),
      writes: (articleId = id) => put([{ id: articleId, writing: true, blocks: [BLOCK] }]),
      leaves: () => put([]),
      /** 'Eve Wren+' writes, 'Eve Wren' reads; undefined while nothing was sent. */
      sees: () =>
        heard
          .at(-1)
          ?.people.map(({ name, writing }) => name + (writing ? '+' : ''))
          .join(', '),
    }
  }

  /** Lets what is due be sent. */
  async function pass(ms = SECOND) {
    for (let left = ms; left > 0; left -= SECOND) {
      clock.advance(Math.min(left, SECOND))
      while (begun.length > 0) await Promise.all(begun.splice(0))
      // The pages read.
      for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setImmediate(done))
    }
  }
  return { ...app, ada, ida, eve, otto, office, id, page, pass }
}

describe('two who have an article open', { tags: ['@WH-01'] }, () => {
  it('see each other read, write and leave', async () => {
    const { ida, eve, page, pass } = await scene()
    const [hers, other] = [await page(ida), await page(eve)]
    await hers.reads()
    await pass()
    expect(hers.heard).toEqual([])
    await other.reads()
    await pass()
    expect([hers.sees(), other.sees()]).toEqual(['Eve Wren', 'Ida Hale'])
    await other.writes()
    await pass()
    expect(hers.sees()).toBe('Eve Wren+')
    expect(hers.heard.at(-1)?.people[0]?.blocks).toEqual([BLOCK])
    await other.reads()
    await pass()
    expect(hers.sees()).toBe('Eve Wren')
    await other.leaves()
    await pass()
    expect([hers.sees(), hers.heard.length]).toEqual(['', 4])
  })

  it('are not sent what they know, and again what they forgot by closing the article', async () => {
    const { ida, eve, page, pass } = await scene()
    const [hers, other] = [await page(ida), await page(eve)]
    await hers.reads()
    await other.reads()
    await pass()
    await other.reads()
    await hers.reads()
    await pass()
    expect(hers.heard).toHaveLength(1)
    await hers.leaves()
    await hers.reads()
    await pass()
    expect(hers.heard).toHaveLength(2)
  })

  it('are sent again by a new stream, with the first report after it', async () => {
    const { ida, eve, page, pass } = await scene()
    const [hers, other] = [await page(ida), await page(eve)]
    await hers.reads()
    await other.reads()
    await pass()
    const again = await page(ida)
    await again.reads()
    await pass()
    expect([again.sees(), hers.heard.length]).toEqual(['Eve Wren', 1])
  })

  it('learn of each other though one was silent for long: its page is notified, and reports', {
    tags: ['@WH-04'],
  }, async () => {
    const { ida, eve, page, pass } = await scene()
    const [hers, other] = [await page(ida), await page(eve)]
    await hers.reads()
    await pass(120 * SECOND)
    await other.reads()
    await pass()
    expect([hers.sees(), other.sees()]).toEqual(['Eve Wren', undefined])
    await hers.reads()
    await pass()
    expect(other.sees()).toBe('Ida Hale')
  })

  it('see within 45 seconds that the other is gone without a word', {
    tags: ['@WH-04'],
  }, async () => {
    const { ida, eve, page, pass } = await scene()
    const [hers, other] = [await page(ida), await page(eve)]
    await hers.reads()
    await other.writes()
    await pass(20 * SECOND)
    await hers.reads()
    await pass(20 * SECOND)
    expect(hers.sees()).toBe('Eve Wren+')
    await hers.reads()
    await pass(5 * SECOND)
    expect(hers.sees()).toBe('')
    expect(other.sees()).toBe('Ida Hale')
  })
})

describe('what is said of an article', { tags: ['@WH-03'] }, () => {
  it.each<[string, 'ada' | 'ida' | 'otto', string | undefined, string | undefined]>([
    ['a user of its client', 'ida', 'Eve Wren', 'Ida Hale'],
    ['an admin', 'ada', 'Eve Wren', 'Ada Ferris'],
    ['a user of another client', 'otto', undefined, undefined],
  ])('%s sees who is there, and is seen, only with access', async (_, who, seen, seenByEve) => {
    const { page, pass, ...people } = await scene()
    const [one, eve] = [await page(people[who]), await page(people.eve)]
    await eve.writes()
    await eve.reads()
    await one.reads()
    await pass()
    expect([one.sees(), eve.sees()]).toEqual([seen, seenByEve])
  })

  it('is nothing where the article does not exist, not even to two admins', async () => {
    const { ada, user, page, pass } = await scene()
    const [one, two] = [await page(ada), await page(await user({ role: 'admin' }))]
    await one.reads('0195a000-0000-7000-8000-00000000ffff')
    await two.reads('0195a000-0000-7000-8000-00000000ffff')
    await pass()
    expect([one.heard, two.heard]).toEqual([[], []])
  })

  it('has the name of the account, and no time', async () => {
    const { ida, eve, id, page, pass } = await scene()
    const [hers, other] = [await page(ida), await page(eve)]
    await hers.reads()
    await other.writes()
    await pass()
    const person = { id: eve.id, name: 'Eve Wren', writing: true, blocks: [BLOCK] }
    expect(hers.heard).toEqual([{ articleId: id, people: [person], count: 1 }])
  })

  it('ends for both sides when access is withdrawn, and nothing more is learned', async () => {
    const { ada, ida, eve, office, as, page, pass } = await scene()
    const [hers, other] = [await page(ida), await page(eve)]
    await hers.reads()
    await other.reads()
    await pass()
    await as(ada).patch(`/v1/clients/${office.id}`, { users: [ida.id] })
    await other.writes()
    await pass()
    expect([hers.sees(), other.sees()]).toEqual(['', ''])
    const heard = other.heard.length
    await hers.writes()
    await pass()
    expect(other.heard).toHaveLength(heard)
  })

  it.each<[string, (id: string) => string]>([
    ['the account is deleted', (id) => `/v1/users/${id}`],
    ['its sessions are ended', (id) => `/v1/users/${id}/sessions`],
  ])('ends within 25 seconds when %s', async (_, path) => {
    const { ada, ida, eve, as, page, pass } = await scene()
    const [hers, other] = [await page(ida), await page(eve)]
    await hers.reads()
    await other.reads()
    await pass()
    expect(hers.sees()).toBe('Eve Wren')
    expect((await as(ada).delete(path(eve.id))).status).toBe(204)
    await pass(25 * SECOND)
    expect(hers.sees()).toBe('')
    expect(other.ended()).toBe(true)
  })
})

describe('a report', () => {
  it.each<[string, unknown, number]>([
    ['without a list', {}, 400],
    ['of 21 articles', { articles: Array(21).fill({ id: 'ID', writing: true, blocks: [] }) }, 400],
    ['with a name', { articles: [{ id: 'ID', writing: true, blocks: [], name: 'Eve' }] }, 400],
    [
      'with a text in place of a hash',
      { articles: [{ id: 'ID', writing: true, blocks: ['Dear'] }] },
      400,
    ],
    [
      'with five hashes',
      { articles: [{ id: 'ID', writing: true, blocks: Array(5).fill(BLOCK) }] },
      400,
    ],
    ['that is too long', { articles: 'x'.repeat(9_000) }, 413],
  ])('%s is refused', { tags: ['@WH-03'] }, async (_, body, status) => {
    const { as, ida, id } = await scene()
    const sent = JSON.parse(JSON.stringify(body).replaceAll('"ID"', `"${id}"`))
    expect((await as(ida).put('/v1/presence', sent)).status).toBe(status)
  })

  it('leaves nothing in the database and nothing in the log', { tags: ['@WH-02'] }, async () => {
    const { db, ida, ada, logLines, settled, page, pass } = await scene()
    const [hers, other] = [await page(ida), await page(ada)]
    await settled()
    const rows = async () => {
      const tables = await db.introspection.getTables()
      const count = async ({ name }: { name: string }) => {
        const { rows } = await sql<{ all: number }>`
          select count(*) as "all" from ${sql.table(name)}`.execute(db)
        return `${name}: ${rows[0]?.all}`
      }
      return Promise.all(tables.map(count))
    }
    const [before, lines] = [await rows(), logLines.length]
    await hers.writes()
    await other.writes()
    await pass(50 * SECOND)
    await settled()
    expect(hers.heard.length).toBeGreaterThan(0)
    expect(await rows()).toEqual(before)
    expect(logLines.slice(lines)).toEqual([])
  })

  it('is throttled after sixty in a minute', { tags: ['@WH-03'] }, async () => {
    const app = await createTestApp({ config: { rateLimits: true } })
    const user = await app.user()
    const statuses = []
    for (let count = 0; count < 61; count += 1) {
      if (count % 20 === 0) app.clock.advance(SECOND)
      statuses.push((await app.as(user).put('/v1/presence', { articles: [] })).status)
    }
    expect(statuses).toEqual([...Array(60).fill(204), 429])
  })
})

describe('200 pages in one article', { tags: ['@WH-05'] }, () => {
  it('are each sent three names and a number, once for all that changed together', async () => {
    const { user, client, article, page, pass } = await scene()
    const users = await Promise.all(
      Array.from({ length: 200 }, (_, at) => user({ name: `User ${String(at).padStart(3, '0')}` })),
    )
    const office = await client({ users })
    const { id } = await article({ client: office })
    const pages = await Promise.all(users.map(page))
    await Promise.all(pages.map((one) => one.reads(id)))
    await pass()
    expect(new Set(pages.map(({ heard }) => heard.at(-1)?.count))).toEqual(new Set([199]))
    expect(pages[0]?.sees()).toBe('User 001, User 002, User 003')
    const counts = pages.map(({ heard }) => heard.length)
    await Promise.all(pages.slice(100).map((one) => one.writes(id)))
    await pass()
    expect(pages[0]?.sees()).toBe('User 100+, User 101+, User 102+')
    expect(pages[100]?.sees()).toBe('User 101+, User 102+, User 103+')
    expect(pages.map(({ heard }, at) => heard.length - (counts[at] ?? 0))).toEqual(
      Array(200).fill(1),
    )
    await Promise.all(pages.slice(1).map((one) => one.leaves()))
    await pass()
    expect([pages[0]?.sees(), pages[0]?.heard.at(-1)?.count]).toEqual(['', 0])
    expect(pages.every(({ ended }) => !ended())).toBe(true)
  })
})
