import { describe, expect, it } from 'vitest'
import type { Config } from '../config.ts'
import { createTestApp, type TestUser } from '../testing/test-app.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Answer = { status: number; retryAfter: number | null; cookie: string | null }

/** A server that counts failures, and users who sign in from given addresses. */
async function office(config: Partial<Config> = {}) {
  const app = await createTestApp({ config: { rateLimits: true, ...config } })
  const user = await app.user({ email: 'imogen@larkspur.example' })
  const other = await app.user({ email: 'rosa@larkspur.example' })

  async function post(path: string, body: unknown, from: string, headers = {}): Promise<Answer> {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }
    const { status, headers: answered } = await app.app.request(path, init, { peer: from })
    const retryAfter = answered.get('retry-after')
    const setCookie = answered.get('set-cookie')
    return {
      status,
      retryAfter: retryAfter === null ? null : Number(retryAfter),
      cookie: setCookie?.split(';')[0] ?? null,
    }
  }

  const login = (email: string, password: string, from = '203.0.113.1', headers = {}) =>
    post('/v1/auth/login', { email, password }, from, headers)
  const fails = (from?: string, person: Pick<TestUser, 'email'> = user, headers = {}) =>
    login(person.email, 'not the one', from, headers)
  const succeeds = (from?: string, headers = {}) => login(user.email, user.password, from, headers)
  const failTimes = async (count: number, from?: string) => {
    for (let time = 0; time < count; time++) await fails(from)
  }
  return { ...app, user, other, post, login, fails, succeeds, failTimes }
}

