import { describe, expect, it } from 'vitest'
import type { ArticleDocument } from '../../domain/text/document.ts'
import type { Config } from '../config.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const text = (line: string): ArticleDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: line }] }],
})

const limited = (config: Partial<Config> = {}) =>
  createTestApp({ config: { rateLimits: true, ...config } })

function guest(app: TestApp, from = '203.0.113.1') {
  return async (path: string, body: unknown) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    const answer = await app.app.request(`/v1/auth/${path}`, init, { peer: from })
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), answer }
  }
}

/** How many of the calls were let through before the first 429, and how long that one said to wait. */
async function passes(call: () => Promise<Response>, most = 1_000) {
  for (let count = 0; count < most; count++) {
    const answer = await call()
    if (answer.status !== 429) continue
    const body = await answer.json()
    expect(body).toMatchObject({ code: 429, message: expect.stringMatching(/^Too many requests/) })
    return { count, seconds: Number(answer.headers.get('retry-after')) }
  }
  return { count: most, seconds: 0 }
}

describe('guests', () => {
  const person = (at: number) => ({
    name: 'Rowan Pike',
    email: `rowan-${at}@fathom.example`,
    password: 'eight or more',
  })

  it('the sixth registration of an hour from one network waits', async () => {
    const app = await limited()
    const statuses: number[] = []
    for (let at = 0; at < 6; at++) {
      statuses.push((await guest(app)('register', person(at))).status)
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
    expect((await guest(app)('register', person(6))).retryAfter).toBe('3600')
    expect((await guest(app, '203.0.113.2')('register', person(6))).status).toBe(201)
    app.clock.advance(HOUR)
    expect((await guest(app)('register', person(7))).status).toBe(201)
  })

  it('one of twenty at once gets the address when the limit is raised', async () => {
    const app = await limited({ registerHourly: 100 })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => guest(app, `203.0.113.${at}`)('register', person(0))),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(19).fill(400)])
  })

  it('the fourth mail of an hour for one account is not sent, and the response does not reveal it', async () => {
    const app = await limited()
    const user = await app.user()
    for (let at = 1; at <= 4; at++) {
      const { status } = await guest(app, `203.0.113.${at}`)('forgot-password', {
        email: user.email,
      })
      expect(status).toBe(204)
      await app.settled()
    }
    expect(app.sentMail).toHaveLength(3)
    app.clock.advance(HOUR)
    await guest(app)('forgot-password', { email: user.email })
    await app.settled()
    expect(app.sentMail).toHaveLength(4)
  })

  it('one network asks for ten links an hour, and tries ten', { tags: ['@Q22'] }, async () => {
    const app = await limited()
    const ask = (at: number) =>
      guest(app)('forgot-password', { email: `u${at}@fathom.example` }).then(({ answer }) => answer)
    let at = 0
    expect(await passes(() => ask(at++))).toEqual({ count: 10, seconds: 3600 })
    const body = { token: 'x'.repeat(43), password: 'eight or more' }
    const attempt = () => guest(app)('reset-password', body).then(({ answer }) => answer)
    expect(await passes(attempt)).toEqual({ count: 10, seconds: 3600 })
  })

  /** Each time from another network of the same IPv6 site. */
  const fromSite = (app: TestApp, at: number) => guest(app, `2001:db8:7:${at.toString(16)}::9`)

  it.each([
    ['links', 40, 'forgot-password', (at: number) => ({ email: `u${at}@fathom.example` })],
    ['accounts', 20, 'register', person],
    ['resets', 40, 'reset-password', () => ({ token: 'x'.repeat(43), password: 'eight or more' })],
    ['failed logins', 120, 'login', (at: number) => ({ email: person(at).email, password: 'no' })],
    ['refreshes', 1_200, 'refresh-tokens', () => ({ refreshToken: 'nothing of ours' })],
  ])(
    'a site of IPv6 gets four times what one of its networks gets: %s',
    async (_, most, path, body) => {
      const app = await limited()
      let at = 0
      const ask = () => fromSite(app, at)(path, body(at++)).then(({ answer }) => answer)
      expect((await passes(ask, 2_000)).count).toBe(most)
      const elsewhere = await guest(app, '2001:db8:8:1::9')(path, body(at))
      expect(elsewhere.status).not.toBe(429)
    },
  )

  it('an IPv6 site that exhausts its limit leaves mails for users with a confirmed address', {
    tags: ['@Q24'],
  }, async () => {
    const app = await limited()
    const user = await app.user({ email: 'imogen@larkspur.example' })
    await app.db.updateTable('users').set({ is_email_verified: 1 }).execute()
    for (let at = 0; at < 250; at++) {
      await fromSite(app, at)('register', person(at))
      await fromSite(app, at)('forgot-password', { email: person(at % 20).email })
      await app.settled()
    }
    const before = app.sentMail.length
    expect(before).toBeLessThanOrEqual(50)
    expect((await guest(app)('forgot-password', { email: user.email })).status).toBe(204)
    await app.settled()
    expect(app.sentMail.slice(before).map(({ to }) => to)).toEqual([user.email])
  })

  it('one session refreshes thirty times in five minutes, and is never ended by that', async () => {
    const app = await limited()
    const user = await app.user()
    let { refresh } = await app.signIn(user)
    for (let time = 0; time < 30; time++) {
      const { status, answer } = await guest(app)('refresh-tokens', { refreshToken: refresh.token })
      expect(status).toBe(200)
      refresh = (await answer.json()).refresh
    }
    const next = () => guest(app)('refresh-tokens', { refreshToken: refresh.token })
    expect(await next()).toMatchObject({ status: 429, retryAfter: '300' })
    app.clock.advance(5 * MINUTE)
    expect((await next()).status).toBe(200)
  })

  it('one network refreshes three hundred times in five minutes', async () => {
    const app = await limited()
    const attempt = () =>
      guest(app)('refresh-tokens', { refreshToken: 'no token of ours' }).then(
        ({ answer }) => answer,
      )
    expect(await passes(attempt)).toEqual({ count: 300, seconds: 300 })
  })

  it('calls without a session are 120 a minute for a network, whatever they ask for', async () => {
    const app = await limited()
    const calls = [
      () => app.app.request('/v1/articles/client/myArticles', {}, { peer: '203.0.113.1' }),
      () =>
        app.app.request(
          '/v1/users',
          { headers: { authorization: 'Bearer a.b.c' } },
          { peer: '203.0.113.1' },
        ),
    ]
    let at = 0
    const call = async () => (await calls[at++ % 2]?.()) as Response
    expect(await passes(call)).toEqual({ count: 120, seconds: 60 })
    const elsewhere = await app.app.request('/v1/users', {}, { peer: '203.0.113.2' })
    expect(elsewhere.status).toBe(401)
  })
})

