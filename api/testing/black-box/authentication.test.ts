import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { depth } from '../../../scripts/test-depth.ts'
import { TEST_PASSWORD } from '../test-app.ts'
import { type Filled, fill, type StartedServer, startServer, statusWith } from './started-server.ts'

let server: StartedServer
let all: Filled
let guest: ReturnType<StartedServer['as']>

beforeAll(async () => {
  server = await startServer({ config: { publicUrl: 'http://articles.localhost' } })
  all = await fill(server)
  guest = server.as(null)
})
afterEach(() => server.expectHealthy())
afterAll(() => server.stop())

const login = (body: unknown, headers = {}) => guest.post('/v1/auth/login', body, headers)
const register = (body: unknown) => guest.post('/v1/auth/register', body)
const forgot = (body: unknown, headers = {}) =>
  guest.post('/v1/auth/forgot-password', body, headers)
const person = (email: string, password: unknown = 'a lamp in the reeds') => ({
  name: 'Rowan Ash',
  email,
  password,
})

/** 300 is what the requirement asks for. */
const PAIRS = depth === 'long' ? 300 : 100

/**
 * Milliseconds of both calls, made in turn so that the load of the machine affects both alike; work that one leaves
 * behind after its response slows both.
 */
async function timedInTurn(...calls: (() => Promise<Response>)[]): Promise<number[][]> {
  const times = calls.map((): number[] => [])
  for (const call of calls) await (await call()).arrayBuffer()
  for (let pair = 0; pair < PAIRS; pair++) {
    const turns = [...calls.entries()]
    for (const [at, call] of pair % 2 === 0 ? turns : turns.reverse()) {
      const from = performance.now()
      await (await call()).arrayBuffer()
      times[at]?.push(performance.now() - from)
    }
  }
  return times
}

/** Samples of a busy machine differ by chance now and then; calls that can be distinguished differ every time. */
const CHANCE = { timeout: 120_000, retry: 2 }

/** How often a time of one is longer than a time of the other: half of all when the two cannot be distinguished. */
function expectAlike([left = [], right = []]: number[][]): void {
  const wins = left.flatMap((a) => right.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)))
  const area = wins.reduce<number>((sum, one) => sum + one, 0) / wins.length
  if (process.env.SHOW_FIGURES) process.stdout.write(`AUC ${area} over ${left.length} pairs\n`)
  expect(Math.max(area, 1 - area)).toBeLessThanOrEqual(PAIRS === 300 ? 0.6 : 0.62)
  expect(Math.abs(median(left) - median(right))).toBeLessThan(10)
}