describe('an account from one network', () => {
  it('has five failures free, then waits, while another network gets in', async () => {
    const { fails, succeeds } = await office()
    for (let time = 1; time <= 5; time++) expect((await fails()).status).toBe(401)
    expect(await fails()).toMatchObject({ status: 429, retryAfter: 1 })
    expect(await succeeds()).toMatchObject({ status: 429, retryAfter: 1 })
    expect((await succeeds('203.0.113.2')).status).toBe(200)
  })

  it('waits twice as long after each further failure, up to 15 minutes', async () => {
    const { fails, failTimes, clock } = await office()
    await failTimes(5)
    const pauses: (number | null)[] = []
    for (let time = 0; time < 12; time++) {
      const { retryAfter } = await fails()
      pauses.push(retryAfter)
      clock.advance((retryAfter ?? 0) * SECOND)
      expect((await fails()).status).toBe(401)
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  })

  it('is notified once and waits once, however many requests it sends in that time', async () => {
    const { fails, failTimes, succeeds, clock } = await office()
    await failTimes(5)
    for (let time = 0; time < 20; time++) expect((await fails()).retryAfter).toBe(1)
    clock.advance(SECOND)
    expect((await succeeds()).status).toBe(200)
  })

  it('waits from the failure on, however long the comparison took', async () => {
    const { fails, failTimes, deps, clock } = await office()
    await failTimes(4)
    const { verify } = deps.passwords
    deps.passwords.verify = (...args) => {
      clock.advance(5 * SECOND)
      return verify(...args)
    }
    expect((await fails()).status).toBe(401)
    expect(await fails()).toMatchObject({ status: 429, retryAfter: 1 })
  })

  it('starts from five again after a success, and after a day', async () => {
    const { fails, failTimes, succeeds, clock } = await office()
    await failTimes(5)
    clock.advance(SECOND)
    expect((await succeeds()).status).toBe(200)
    await failTimes(4)
    expect((await fails()).status).toBe(401)
    expect((await fails()).status).toBe(429)
    clock.advance(DAY)
    for (let time = 1; time <= 5; time++) expect((await fails()).status).toBe(401)
  })

  it('gets no further by asking for many at once', async () => {
    const { fails } = await office()
    const answers: number[] = []
    for (let round = 0; round < 10; round++) {
      const batch = await Promise.all([fails(), fails(), fails(), fails()])
      answers.push(...batch.map(({ status }) => status))
    }
    expect(answers.filter((status) => status === 401)).toHaveLength(5)
  })

  it('counts a household of IPv6 as one, and every spelling of the address as one', async () => {
    const { fails, login } = await office()
    for (let host = 1; host <= 5; host++) await fails(`2001:db8:0:1::${host}`)
    expect((await fails('2001:db8:0:1::77')).status).toBe(429)
    const spelled = await login(' IMOGEN@larkspur.example ', 'x', '2001:db8:0:1::78')
    expect(spelled.status).toBe(429)
    expect((await fails('2001:db8:0:2::1')).status).toBe(401)
  })

  it('does the same for an address without an account', async () => {
    const { fails } = await office()
    const nobody = { email: 'nobody@larkspur.example' }
    const statuses: number[] = []
    for (let time = 0; time < 6; time++) statuses.push((await fails(undefined, nobody)).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  })
})

describe('an attacker who wants to lock an account out', () => {
  /** 60 failures from 20 networks, where 40 a day are allowed. */
  async function attacked() {
    const world = await office({ loginAccountDaily: 40 })
    const { cookie } = await world.succeeds('198.51.100.1')
    for (let turn = 0; turn < 60; turn++) await world.fails(`203.0.113.${turn % 20}`)
    return { ...world, headers: { cookie: cookie ?? '' } }
  }

  it('does not keep out a device that signed in before', async () => {
    const { succeeds, headers } = await attacked()
    expect((await succeeds('192.0.2.77')).status).toBe(429)
    expect((await succeeds('192.0.2.77', headers)).status).toBe(200)
  })

  it('does not block a link that makes a device known', async () => {
    const { post, user, succeeds, settled, sentMail } = await attacked()
    const from = '192.0.2.77'
    expect((await post('/v1/auth/forgot-password', { email: user.email }, from)).status).toBe(204)
    await settled()
    const token = /token=([\w-]+)/.exec(sentMail[0]?.text ?? '')?.[1]
    const body = { token, password: user.password }
    const reset = await post('/v1/auth/reset-password', body, from)
    expect(reset.status).toBe(204)
    expect((await succeeds(from, { cookie: reset.cookie ?? '' })).status).toBe(200)
  })

  it('leaves nothing behind in the database, and nothing at all after a day', async () => {
    const { succeeds, clock, db } = await attacked()
    expect(JSON.stringify(await db.selectFrom('users').selectAll().execute())).not.toMatch(/lock/)
    clock.advance(DAY)
    expect((await succeeds('192.0.2.77')).status).toBe(200)
  })

  it('locks out no account but the one', async () => {
    const { other, login } = await attacked()
    expect((await login(other.email, other.password, '192.0.2.77')).status).toBe(200)
  })
})

describe('D7 the cookie of a device', () => {
  it('is a strict host cookie over https, and can be read by no script', async () => {
    const header = async (publicUrl: string) => {
      const { app, user } = await office({ publicUrl })
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: user.email, password: user.password }),
      }
      return (await app.request('/v1/auth/login', init)).headers.get('set-cookie')
    }
    expect(await header('https://articles.example')).toMatch(
      /^__Host-device-[\w-]{12}=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    expect(await header('http://localhost:3000')).toMatch(
      /^device-[\w-]{12}=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/,
    )
  })

  it('has ten failures an hour of its own, wherever it is', async () => {
    const { succeeds, fails, clock, user } = await office()
    const headers = { cookie: (await succeeds()).cookie ?? '' }
    for (let time = 1; time <= 10; time++) {
      expect((await fails(`203.0.113.${time}`, user, headers)).status).toBe(401)
    }
    expect(await succeeds('203.0.113.50', headers)).toMatchObject({ status: 429, retryAfter: 3600 })
    expect((await succeeds('203.0.113.50')).status).toBe(200)
    clock.advance(HOUR)
    expect((await succeeds('203.0.113.50', headers)).status).toBe(200)
  })

  it('grants no access on its own', async () => {
    const { app, succeeds, login, user } = await office()
    const headers = { cookie: (await succeeds()).cookie ?? '' }
    const mine = await app.request('/v1/articles/client/myArticles', { headers })
    expect(mine.status).toBe(401)
    expect((await login(user.email, 'wrong', '203.0.113.1', headers)).status).toBe(401)
  })

  it.each([
    ['forged', (cookie: string) => `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`, 0],
    ['cut short', (cookie: string) => cookie.slice(0, -5), 0],
    ['older than 180 days', (cookie: string) => cookie, 180 * DAY],
  ])('is worth nothing when it is %s', async (_, change, age) => {
    const { succeeds, failTimes, clock } = await office()
    const cookie = change((await succeeds('198.51.100.1')).cookie ?? '')
    clock.advance(age)
    await failTimes(5)
    expect((await succeeds('203.0.113.1', { cookie })).status).toBe(429)
  })

  it('is worth nothing for another account', async () => {
    const { other, succeeds, fails, login } = await office()
    const { cookie } = await login(other.email, other.password)
    for (let time = 0; time < 5; time++) await fails()
    expect((await succeeds(undefined, { cookie: cookie ?? '' })).status).toBe(429)
  })
})

