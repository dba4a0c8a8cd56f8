import { describe, expect, it } from 'vitest'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../testing/test-app.ts'

const MINUTE = 60_000
const NEW_PASSWORD = 'the new one of Imogen'

const forgot = async (app: TestApp, email: string, headers = {}) => {
  const { status } = await app.as(null).post('/v1/auth/forgot-password', { email }, headers)
  await app.settled()
  return status
}

const reset = async (app: TestApp, token: string | undefined, password = NEW_PASSWORD) =>
  (await app.as(null).post('/v1/auth/reset-password', { token, password })).status

const login = async (app: TestApp, email: string, password: string) =>
  (await app.as(null).post('/v1/auth/login', { email, password })).status

const tokenIn = (app: TestApp, mail = app.sentMail.length - 1) =>
  /reset-password\?token=([\w-]+)/.exec(app.sentMail[mail]?.text ?? '')?.[1]

async function forgetful() {
  const app = await createTestApp()
  const user = await app.user({ email: 'imogen@larkspur.example' })
  await forgot(app, user.email)
  return { app, user, token: tokenIn(app) ?? '' }
}

describe('POST /auth/forgot-password', () => {
  it('returns 204 whether there is such an account or not', {
    tags: ['@AP-07', '@Q22'],
  }, async () => {
    const app = await createTestApp()
    const user = await app.user()
    expect(await forgot(app, user.email)).toBe(204)
    expect(await forgot(app, 'nobody@contun.example')).toBe(204)
    expect(app.sentMail.map((mail) => mail.to)).toEqual([user.email])
  })

  it('refuses what is no address', { tags: ['@AP-07'] }, async () => {
    const app = await createTestApp()
    expect(await forgot(app, 'imogen')).toBe(400)
    expect(await forgot(app, 'imogen@larkspur.example\r\nBcc: all@x.example')).toBe(400)
    expect(app.sentMail).toEqual([])
  })

  it('links to the configured address, whatever host the request names', async () => {
    const app = await createTestApp({ config: { publicUrl: 'https://articles.moonowl.example' } })
    const user = await app.user()
    const host = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    await forgot(app, user.email, { ...host, origin: 'https://evil.example' })
    expect(app.sentMail[0]?.text).toContain(
      'https://articles.moonowl.example/reset-password?token=',
    )
    expect(app.sentMail[0]?.text).not.toContain('evil')
  })

  it('keeps only a digest of the token', async () => {
    const { app, token } = await forgetful()
    const rows = await app.db.selectFrom('reset_tokens').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  })

  it('succeeds when the mail cannot be sent', async () => {
    const failing = { send: () => Promise.reject(new Error('no mail server')) }
    const tasks: Promise<void>[] = []
    const background = (task: () => Promise<void>) => void tasks.push(task().catch(() => {}))
    const app = await createTestApp({ deps: { mailer: failing, background } })
    const user = await app.user()
    expect(await forgot(app, user.email)).toBe(204)
    await Promise.all(tasks)
  })
})