describe('login', () => {
  it('gives the user and two tokens, and no secret', async () => {
    const answer = await login({ email: all.A1.email, password: TEST_PASSWORD })
    expect(answer.status).toBe(200)
    const { user, tokens } = await answer.json()
    const { name, email } = all.A1
    expect(user).toEqual({
      id: all.A1.id,
      name,
      fullName: name,
      email,
      role: 'admin',
      isEmailVerified: false,
    })
    expect(Object.keys(tokens)).toEqual(['access', 'refresh'])
    expect(JSON.stringify({ user, tokens })).not.toMatch(/password|hash|"\$2/i)
  })

  const told = async (body: object) => {
    const answer = await login(body)
    const { requestId: _, ...said } = await answer.json()
    return { status: answer.status, said, headers: [...answer.headers.keys()].sort() }
  }

  it('says the same of a wrong password and an unknown e-mail', async () => {
    const wrong = await told({ email: all.U1.email, password: 'not the one' })
    expect(wrong.status).toBe(401)
    expect(await told({ email: 'who@contun.example', password: 'not the one' })).toEqual(wrong)
  })

  it(
    `takes the same time for both: ${PAIRS} samples each, distinguished no better than by chance`,
    CHANCE,
    async () => {
      expectAlike(
        await timedInTurn(
          () => login({ email: all.U1.email, password: 'not the one' }),
          () => login({ email: 'nobody-at-all@hale.example', password: 'not the one' }),
        ),
      )
    },
  )

  it(`forgot-password takes the same time too: ${PAIRS} samples each`, CHANCE, async () => {
    // The mail is composed after the response; here, where client and server share a process, after all responses: at a
    // fixed delay it would always slow calls of the same kind.
    const later: (() => Promise<void>)[] = []
    const other = await startServer({ deps: { background: (task) => void later.push(task) } })
    const { U1 } = await fill(other)
    const ask = (email: string) => other.as(null).post('/v1/auth/forgot-password', { email })
    expectAlike(
      await timedInTurn(
        () => ask(U1.email),
        () => ask('nobody-at-all@hale.example'),
      ),
    )
    for (const task of later) await task()
    await other.stop()
  })

  it.each([{}, [], 5, true, null, undefined])('refuses %j as e-mail or password', async (value) => {
    for (const body of [
      { email: value, password: TEST_PASSWORD },
      { email: all.U1.email, password: value },
      { email: all.U1.email, password: TEST_PASSWORD, remember: value ?? true },
    ])
      expect((await login(body)).status).toBe(400)
  })

  it('knows an e-mail in any case, with blanks around it', async () => {
    const email = `  ${all.U1.email.toUpperCase()} `
    expect((await login({ email, password: TEST_PASSWORD })).status).toBe(200)
  })
})

describe('registration', () => {
  it.each([
    'otto@\u212aontun.example',
    'd\u0131an@contun.example',
    '\uff49mogen@hale.example',
    'imogen\u200b@hale.example',
    '\u0456mogen@hale.example',
    'imogen@hale.example\r\nBcc: all@hale.example',
    'imogen\u0000@hale.example',
    `${'x'.repeat(250)}@hale.example`,
    'imogen@hale@example.com',
  ])('refuses the e-mail %j, and mails nothing', async (email) => {
    const before = server.sentMail.length
    expect((await register(person(email))).status).toBe(400)
    expect((await forgot({ email })).status).toBe(400)
    await server.settled()
    expect(server.sentMail).toHaveLength(before)
  })

  it('takes a domain of other letters only as xn--, and shows it so', async () => {
    expect((await register(person('rowan@b\u00fccher.example'))).status).toBe(400)
    expect((await register(person('rowan@xn--bcher-kva.example'))).status).toBe(201)
    expect((await register(person('ROWAN@XN--BCHER-KVA.example'))).status).toBe(400)
    const users = await server.as(all.A1).get('/v1/users?limit=100')
    expect(await users.text()).toContain('rowan@xn--bcher-kva.example')
  })

  it('takes passwords of 8 to 256 characters and counts every one of them', async () => {
    const status = async (email: string, password: string) =>
      (await register(person(email, password))).status
    expect(await status('seven@ash.example', '1234567')).toBe(400)
    expect(await status('eight@ash.example', '12345678')).toBe(201)
    expect(await status('long@ash.example', 'x'.repeat(257))).toBe(400)
    const lamps = '\u{1f4a1}'.repeat(63)
    expect(await status('lamps@ash.example', `${lamps}\u{1f4a1}`)).toBe(201)
    const email = 'lamps@ash.example'
    expect((await login({ email, password: `${lamps}\u{1f56f}` })).status).toBe(401)
    expect((await login({ email, password: `${lamps}\u{1f4a1}` })).status).toBe(200)
    expect(await status('huge@ash.example', 'x'.repeat(1 << 20))).toBe(413)
  })

  it('keeps the blanks around a password', async () => {
    const email = 'blanks@ash.example'
    expect((await register(person(email, '  eight letters '))).status).toBe(201)
    expect((await login({ email, password: 'eight letters' })).status).toBe(401)
    expect((await login({ email, password: '  eight letters ' })).status).toBe(200)
  })

  it('refuses broken UTF-8 in a password instead of changing it', async () => {
    const [start, end] = [`{"email":"${all.U1.email}","password":"a river of `, '"}']
    const bytes = [Buffer.from(start), Buffer.from([0xc3, 0x28]), Buffer.from(end)]
    expect((await login(new Uint8Array(Buffer.concat(bytes)))).status).toBe(400)
  })

  it('refuses a common password and the own e-mail while the list is on', async () => {
    const strict = await startServer({ config: { passwordBlocklist: true } })
    try {
      const { post } = strict.as(null)
      for (const [at, password] of ['password123', 'rowan1@ash.example'].entries()) {
        const email = `rowan${at}@ash.example`
        expect((await post('/v1/auth/register', person(email, password))).status).toBe(400)
        expect((await register(person(email, password))).status).toBe(201)
      }
    } finally {
      await strict.stop()
    }
  })

  it('makes a client user and nothing else', async () => {
    for (const extra of [
      { role: 'admin' },
      { isEmailVerified: true },
      { id: 'x' },
      { clients: [] },
    ])
      expect((await register({ ...person('extra@ash.example'), ...extra })).status).toBe(400)
    const answer = await register(person('extra@ash.example'))
    expect([answer.status, (await answer.json()).user.role]).toEqual([201, 'user'])
  })

  it('makes one account of 20 registrations at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => register(person('twins@ash.example'))),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array<number>(19).fill(400)])
  })
})