describe('one network and many accounts', () => {
  it('waits after 30 failures, and for 15 minutes', async () => {
    const { fails, succeeds, clock } = await office()
    const statuses: number[] = []
    for (let turn = 0; turn < 100; turn++) {
      statuses.push((await fails(undefined, { email: `u${turn}@larkspur.example` })).status)
    }
    expect(statuses.indexOf(429)).toBe(30)
    expect((await succeeds()).retryAfter).toBe(900)
    clock.advance(15 * MINUTE)
    expect((await succeeds()).status).toBe(200)
  })

  it('never counts a success', async () => {
    const { succeeds, clock } = await office()
    for (let turn = 0; turn < 40; turn++) {
      expect((await succeeds()).status).toBe(200)
      clock.advance(SECOND)
    }
  })

  it('hashes four passwords at once and sends the rest away', async () => {
    const { login, user } = await office()
    const attempts = Array.from({ length: 20 }, () => login(user.email, user.password))
    const answers = await Promise.all(attempts)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
    const others = answers.filter(({ status }) => status !== 200)
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([503]))
    expect(others.every(({ retryAfter }) => retryAfter === 2)).toBe(true)
    expect((await login(user.email, user.password)).status).toBe(200)
  })
})

describe('ways around', () => {
  it.each([
    { 'x-forwarded-for': '198.51.100.9' },
    { 'x-real-ip': '198.51.100.9' },
    { forwarded: 'for=198.51.100.9' },
    { 'cf-connecting-ip': '198.51.100.9' },
  ])('%j from a stranger changes nothing', async (headers) => {
    const { failTimes, succeeds } = await office()
    await failTimes(5)
    expect((await succeeds(undefined, headers)).status).toBe(429)
  })

  it('a trusted proxy supplies the client address', async () => {
    const { fails, login, user } = await office({ trustedProxies: ['127.0.0.1'] })
    const from = (client: string) => ({ 'x-forwarded-for': client })
    for (let time = 0; time < 5; time++) await fails('127.0.0.1', user, from('198.51.100.1'))
    const attempt = (client: string) => login(user.email, user.password, '127.0.0.1', from(client))
    expect((await attempt('198.51.100.1')).status).toBe(429)
    expect((await attempt('198.51.100.2')).status).toBe(200)
  })

  it.each([
    ['/v1/auth/login/', 404],
    ['/V1/auth/login', 404],
    ['//v1/auth/login', 404],
    ['/v1//auth/login', 404],
    ['/v1/auth%2flogin', 404],
    ['/v1/auth/login?x=1', 429],
  ])('%s is another address or the same counter', async (path, status) => {
    const { failTimes, post, user } = await office()
    await failTimes(5)
    const body = { email: user.email, password: user.password }
    expect((await post(path, body, '203.0.113.1')).status).toBe(status)
  })
})

it('counts nothing for a body that is refused, nor for a server that is too busy', async () => {
  const { login, succeeds, deps, user } = await office()
  for (let time = 0; time < 10; time++) expect((await login('imogen', 'x')).status).toBe(400)
  const verify = deps.passwords.verify
  deps.passwords.verify = () => Promise.reject(new Error('thread died'))
  for (let time = 0; time < 40; time++) {
    expect((await login(user.email, user.password)).status).toBe(500)
  }
  deps.passwords.verify = verify
  expect((await succeeds()).status).toBe(200)
})

it('says how long to wait in plain text and in the fields of the API', async () => {
  const { app, failTimes, logLines } = await office()
  await failTimes(5)
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'imogen@larkspur.example', password: 'x' }),
  }
  const answer = await app.request('/v1/auth/login', init, { peer: '203.0.113.1' })
  expect(await answer.json()).toEqual({
    code: 429,
    message: 'Too many requests. Please try again in 1 second.',
    requestId: expect.any(String),
  })
  const line = logLines.find(({ message }) => message === 'Throttled')
  expect(JSON.stringify(line)).not.toContain('imogen')
})