describe('a session', () => {
  async function signedIn() {
    const app = await limited()
    const user = await app.user()
    const admin = await app.user({ role: 'admin' })
    const client = await app.client({ users: [user] })
    const { id } = await app.article({ client })
    /** Every call a little later than the one before, so that no burst is meant. */
    const slowly = (call: () => Promise<Response>, pauseMs = 100) => {
      app.clock.advance(pauseMs)
      return call()
    }
    return { ...app, person: user, admin, id, slowly }
  }

  it('makes at most sixty calls in one second', async () => {
    const { as, person, id, clock } = await signedIn()
    const read = () => as(person).get(`/v1/articles/${id}`)
    expect(await passes(read)).toEqual({ count: 60, seconds: 1 })
    clock.advance(SECOND)
    expect((await read()).status).toBe(200)
  })

  it.each([
    ['calls', 300, (w: World) => w.as(w.person).get(`/v1/articles/${w.id}`)],
    ['saves', 120, (w: World) => w.as(w.person).patch(`/v1/articles/${w.id}`, { articleText: {} })],
    ['restored texts', 120, (w: World) => restore(w)],
    [
      'batches, also of nothing that is valid',
      60,
      (w: World) => w.as(w.person).patch('/v1/articles', {}),
    ],
    ['lists', 120, (w: World) => w.as(w.person).get('/v1/articles/client/myArticles')],
    ['lists of users', 120, (w: World) => w.as(w.admin).get('/v1/users')],
    ['logs', 120, (w: World) => w.as(w.admin).get(`/v1/articles/${w.id}/log`)],
    ['lists of texts', 120, (w: World) => w.as(w.admin).get(`/v1/articles/${w.id}/revisions`)],
    ['new clients', 60, (w: World) => w.as(w.admin).post('/v1/clients', { name: 'New' })],
    ['deletions', 60, (w: World) => w.as(w.admin).delete('/v1/articles/unknown')],
    ['entity lists', 20, (w: World) => settings(w, { keywordList: [] })],
    ['changes of several articles', 20, (w: World) => bulk(w)],
    ['plans', 120, (w: World) => w.as(w.admin).put(`/v1/articles/${w.id}/plan`, {})],
    ['other settings', 300, (w: World) => settings(w, { name: 'Same' })],
  ])('makes so many %s a minute: %i', async (_, most, call) => {
    const world = await signedIn()
    const { count, seconds } = await passes(() => world.slowly(() => call(world)))
    expect(count).toBe(most)
    expect(seconds).toBeGreaterThan(0)
    world.clock.advance(seconds * SECOND)
    expect((await call(world)).status).not.toBe(429)
  })

  it('asks for lists as often by HEAD as by GET', async () => {
    const { app, signIn, person, slowly } = await signedIn()
    const { access } = await signIn(person)
    const headers = { authorization: `Bearer ${access.token}` }
    const path = '/v1/articles/client/myArticles'
    const head = async () => app.request(path, { method: 'HEAD', headers })
    const statuses: number[] = []
    for (let at = 0; at < 140; at++) statuses.push((await slowly(head)).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(120)
    expect(statuses.at(-1)).toBe(429)
  })

  it('shares nothing with the others of its office', async () => {
    const { as, person, admin, id } = await signedIn()
    expect((await passes(() => as(person).get(`/v1/articles/${id}`))).count).toBe(60)
    expect((await as(admin).get(`/v1/articles/${id}`)).status).toBe(200)
  })

  it('of a writer who never stops reach no limit in ten minutes', {
    tags: ['@SY-08'],
  }, async () => {
    const { as, person, id, clock } = await signedIn()
    const answers = new Set<number>()
    for (let second = 0; second < 600; second++) {
      clock.advance(SECOND)
      const articleText = text(`After ${second} seconds.`)
      answers.add((await as(person).patch(`/v1/articles/${id}`, { articleText })).status)
      if (second % 5 > 0) continue
      answers.add((await as(person).get('/v1/articles/client/myArticles')).status)
      answers.add((await as(person).get(`/v1/articles/${id}`)).status)
    }
    expect([...answers]).toEqual([200])
  })

  it('ends with the last text of each article when a long queue meets limits', async () => {
    const { as, person, client, article, clock } = await signedIn()
    const theirs = await client({ users: [person] })
    const articles = await Promise.all(
      Array.from({ length: 40 }, () => article({ client: theirs })),
    )
    let refusals = 0
    for (let version = 1; version <= 5; version++) {
      for (const { id } of articles) {
        for (;;) {
          const articleText = text(`Version ${version}`)
          const answer = await as(person).patch(`/v1/articles/${id}`, { articleText })
          if (answer.status === 200) break
          expect(answer.status).toBe(429)
          refusals++
          clock.advance(Number(answer.headers.get('retry-after')) * SECOND)
        }
      }
    }
    expect(refusals).toBeGreaterThan(0)
    clock.advance(MINUTE)
    for (const { id } of articles) {
      clock.advance(SECOND)
      const { articleText, textVersion } = await (await as(person).get(`/v1/articles/${id}`)).json()
      expect([articleText, textVersion]).toEqual([text('Version 5'), 6])
    }
  })
})

type World = {
  as: TestApp['as']
  person: Parameters<TestApp['as']>[0]
  admin: Parameters<TestApp['as']>[0]
  id: string
}

const bulk = (w: World) =>
  w.as(w.admin).post('/v1/articles/bulk', {
    dryRun: true,
    ids: [w.id],
    change: { wordMinimum: 1 },
  })
const restore = (w: World) => w.as(w.person).post(`/v1/articles/${w.id}/revisions/1/restore`, {})
const settings = (w: World, body: unknown) =>
  w.as(w.admin).patch(`/v1/articles/admin/${w.id}`, body)
