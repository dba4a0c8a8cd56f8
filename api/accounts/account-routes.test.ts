import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { logoutTokenOf } from '../../domain/access/logout-token.ts'
import type { Tokens } from '../../domain/wire/users.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../testing/test-app.ts'
import { slowHash } from './passwords.ts'

const send = (app: TestApp, path: string, body: unknown, headers = {}) =>
  app.as(null).post(`/v1/auth/${path}`, body, headers)

async function answer(response: Response | Promise<Response>) {
  const { status, headers } = await response
  const text = await (await response).text()
  return { status, headers, body: text === '' ? null : JSON.parse(text) }
}

describe('POST /auth/login', () => {
  it('returns the user and the tokens, and nothing secret', {
    tags: ['@AP-03', '@AP-32'],
  }, async () => {
    const app = await createTestApp()
    const user = await app.user({ name: 'Imogen Hale', email: 'imogen@larkspur.example' })
    const { status, body } = await answer(
      send(app, 'login', { email: user.email, password: TEST_PASSWORD }),
    )
    expect(status).toBe(200)
    expect(body.user).toEqual({
      id: user.id,
      name: 'Imogen Hale',
      fullName: 'Imogen Hale',
      email: 'imogen@larkspur.example',
      role: 'user',
      isEmailVerified: false,
    })
    expect(Object.keys(body.tokens)).toEqual(['access', 'refresh'])
    expect(body.tokens.access.expires).toBe('2026-03-02T09:30:00.000Z')
    expect(body.tokens.refresh.expires).toBe('2026-04-01T09:00:00.000Z')
    expect(JSON.stringify(body)).not.toMatch(/hash|\$2/)
  })

  it('refuses a wrong password and an unknown address alike', { tags: ['@AP-03'] }, async () => {
    const app = await createTestApp()
    const user = await app.user()
    const wrong = await answer(send(app, 'login', { email: user.email, password: 'not this one' }))
    const unknown = await answer(
      send(app, 'login', { email: 'nobody@contun.example', password: TEST_PASSWORD }),
    )
    for (const { status, body, headers } of [wrong, unknown]) {
      expect([status, body.code, body.message]).toEqual([401, 401, 'Incorrect email or password'])
      expect([...headers.keys()]).toEqual([...wrong.headers.keys()])
    }
  })

  it('finds the account by its address in any case and with blanks around it', async () => {
    const app = await createTestApp()
    await app.user({ email: 'user@example.com' })
    const { status } = await answer(
      send(app, 'login', { email: '  User@EXAMPLE.com ', password: TEST_PASSWORD }),
    )
    expect(status).toBe(200)
  })

  it('takes a password as it is: blanks count, and so does every character', {
    tags: ['@Q19'],
  }, async () => {
    const app = await createTestApp()
    const stars = '🌠'.repeat(63)
    const spaced = await app.user({ password: '  a quiet harbour  ' })
    const long = await app.user({ password: `${stars}🌠` })
    const login = async (email: string, password: string) =>
      (await send(app, 'login', { email, password })).status
    expect(await login(spaced.email, 'a quiet harbour')).toBe(401)
    expect(await login(spaced.email, '  a quiet harbour  ')).toBe(200)
    expect(await login(long.email, `${stars}🌟`)).toBe(401)
    expect(await login(long.email, `${stars}🌠`)).toBe(200)
  })

  it.each([
    ['no password', { email: 'a@b.example' }, '"password" is required'],
    ['an empty password', { email: 'a@b.example', password: '' }, '"password" is required'],
    ['an array as address', { email: ['a@b.example'], password: 'x' }, '"email" must be a string'],
    ['a number', { email: 'a@b.example', password: 12345678 }, '"password" must be a string'],
    ['null', { email: null, password: 'x' }, '"email" must be a string'],
    ['another key', { email: 'a@b.example', password: 'x', next: '/' }, '"next" is not allowed'],
    ['no address at all', { email: 'imogen', password: 'x' }, '"email" must be a valid email'],
  ])('refuses %s with 400', { tags: ['@AP-36'] }, async (_, body, message) => {
    const app = await createTestApp()
    const refused = await answer(send(app, 'login', body))
    expect([refused.status, refused.body.message]).toEqual([400, message])
  })

  it('joins several faults by a comma and a space', { tags: ['@AP-36'] }, async () => {
    const app = await createTestApp()
    const { body } = await answer(send(app, 'login', { email: 5, extra: 1 }))
    expect(body.message).toBe(
      '"email" must be a string, "password" is required, "extra" is not allowed',
    )
  })

  it('keeps the newest 20 sessions of a user', async () => {
    const app = await createTestApp()
    const user = await app.user()
    const sessions: Tokens[] = []
    for (let count = 0; count < 21; count++) sessions.push(await app.signIn(user))
    const refresh = async (index: number) =>
      (await send(app, 'refresh-tokens', { refreshToken: sessions[index]?.refresh.token })).status
    expect(await refresh(0)).toBe(401)
    expect(await refresh(1)).toBe(200)
    expect(await refresh(20)).toBe(200)
  })

  it('refuses when the password was changed while the old one was compared', async () => {
    const app = await createTestApp()
    const user = await app.user()
    const passwords = {
      ...app.deps.passwords,
      verify: async (password: string, stored: string | null) => {
        const password_hash = await app.deps.passwords.hash('changed meanwhile')
        await app.db.updateTable('users').set({ password_hash }).execute()
        return app.deps.passwords.verify(password, stored)
      },
    }
    const slow = await createTestApp({ db: app.db, deps: { passwords } })
    const body = { email: user.email, password: TEST_PASSWORD }
    expect((await send(slow, 'login', body)).status).toBe(401)
    expect(await app.db.selectFrom('sessions').selectAll().execute()).toEqual([])
  })

  it('hashes again with more work when more is asked for', async () => {
    const app = await createTestApp()
    const user = await app.user()
    const costly = await createTestApp({ db: app.db, config: { passwordCost: 5 } })
    const stored = () =>
      app.db
        .selectFrom('users')
        .select('password_hash')
        .where('id', '=', user.id)
        .executeTakeFirst()
    expect((await stored())?.password_hash).toContain('$04$')
    await send(costly, 'login', { email: user.email, password: TEST_PASSWORD })
    expect((await stored())?.password_hash).toContain('$05$')
    const again = await send(costly, 'login', { email: user.email, password: TEST_PASSWORD })
    expect(again.status).toBe(200)
  })
})

