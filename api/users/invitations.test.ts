import { beforeEach, describe, expect, it } from 'vitest'
import { MailRefused } from '../mail/mailer.ts'
import { createTestApp, TEST_PASSWORD, type TestApp, type TestUser } from '../testing/test-app.ts'
import { TEST_START } from '../testing/test-clock.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const NEW_PASSWORD = 'a pebble in the brook'

let app: TestApp
let admin: TestUser
let person: TestUser

async function prepare(options: Parameters<typeof createTestApp>[0] = {}) {
  app = await createTestApp(options)
  admin = await app.user({ name: 'Rowan Ashdown', email: 'rowan@contun.example', role: 'admin' })
  person = await app.user({ name: 'Marta Lind', email: 'marta@larkspur.example' })
}

beforeEach(() => prepare())

const iso = (ms: number) => new Date(ms).toISOString()

async function invite(user = person): Promise<string> {
  const { status } = await app.as(admin).post(`/v1/users/${user.id}/invitation`, {})
  expect(status).toBe(204)
  await app.settled()
  return tokenIn(app.sentMail.at(-1)?.text)
}
const tokenIn = (text = '') => /welcome\?token=([\w-]+)/.exec(text)?.[1] ?? ''
const listed = async (...users: TestUser[]) => {
  const ids = users.map(({ id }) => id).join(',')
  return (await (await app.as(admin).get(`/v1/users/invitations?ids=${ids}`)).json()).results
}
const states = async (...users: TestUser[]) =>
  (await listed(...users)).map(({ state }: { state: string }) => state)
const open = async (token: string) => {
  const answer = await app.as(null).post('/v1/auth/invitation', { token })
  const { requestId, ...body } = await answer.json()
  return [answer.status, body]
}
const choose = async (token: string) => {
  const body = { token, password: NEW_PASSWORD }
  const answer = await app.as(null).post('/v1/auth/reset-password', body)
  return [answer.status, answer.status === 204 ? undefined : (await answer.json()).reason]
}
const logIn = (password: string) =>
  app.as(null).post('/v1/auth/login', { email: person.email, password })

const failed = (reason?: string) => [
  401,
  { code: 401, message: 'Password reset failed', ...(reason && { reason }) },
]

describe('GET /users/invitations', () => {
  it('has the newest invitation of each user who was never logged in', async () => {
    const other = await app.user()
    const active = await app.user()
    await app.signIn(active)
    await invite()
    await invite(active)
    app.clock.advance(MINUTE)
    await invite()
    const sent = TEST_START + MINUTE
    expect(await listed(person, other, active)).toEqual([
      { userId: person.id, sentAt: iso(sent), until: iso(sent + 7 * DAY), state: 'sent' },
    ])
    expect(await listed(other)).toEqual([])
    expect(await listed()).toEqual([])
  })

  it('says what became of the mail', async () => {
    let outcome: 'later' | 'never' | 'taken' = 'later'
    const send = async () => {
      if (outcome === 'later') throw new Error('no mail server')
      if (outcome === 'never') throw new MailRefused(true, 'no such address')
    }
    await prepare({ deps: { mailer: { send } } })
    await invite()
    expect(await states(person)).toEqual(['queued'])
    outcome = 'never'
    await invite()
    expect(await states(person)).toEqual(['refused'])
    outcome = 'taken'
    await invite()
    expect(await states(person)).toEqual(['sent'])
    await app.as(null).post('/v1/auth/forgot-password', { email: person.email })
    await app.settled()
    expect(await states(person)).toEqual(['replaced'])
  })

  it('ends with a login, a new password and the account, and runs out with the address', async () => {
    await invite()
    await app.as(admin).patch(`/v1/users/${person.id}`, { email: 'marta@new.example' })
    app.clock.advance(MINUTE)
    const [moved] = await listed(person)
    expect(Date.parse(moved.until)).toBeLessThan(app.clock.now())
    await app.as(admin).patch(`/v1/users/${person.id}`, { email: person.email })

    await invite()
    await app.as(admin).patch(`/v1/users/${person.id}`, { password: NEW_PASSWORD })
    expect(await listed(person)).toEqual([])

    await invite()
    expect((await logIn(NEW_PASSWORD)).status).toBe(200)
    await app.as(admin).delete(`/v1/users/${person.id}/sessions`)
    expect(await listed(person)).toEqual([])

    expect(await choose(await invite())).toEqual([204, undefined])
    expect(await listed(person)).toEqual([])
    await invite()
    await app.as(admin).delete(`/v1/users/${person.id}`)
    expect(await app.db.selectFrom('invitations').selectAll().execute()).toEqual([])
  })

  it('takes the ids of one page, for admins', async () => {
    const ids = Array.from({ length: 101 }, () => person.id).join(',')
    expect((await app.as(admin).get(`/v1/users/invitations?ids=${ids}`)).status).toBe(400)
    expect((await app.as(admin).get('/v1/users/invitations?ids=x')).status).toBe(400)
    const path = `/v1/users/invitations?ids=${person.id}`
    expect((await app.as(person).get(path)).status).toBe(403)
  })
})