describe('response headers', () => {
  it.each(['Bearer garbage', 'Bearer eyJhbGciOiJub25lIn0.e30.', 'Basic eDp5'])(
    'the calls of a guest ignore "Authorization: %s"',
    async (authorization) => {
      const { email } = all.U2
      const { refresh } = await server.login(all.U2)
      const refreshToken = refresh.token
      const call = async (path: string, body: object) =>
        (await guest.post(`/v1/auth/${path}`, body, { authorization })).status
      expect(await call('login', { email, password: TEST_PASSWORD })).toBe(200)
      expect(await call('refresh-tokens', { refreshToken })).toBe(200)
      expect(await call('logout', { refreshToken })).toBe(204)
      expect(await call('forgot-password', { email })).toBe(204)
      const fault = await guest.post('/v1/auth/reset-password', {
        token: 'x',
        password: '12345678',
      })
      expect((await fault.json()).message).toBe('Password reset failed')
    },
  )

  it('the link of a mail begins with the configured address, whatever a header says', async () => {
    const body = JSON.stringify({ email: all.U1.email })
    const answer = await server.raw(
      [
        'POST /v1/auth/forgot-password HTTP/1.1',
        'Host: evil.example',
        'X-Forwarded-Host: evil.example',
        'Origin: https://evil.example',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 204 /)
    await server.settled()
    const mail = server.sentMail.at(-1)
    expect(mail?.to).toBe(all.U1.email)
    expect(mail?.text).toContain('http://articles.localhost/reset-password?token=')
    expect(JSON.stringify(mail)).not.toContain('evil')
  })

  it('takes the bearer scheme in any case, and a token nowhere else', async () => {
    const { access } = await server.login(all.U1)
    expect(await statusWith(server, { authorization: `bearer ${access.token}` })).toBe(200)
    expect(await statusWith(server, { authorization: `Basic ${access.token}` })).toBe(401)
    expect(await statusWith(server, { authorization: '' })).toBe(401)
    expect(await statusWith(server, { cookie: `access_token=${access.token}` })).toBe(401)
    const query = await guest.get(`/v1/articles/client/myArticles?access_token=${access.token}`)
    expect(query.status).toBe(401)
    expect(query.headers.get('www-authenticate')).toBe('Bearer')
    const line = `Authorization: Bearer ${access.token}\r\n`
    const start = 'GET /v1/articles/client/myArticles HTTP/1.1\r\nHost: x\r\n'
    expect(await server.raw(`${start}${line}\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
    const twice = await server.raw(`${start}Authorization: Basic eDp5\r\n${line}\r\n`)
    expect(twice).toMatch(/^HTTP\/1\.1 40[01] /)
  })
})

const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