describe('a password in two spellings', { tags: ['@Q19'] }, () => {
  const COMPOSED = 'caf\u00e9 \u00e0 paris'
  const DECOMPOSED = COMPOSED.normalize('NFD')
  const login = async (app: TestApp, email: string, password: string) =>
    (await send(app, 'login', { email, password })).status

  it.each([
    [COMPOSED, DECOMPOSED],
    [DECOMPOSED, COMPOSED],
  ])('is one password after it was registered as %j', async (set, typed) => {
    const app = await createTestApp()
    const email = 'rowan@fathom.example'
    const person = { name: 'Rowan Pike', email, password: set }
    expect((await send(app, 'register', person)).status).toBe(201)
    expect([await login(app, email, set), await login(app, email, typed)]).toEqual([200, 200])
  })

  it('logs in with a hash of the text as typed, and hashes it again', async () => {
    const app = await createTestApp()
    const user = await app.user()
    const digest = createHmac('sha384', app.deps.keys.pepper).update(DECOMPOSED).digest('base64url')
    const password_hash = `hs384:${await slowHash.hash(digest, 4)}`
    await app.db.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute()
    expect(await login(app, user.email, COMPOSED)).toBe(401)
    expect(await login(app, user.email, DECOMPOSED)).toBe(200)
    expect(await login(app, user.email, COMPOSED)).toBe(200)
  })

  it('is as long as it looks', async () => {
    const app = await createTestApp()
    const register = async (password: string) =>
      (await send(app, 'register', { name: 'A', email: `a${password.length}@b.example`, password }))
        .status
    expect(await register('e\u0301'.repeat(7))).toBe(400)
    expect(await register('e\u0301'.repeat(8))).toBe(201)
    expect(await register('e\u0301'.repeat(256))).toBe(201)
    expect(await register('e\u0301'.repeat(257))).toBe(400)
    expect(await login(app, 'a512@b.example', '\u00e9'.repeat(256))).toBe(200)
    expect(await login(app, 'a512@b.example', 'e\u0301'.repeat(256))).toBe(200)
  })

  it('is refused in every spelling where it is common or the name of the account', async () => {
    const app = await createTestApp({ config: { passwordBlocklist: true } })
    const person = { name: 'Zo\u00eb Ha\u0308lewood', email: 'zoe@fathom.example' }
    for (const password of [
      'zoe\u0308h\u00e4lewood',
      'zo\u00ebha\u0308lewood',
      'pa\u0301ssword1',
    ]) {
      expect((await send(app, 'register', { ...person, password })).status).toBe(400)
    }
  })
})