describe('POST /auth/invitation', () => {
  it('names the user and the sender to the holder of the link', async () => {
    const token = await invite()
    const welcome = { name: 'Marta Lind', email: person.email, until: iso(TEST_START + 7 * DAY) }
    expect(await open(token)).toEqual([200, { ...welcome, sender: 'Rowan Ashdown' }])
    await app.db.deleteFrom('users').where('id', '=', admin.id).execute()
    expect(await open(token)).toEqual([200, { ...welcome, sender: null }])
    expect(await choose(token)).toEqual([204, undefined])
    expect((await logIn(NEW_PASSWORD)).status).toBe(200)
    expect((await logIn(TEST_PASSWORD)).status).toBe(401)
  })

  it('says why a link does not work any more, and nothing of any other token', async () => {
    const replaced = await invite()
    const used = await invite()
    expect(await open(replaced)).toEqual(failed('link_replaced'))
    expect(await choose(replaced)).toEqual([401, 'link_replaced'])
    expect(await choose(used)).toEqual([204, undefined])
    expect(await open(used)).toEqual(failed('link_used'))
    expect(await open(replaced)).toEqual(failed())

    const other = await app.user()
    const expired = await invite(other)
    app.clock.advance(7 * DAY)
    expect(await open(expired)).toEqual(failed('link_expired'))
    expect(await choose(expired)).toEqual([401, 'link_expired'])
    expect(await open('x'.repeat(43))).toEqual(failed())
  })

  it('a link to reset a password is no invitation, and replaces one', async () => {
    const token = await invite()
    await app.as(null).post('/v1/auth/forgot-password', { email: person.email })
    await app.settled()
    const reset = /reset-password\?token=([\w-]+)/.exec(app.sentMail.at(-1)?.text ?? '')?.[1] ?? ''
    expect(await open(reset)).toEqual(failed())
    expect(await open(token)).toEqual(failed('link_replaced'))
    expect(await choose(reset)).toEqual([204, undefined])
  })

  it('a second invitation ends the first before its own mail is sent', async () => {
    let isUp = true
    const texts: string[] = []
    const send = async ({ text }: { text: string }) => {
      if (!isUp) throw new Error('no mail server')
      texts.push(text)
    }
    await prepare({ deps: { mailer: { send } } })
    await invite()
    isUp = false
    await invite()
    expect(await open(tokenIn(texts[0]))).toEqual(failed('link_replaced'))
  })
})

describe('limits', () => {
  beforeEach(() => prepare({ config: { rateLimits: true } }))

  it('the server sends 100 invitations an hour', async () => {
    const statuses = new Map<number, number>()
    for (let count = 0; count < 101; count += 1) {
      // The limit of changes per session is another one.
      if (count % 50 === 0) app.clock.advance(2 * MINUTE)
      const user = await app.user()
      const { status } = await app.as(admin).post(`/v1/users/${user.id}/invitation`, {})
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect([...statuses]).toEqual([
      [204, 100],
      [429, 1],
    ])
  })

  it('one network opens 60 links an hour, and refused passwords count, set ones do not', async () => {
    const token = await invite()
    for (let count = 0; count < 60; count += 1) expect((await open(token))[0]).toBe(200)
    expect((await open(token))[0]).toBe(429)
    app.clock.advance(2 * MINUTE)
    for (let count = 0; count < 12; count += 1) {
      const user = await app.user()
      expect(await choose(await invite(user))).toEqual([204, undefined])
    }
    const guess = async () => (await choose('x'.repeat(43)))[0]
    for (let count = 0; count < 10; count += 1) expect(await guess()).toBe(401)
    expect(await guess()).toBe(429)
  })
})
