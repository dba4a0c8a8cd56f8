import { describe, expect, it } from 'vitest'
import type { Tokens } from '../../domain/wire/users.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** One signed-in user with helpers for what a client does with its tokens. */
async function signedIn() {
  const app = await createTestApp()
  const user = await app.user()
  const first = await app.signIn(user)
  return { app, user, first }
}

async function refresh(app: TestApp, { token }: { token: string }): Promise<Tokens | number> {
  const response = await app.as(null).post('/v1/auth/refresh-tokens', { refreshToken: token })
  return response.status === 200 ? ((await response.json()) as Tokens) : response.status
}

async function renewed(app: TestApp, token: { token: string }): Promise<Tokens> {
  const tokens = await refresh(app, token)
  if (typeof tokens === 'number') throw new Error(`refresh answered ${tokens}`)
  return tokens
}

const use = async (app: TestApp, { access }: Tokens) =>
  (
    await app.app.request('/v1/articles/client/myArticles', {
      headers: { authorization: `Bearer ${access.token}` },
    })
  ).status

describe('POST /auth/refresh-tokens', () => {
  it('gives a new pair, not wrapped', { tags: ['@AP-06'] }, async () => {
    const { app, first } = await signedIn()
    app.clock.advance(10 * MINUTE)
    const next = await renewed(app, first.refresh)
    expect(Object.keys(next)).toEqual(['access', 'refresh'])
    expect(next.refresh.token).not.toBe(first.refresh.token)
    expect(next.access.expires).toBe('2026-03-02T09:40:00.000Z')
    expect(await use(app, next)).toBe(200)
  })

  it.each([
    ['missing', {}, 400],
    ['an array', { refreshToken: ['x'] }, 400],
    ['empty', { refreshToken: '' }, 400],
    ['a megabyte', { refreshToken: 'x'.repeat(1 << 20) }, 413],
    ['garbage', { refreshToken: 'garbage' }, 401],
  ])('refuses a token that is %s', { tags: ['@AP-06'] }, async (_, body, status) => {
    const { app } = await signedIn()
    expect((await app.as(null).post('/v1/auth/refresh-tokens', body)).status).toBe(status)
  })

  it('accepts the token of a device after an older state of the server was restored', {
    tags: ['@Q86'],
  }, async () => {
    const { app, first } = await signedIn()
    const backup = await app.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
    const second = await renewed(app, first.refresh)
    await use(app, second)
    const third = await renewed(app, second.refresh)
    await use(app, third)
    await app.db.updateTable('sessions').set(backup).execute()
    const next = await renewed(app, third.refresh)
    expect(await use(app, next)).toBe(200)
    expect(await refresh(app, next.refresh)).toMatchObject({ access: {} })
  })

  it('ends the session when an old token comes after its successor was used', {
    tags: ['@Q86'],
  }, async () => {
    const { app, first } = await signedIn()
    const next = await renewed(app, first.refresh)
    expect(await use(app, next)).toBe(200)
    app.clock.advance(MINUTE + 1)
    expect(await refresh(app, first.refresh)).toBe(401)
    expect(await refresh(app, next.refresh)).toBe(401)
    expect(await use(app, next)).toBe(401)
    expect(app.logLines.map((line) => line.message)).toContain('Old refresh token reused')
  })

  it('gives the same successor at any age when the response was lost', {
    tags: ['@Q86', '@fault-30'],
  }, async () => {
    const { app, first } = await signedIn()
    const lost = await renewed(app, first.refresh)
    app.clock.advance(2 * DAY)
    const again = await renewed(app, first.refresh)
    expect(again.refresh).toEqual(lost.refresh)
    expect(await use(app, again)).toBe(200)
  })

  it('gives tabs the same successor for a minute, also after a response that was lost long ago', {
    tags: ['@Q86', '@fault-31'],
  }, async () => {
    const { app, first } = await signedIn()
    await renewed(app, first.refresh)
    app.clock.advance(2 * DAY)
    const again = await renewed(app, first.refresh)
    expect(await use(app, again)).toBe(200)
    app.clock.advance(MINUTE)
    expect((await renewed(app, first.refresh)).refresh).toEqual(again.refresh)
    app.clock.advance(1)
    expect(await refresh(app, first.refresh)).toBe(401)
  })

  it('gives tabs the same successor for a minute, used or not', {
    tags: ['@Q86', '@fault-31'],
  }, async () => {
    const { app, first } = await signedIn()
    const tabs = await Promise.all(Array.from({ length: 10 }, () => renewed(app, first.refresh)))
    expect(new Set(tabs.map((tab) => tab.refresh.token)).size).toBe(1)
    for (const tab of tabs) expect(await use(app, tab)).toBe(200)
    app.clock.advance(MINUTE)
    expect((await renewed(app, first.refresh)).refresh).toEqual(tabs[0]?.refresh)
  })

  it('ends the session when a token two generations old comes, within the minute too', {
    tags: ['@Q86'],
  }, async () => {
    const { app, first } = await signedIn()
    const second = await renewed(app, first.refresh)
    const third = await renewed(app, second.refresh)
    expect(await refresh(app, first.refresh)).toBe(401)
    expect(await refresh(app, third.refresh)).toBe(401)
  })

  it('a forged token ends no session', async () => {
    const { app, first } = await signedIn()
    const [id, counter, signature = ''] = first.refresh.token.split('.')
    const swapped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
    expect(await refresh(app, { token: `${id}.${counter}.${swapped}` })).toBe(401)
    expect(await refresh(app, { token: `${id}.99.${signature}` })).toBe(401)
    expect(await use(app, first)).toBe(200)
  })

  it('never lasts longer than 30 days from the login, however often it is refreshed', {
    tags: ['@CN-14', '@Q97'],
  }, async () => {
    const { app, first } = await signedIn()
    let tokens = first
    for (let day = 0; day < 29; day++) {
      app.clock.advance(DAY)
      tokens = await renewed(app, tokens.refresh)
      expect(tokens.refresh.expires).toBe(first.refresh.expires)
    }
    app.clock.advance(DAY - MINUTE)
    tokens = await renewed(app, tokens.refresh)
    expect(tokens.access.expires).toBe(first.refresh.expires)
    app.clock.advance(MINUTE)
    expect(await refresh(app, tokens.refresh)).toBe(401)
    expect(await use(app, tokens)).toBe(401)
  })

  it('survives a restart: nothing that a token needs is in memory', async () => {
    const { app, first } = await signedIn()
    const lost = await renewed(app, first.refresh)
    const restarted = await createTestApp({ db: app.db })
    expect((await renewed(restarted, first.refresh)).refresh).toEqual(lost.refresh)
  })

  it('returns 503, never 401, while the database is locked', async () => {
    const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
    const { app, first } = await signedIn()
    const locked = await createTestApp({ db: app.db, deps: { db: failing(app.db, busy) } })
    const response = await locked
      .as(null)
      .post('/v1/auth/refresh-tokens', { refreshToken: first.refresh.token })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    expect(typeof (await refresh(app, first.refresh))).toBe('object')
  })
})