describe('POST /auth/register', () => {
  const person = { name: 'Rowan Pike', email: 'rowan@fathom.example', password: 'eight or more' }

  it('makes a client user who is signed in at once', { tags: ['@AP-05'] }, async () => {
    const app = await createTestApp()
    const { status, body } = await answer(send(app, 'register', person))
    expect(status).toBe(201)
    expect(body.user).toMatchObject({ name: 'Rowan Pike', role: 'user', isEmailVerified: false })
    const headers = { authorization: `Bearer ${body.tokens.access.token}` }
    const mine = await app.app.request('/v1/articles/client/myArticles', { headers })
    expect(mine.status).toBe(200)
  })

  it('refuses an address that is taken, however it is written', { tags: ['@AP-05'] }, async () => {
    const app = await createTestApp()
    await send(app, 'register', person)
    const again = await answer(send(app, 'register', { ...person, email: 'ROWAN@fathom.example' }))
    expect([again.status, again.body.message]).toEqual([400, 'Email already taken'])
  })

  it('lets one of twenty at once have the address', async () => {
    const app = await createTestApp()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(app, 'register', person)),
    )
    const statuses = answers.map((response) => response.status).sort()
    expect(statuses).toEqual([201, ...Array(19).fill(400)])
  })

  it.each([
    ['role', 'admin'],
    ['isEmailVerified', true],
    ['id', '1'],
    ['clients', []],
  ])('ignores what the request claims about %s', { tags: ['@RE-12'] }, async (key, value) => {
    const app = await createTestApp()
    const { status } = await send(app, 'register', { ...person, [key]: value })
    expect(status).toBe(400)
  })

  it.each([
    ['a password of 7', { password: '1234567' }, 400],
    ['a password of 8', { password: '12345678' }, 201],
    ['a password of 256', { password: 'x'.repeat(256) }, 201],
    ['a password of 257', { password: 'x'.repeat(257) }, 400],
    ['a blank name', { name: '   ' }, 400],
    ['a name of 201', { name: 'n'.repeat(201) }, 400],
    ['a name of two lines', { name: 'Rowan\r\nPike' }, 400],
    ['a name with markup', { name: '<img onerror=alert(1)>' }, 201],
    ['the Kelvin sign for k', { email: 'rowan@\u212Aelp.example' }, 400],
    ['a dotless i', { email: 'row\u0131n@fathom.example' }, 400],
    ['fullwidth letters', { email: '\uff52owan@fathom.example' }, 400],
    ['a zero-width blank', { email: 'row\u200ban@fathom.example' }, 400],
    ['two @', { email: 'a@b@fathom.example' }, 400],
    ['an address of 255', { email: `${'r'.repeat(240)}@fathom.example` }, 400],
  ])('judges %s', { tags: ['@RE-11', '@VA-07'] }, async (_, change, status) => {
    const app = await createTestApp()
    expect((await send(app, 'register', { ...person, ...change })).status).toBe(status)
  })

  it('refuses common passwords when the list is on', { tags: ['@Q19'] }, async () => {
    const app = await createTestApp({ config: { passwordBlocklist: true } })
    const attempt = async (password: string) =>
      (await send(app, 'register', { ...person, password })).status
    expect(await attempt('Passw0rd!!')).toBe(400)
    expect(await attempt('rowan@fathom.example')).toBe(400)
    expect(await attempt('eight or more')).toBe(201)
  })
})

it('refuses a password made of public facts about the account, wherever a password is set', {
  tags: ['@Q19'],
}, async () => {
  const app = await createTestApp({ config: { passwordBlocklist: true } })
  const user = await app.user({ name: 'Rowan Pike', email: 'rowan@fathom.example' })
  const admin = await app.user({ role: 'admin' })
  await app.client({ name: 'Fathom Coffee', users: [user] })
  const patch = async (by: typeof user, password: string) =>
    (await app.as(by).patch(`/v1/users/${user.id}`, { password })).status
  for (const password of ['FathomCoffee1', 'RowanPike!', 'moonandowl', 'Contun-Articles']) {
    expect([password, await patch(user, password)]).toEqual([password, 400])
    expect([password, await patch(admin, password)]).toEqual([password, 400])
  }
  await send(app, 'forgot-password', { email: user.email })
  await app.settled()
  const token = /token=([\w-]+)/.exec(app.sentMail[0]?.text ?? '')?.[1]
  const reset = async (password: string) =>
    (await send(app, 'reset-password', { token, password })).status
  expect([await reset('fathomcoffee'), await reset('a pebble in the brook')]).toEqual([400, 204])
})