describe('POST /auth/reset-password', () => {
  it('changes the password, proves the address and signs out every device', {
    tags: ['@AP-08', '@Q24'],
  }, async () => {
    const { app, user, token } = await forgetful()
    const { refresh } = await app.signIn(user)
    const response = await app
      .as(null)
      .post('/v1/auth/reset-password', { token, password: NEW_PASSWORD })
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect((await app.as(user).get('/v1/articles/client/myArticles')).status).toBe(401)
    const again = await app
      .as(null)
      .post('/v1/auth/refresh-tokens', { refreshToken: refresh.token })
    expect(again.status).toBe(401)
    expect(await login(app, user.email, TEST_PASSWORD)).toBe(401)
    const signedIn = await app
      .as(null)
      .post('/v1/auth/login', { email: user.email, password: NEW_PASSWORD })
    expect(await signedIn.json()).toMatchObject({ user: { isEmailVerified: true } })
  })

  it('registering and resetting are audited, without any part of a password', async () => {
    const app = await createTestApp()
    const person = { name: 'Rowan Ash', email: 'rowan@ash.example', password: TEST_PASSWORD }
    const { user } = await (await app.as(null).post('/v1/auth/register', person)).json()
    await forgot(app, person.email)
    expect(await reset(app, tokenIn(app))).toBe(204)
    expect(await reset(app, 'x'.repeat(43))).toBe(401)
    const entries = await app.db.selectFrom('audit').selectAll().orderBy('id').execute()
    const told = entries.map(({ actor_id, action, subject_id, detail }) => [
      actor_id,
      action,
      subject_id,
      detail,
    ])
    expect(told).toEqual([
      [user.id, 'user.created', user.id, '{"role":"user"}'],
      [user.id, 'user.changed', user.id, '{"changed":["password"]}'],
    ])
  })

  it('takes the token from the body first, then from the query', {
    tags: ['@AP-08', '@Q25'],
  }, async () => {
    const { app, user, token } = await forgetful()
    const post = async (query: string, body: object) =>
      (await app.as(null).post(`/v1/auth/reset-password${query}`, body)).status
    expect(await post(`?token=${token}`, { token: 'wrong', password: NEW_PASSWORD })).toBe(401)
    expect(await post(`?token=${token}&token=x`, { password: NEW_PASSWORD })).toBe(400)
    expect(await post('', { password: NEW_PASSWORD })).toBe(400)
    expect(await post(`?token=${token}`, { password: NEW_PASSWORD })).toBe(204)
    expect(await login(app, user.email, NEW_PASSWORD)).toBe(200)
  })

  it('works once, and once only for twenty at the same time', {
    tags: ['@FR-17', '@AP-08'],
  }, async () => {
    const { app, token } = await forgetful()
    const statuses = await Promise.all(Array.from({ length: 20 }, () => reset(app, token)))
    expect(statuses.sort()).toEqual([204, ...Array(19).fill(401)])
    const late = await app
      .as(null)
      .post('/v1/auth/reset-password', { token, password: NEW_PASSWORD })
    expect(await late.json()).toMatchObject({ code: 401, message: 'Password reset failed' })
  })

  it('a refusal names a used and an expired link, and gives no reason for any other token', async () => {
    const { app, user, token } = await forgetful()
    const refusal = async (token: string) => {
      const body = { token, password: NEW_PASSWORD }
      const { requestId, ...answer } = await (
        await app.as(null).post('/v1/auth/reset-password', body)
      ).json()
      return answer
    }
    const failed = { code: 401, message: 'Password reset failed' }
    expect(await reset(app, token)).toBe(204)
    expect(await refusal(token)).toEqual({ ...failed, reason: 'link_used' })
    await forgot(app, user.email)
    const second = tokenIn(app) ?? ''
    app.clock.advance(30 * MINUTE)
    expect(await refusal(second)).toEqual({ ...failed, reason: 'link_expired' })
    expect(await refusal(token)).toEqual({ ...failed, reason: 'link_used' })
    await forgot(app, user.email)
    expect(await refusal(second)).toEqual(failed)
    expect(await refusal('x'.repeat(43))).toEqual(failed)
  })

  it('a newer token voids the older one', async () => {
    const { app, user, token } = await forgetful()
    await forgot(app, user.email)
    expect(await reset(app, token)).toBe(401)
    expect(await reset(app, tokenIn(app))).toBe(204)
  })

  it('a token ends after 30 minutes', { tags: ['@FR-17', '@CN-14'] }, async () => {
    const { app, token } = await forgetful()
    app.clock.advance(30 * MINUTE)
    expect(await reset(app, token)).toBe(401)
  })

  it('a token ends with a change of the password, of the address, and with the account', async () => {
    for (const end of [
      (app: TestApp, id: string, admin: string) =>
        app
          .as({ ...someone, id: admin })
          .patch(`/v1/users/${id}`, { password: 'changed by admin' }),
      (app: TestApp, id: string, admin: string) =>
        app
          .as({ ...someone, id: admin })
          .patch(`/v1/users/${id}`, { email: 'new@larkspur.example' }),
      (app: TestApp, id: string) => app.db.deleteFrom('users').where('id', '=', id).execute(),
    ]) {
      const { app, user, token } = await forgetful()
      const admin = await app.user({ role: 'admin' })
      await end(app, user.id, admin.id)
      expect(await reset(app, token)).toBe(401)
    }
  })

  it('a refused password does not use the token up', async () => {
    const { app, user, token } = await forgetful()
    expect(await reset(app, token, 'short')).toBe(400)
    const strict = await createTestApp({ db: app.db, config: { passwordBlocklist: true } })
    expect(await reset(strict, token, 'Password123!')).toBe(400)
    expect(await reset(strict, token)).toBe(204)
    expect(await login(app, user.email, NEW_PASSWORD)).toBe(200)
  })

  it('a token is no bearer, and a bearer is no token', async () => {
    const { app, user, token } = await forgetful()
    const { access } = await app.signIn(user)
    expect(await reset(app, access.token)).toBe(401)
    const headers = { authorization: `Bearer ${token}` }
    const response = await app.app.request('/v1/articles/client/myArticles', { headers })
    expect(response.status).toBe(401)
  })
})

const someone = { name: 'Admin', email: 'a@contun.example', role: 'admin' as const, password: '' }