function failing(db: TestApp['db'], fault: Error): TestApp['db'] {
  return new Proxy(db, {
    get(target, name) {
      if (name === 'writeUnder') return () => Promise.reject(fault)
      if (name !== 'transaction') return Reflect.get(target, name)
      return () => ({ execute: () => Promise.reject(fault) })
    },
  })
}

describe('a bearer', () => {
  const mine = '/v1/articles/client/myArticles'
  const call = (app: TestApp, authorization: string) =>
    app.app.request(mine, { headers: { authorization } })

  it('without a token gets 401 with WWW-Authenticate', { tags: ['@AP-34'] }, async () => {
    const app = await createTestApp()
    const response = await app.as(null).get(mine)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 401, message: 'Please authenticate' })
  })

  it('reads the scheme in any case and takes no other', async () => {
    const { app, first } = await signedIn()
    const { token } = first.access
    expect((await call(app, `bearer ${token}`)).status).toBe(200)
    for (const header of [`Basic ${token}`, '', 'Bearer', `Bearer ${token}, Bearer ${token}`]) {
      expect((await call(app, header)).status).toBe(401)
    }
    expect((await app.app.request(`${mine}?access_token=${token}`)).status).toBe(401)
    const cookie = { headers: { cookie: `token=${token}` } }
    expect((await app.app.request(mine, cookie)).status).toBe(401)
  })

  it('lives 30 minutes and 5 seconds of tolerance', async () => {
    const { app, first } = await signedIn()
    app.clock.advance(30 * MINUTE + 4_000)
    expect(await use(app, first)).toBe(200)
    app.clock.advance(2_000)
    expect(await use(app, first)).toBe(401)
  })

  it('tolerates a server clock that was set back', async () => {
    const { app, first } = await signedIn()
    app.clock.advance(-HOUR)
    expect(await use(app, first)).toBe(200)
  })

  it('of a deleted user ends with the very next request', { tags: ['@PE-15'] }, async () => {
    const { app, user, first } = await signedIn()
    await app.db.deleteFrom('users').where('id', '=', user.id).execute()
    expect(await use(app, first)).toBe(401)
    expect(await refresh(app, first.refresh)).toBe(401)
  })

  it('is never a refresh token, nor the other way round', async () => {
    const { app, first } = await signedIn()
    expect((await call(app, `Bearer ${first.refresh.token}`)).status).toBe(401)
    expect(await refresh(app, first.access)).toBe(401)
  })

  it('keeps the role it had at login, through refreshes, until the next login', {
    tags: ['@ST-16', '@PE-14', '@Q58'],
  }, async () => {
    const app = await createTestApp()
    const user = await app.user({ role: 'admin' })
    const first = await app.signIn(user)
    await app.db.updateTable('users').set({ role: 'user' }).where('id', '=', user.id).execute()
    const article = await app.article()
    const read = async (tokens: Tokens) =>
      (await app.app.request(`/v1/articles/${article.id}`, headersOf(tokens))).status
    expect(await read(first)).toBe(200)
    expect(await read(await renewed(app, first.refresh))).toBe(200)
    const demoted: TestUser = { ...user, role: 'user' }
    expect(await read(await app.signIn(demoted))).toBe(404)
  })
})

const headersOf = ({ access }: Tokens) => ({
  headers: { authorization: `Bearer ${access.token}` },
})