describe('POST /auth/logout', () => {
  it('ends the session of the token, and says 204 again and again', {
    tags: ['@AP-04'],
  }, async () => {
    const app = await createTestApp()
    const user = await app.user()
    const { refresh } = await app.signIn(user)
    expect((await app.as(user).get('/v1/articles/client/myArticles')).status).toBe(200)
    for (let time = 0; time < 2; time++) {
      expect((await send(app, 'logout', { refreshToken: refresh.token })).status).toBe(204)
    }
    expect((await app.as(user).get('/v1/articles/client/myArticles')).status).toBe(401)
    expect((await send(app, 'refresh-tokens', { refreshToken: refresh.token })).status).toBe(401)
  })

  it('returns 204 to an unknown token and 400 without one', { tags: ['@AP-04'] }, async () => {
    const app = await createTestApp()
    expect((await send(app, 'logout', { refreshToken: 'nothing of ours' })).status).toBe(204)
    expect((await send(app, 'logout', {})).status).toBe(400)
  })

  it('ends the session of a log-out token, which is good for nothing else', {
    tags: ['@Q84'],
  }, async () => {
    const app = await createTestApp()
    const user = await app.user()
    const { refresh } = await app.signIn(user)
    const logoutToken = logoutTokenOf(refresh.token)
    const read = (headers = {}) => app.as(user).get('/v1/articles/client/myArticles', headers)
    expect((await send(app, 'refresh-tokens', { refreshToken: logoutToken })).status).toBe(401)
    expect((await send(app, 'logout', { refreshToken: logoutToken })).status).toBe(204)
    const reset = { token: logoutToken, password: 'a pebble in the brook' }
    expect((await send(app, 'reset-password', reset)).status).toBe(401)
    expect((await read({ authorization: `Bearer ${logoutToken}` })).status).toBe(401)
    expect((await send(app, 'logout', { logoutToken: refresh.token })).status).toBe(204)
    expect((await send(app, 'logout', { logoutToken: `${logoutToken}0` })).status).toBe(204)
    const forged = logoutTokenOf(
      `${refresh.token.slice(0, -1)}${refresh.token.endsWith('A') ? 'B' : 'A'}`,
    )
    expect((await send(app, 'logout', { logoutToken: forged })).status).toBe(204)
    expect((await read()).status).toBe(200)
    expect((await send(app, 'refresh-tokens', { refreshToken: refresh.token })).status).toBe(200)
    for (let time = 0; time < 2; time++) {
      expect((await send(app, 'logout', { logoutToken })).status).toBe(204)
    }
    expect((await read()).status).toBe(401)
    expect((await send(app, 'refresh-tokens', { refreshToken: refresh.token })).status).toBe(401)
  })

  it('takes a refresh token or a log-out token, and not both', async () => {
    const app = await createTestApp()
    const both = { refreshToken: 'nothing of ours', logoutToken: 'nothing of ours' }
    expect((await send(app, 'logout', both)).status).toBe(400)
  })

  it('ends the session of the token, not of the bearer', async () => {
    const app = await createTestApp()
    const [one, other] = [await app.user(), await app.user()]
    await app.signIn(one)
    const { refresh } = await app.signIn(other)
    await app.as(one).post('/v1/auth/logout', { refreshToken: refresh.token })
    expect((await app.as(one).get('/v1/articles/client/myArticles')).status).toBe(200)
    expect((await app.as(other).get('/v1/articles/client/myArticles')).status).toBe(401)
  })
})

it('no call of a guest looks at an Authorization header', { tags: ['@Q26'] }, async () => {
  const app = await createTestApp()
  const user = await app.user()
  const { refresh } = await app.signIn(user)
  const stale = { authorization: 'Bearer something.that.died' }
  const status = async (path: string, body: unknown) => (await send(app, path, body, stale)).status
  expect(await status('login', { email: user.email, password: TEST_PASSWORD })).toBe(200)
  expect(await status('refresh-tokens', { refreshToken: refresh.token })).toBe(200)
  expect(await status('forgot-password', { email: user.email })).toBe(204)
  expect(await status('logout', { refreshToken: refresh.token })).toBe(204)
})
