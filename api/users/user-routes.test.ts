import { describe, expect, it } from 'vitest'
import { createTestApp, TEST_PASSWORD, type TestApp, type TestUser } from '../testing/test-app.ts'

const NEW_PASSWORD = 'another river of ink'
const mine = '/v1/articles/client/myArticles'

const change = (app: TestApp, viewer: TestUser | null, id: string, body: unknown) =>
  app.as(viewer).patch(`/v1/users/${id}`, body)

const login = async (app: TestApp, email: string, password: string) =>
  (await app.as(null).post('/v1/auth/login', { email, password })).status

describe('PATCH /users/{self} with a password', () => {
  it('changes it, keeps this session and ends the others', {
    tags: ['@AP-26', '@Q28'],
  }, async () => {
    const app = await createTestApp()
    const user = await app.user({ name: 'Imogen Hale' })
    const other = await app.signIn(user)
    await app.signIn(user)
    const response = await change(app, user, user.id, { password: NEW_PASSWORD })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      id: user.id,
      name: 'Imogen Hale',
      fullName: 'Imogen Hale',
      email: user.email,
      role: 'user',
      isEmailVerified: false,
    })
    expect((await app.as(user).get(mine)).status).toBe(200)
    const headers = { authorization: `Bearer ${other.access.token}` }
    expect((await app.app.request(mine, { headers })).status).toBe(401)
    expect(await login(app, user.email, TEST_PASSWORD)).toBe(401)
    expect(await login(app, user.email, NEW_PASSWORD)).toBe(200)
  })

  it('accepts ten an hour of one user, who is notified of each by mail', async () => {
    const app = await createTestApp({ config: { rateLimits: true } })
    const user = await app.user()
    const statuses: number[] = []
    for (let turn = 0; turn < 11; turn += 1) {
      const password = `${NEW_PASSWORD} ${turn}`
      statuses.push((await change(app, user, user.id, { password })).status)
    }
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429])
    await app.settled()
    expect(app.sentMail).toHaveLength(10)
  })

  it('notifies the address of the change', async () => {
    const app = await createTestApp()
    const user = await app.user()
    await change(app, user, user.id, { password: NEW_PASSWORD })
    await app.settled()
    expect(app.sentMail.map((mail) => mail.to)).toEqual([user.email])
  })

  it.each([
    ['7 characters', { password: '1234567' }, 400],
    ['a number', { password: 12345678 }, 400],
    ['nothing', {}, 400],
    ['the role too', { password: NEW_PASSWORD, role: 'admin' }, 403],
    ['a name', { name: 'Somebody Else' }, 403],
    ['an address', { email: 'else@contun.example' }, 403],
    ['an unknown key', { password: NEW_PASSWORD, clients: [] }, 400],
  ])(
    'refuses a client user who sends %s, and changes nothing',
    { tags: ['@Q28'] },
    async (_, body, status) => {
      const app = await createTestApp()
      const user = await app.user()
      expect((await change(app, user, user.id, body)).status).toBe(status)
      expect(await login(app, user.email, TEST_PASSWORD)).toBe(200)
      const row = await app.db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
      expect([row.role, row.name, row.email]).toEqual(['user', user.name, user.email])
    },
  )

  it('refuses when the account was deleted while the request came in', async () => {
    const app = await createTestApp()
    const user = await app.user()
    const { access } = await app.signIn(user)
    const hash = (password: string) => app.deps.passwords.hash(password)
    let isAsked = false
    const passwords = {
      ...app.deps.passwords,
      hash: async (password: string) => {
        if (isAsked) await app.db.deleteFrom('users').where('id', '=', user.id).execute()
        return hash(password)
      },
    }
    const slow = await createTestApp({ db: app.db, deps: { passwords } })
    isAsked = true
    const headers = { authorization: `Bearer ${access.token}` }
    const body = { password: NEW_PASSWORD }
    const response = await slow.as(null).patch(`/v1/users/${user.id}`, body, headers)
    expect(response.status).toBe(401)
  })
})

describe('PATCH /users/{other}', () => {
  async function office() {
    const app = await createTestApp()
    const admin = await app.user({ role: 'admin', name: 'Admin One' })
    return { app, admin, user: await app.user() }
  }

  it('needs a token, and the right', { tags: ['@AP-34'] }, async () => {
    const { app, admin, user } = await office()
    expect((await change(app, null, user.id, { name: 'x' })).status).toBe(401)
    const refused = await change(app, user, admin.id, { name: 'x' })
    expect([refused.status, await refused.json()]).toMatchObject([403, { message: 'Forbidden' }])
    expect((await change(app, user, 'not-an-id', 'not even JSON')).status).toBe(403)
  })

  it('lets an admin change name, address and role', { tags: ['@AP-25'] }, async () => {
    const { app, admin, user } = await office()
    const body = { name: ' Wren Adair ', email: 'WREN@fathom.example', role: 'admin' }
    const response = await change(app, admin, user.id, body)
    expect([response.status, await response.json()]).toMatchObject([
      200,
      {
        id: user.id,
        name: 'Wren Adair',
        fullName: 'Wren Adair',
        email: 'wren@fathom.example',
        role: 'admin',
      },
    ])
  })

  it('returns 404 for an unknown user and 400 for an address that is taken', {
    tags: ['@AP-25'],
  }, async () => {
    const { app, admin, user } = await office()
    for (const id of ['0195a000-0000-7000-8000-ffffffffffff', 'not-an-id', 'a%2Fb', '1']) {
      const response = await change(app, admin, id, { name: 'x' })
      expect([response.status, await response.json()]).toMatchObject([
        404,
        { message: 'User not found' },
      ])
    }
    const taken = await change(app, admin, user.id, { email: admin.email })
    expect([taken.status, await taken.json()]).toMatchObject([
      400,
      { message: 'Email already taken' },
    ])
    expect((await change(app, admin, user.id, { email: user.email })).status).toBe(200)
  })

  it.each(['superadmin', 'ADMIN', ['admin'], null])('knows two roles, not %j', async (role) => {
    const { app, admin, user } = await office()
    expect((await change(app, admin, user.id, { role })).status).toBe(400)
  })

  it('ends every session of the other when an admin sets the password', async () => {
    const { app, admin, user } = await office()
    await app.signIn(user)
    expect((await change(app, admin, user.id, { password: NEW_PASSWORD })).status).toBe(200)
    expect((await app.as(user).get(mine)).status).toBe(401)
    expect(await login(app, user.email, NEW_PASSWORD)).toBe(200)
  })

  it('a new address is unconfirmed, and the old one is notified', async () => {
    const { app, admin, user } = await office()
    await app.db.updateTable('users').set({ is_email_verified: 1 }).execute()
    const response = await change(app, admin, user.id, { email: 'new@fathom.example' })
    expect(await response.json()).toMatchObject({ isEmailVerified: false })
    await app.settled()
    expect(app.sentMail.map((mail) => mail.to)).toEqual([user.email])
  })

  it('gives an admin who was demoted since the login nothing but the own password', {
    tags: ['@Q58'],
  }, async () => {
    const { app, admin, user } = await office()
    await app.signIn(admin)
    await app.db.updateTable('users').set({ role: 'user' }).where('id', '=', admin.id).execute()
    const statusOf = async (id: string, body: object) => (await change(app, admin, id, body)).status
    expect(await statusOf(admin.id, { role: 'admin' })).toBe(403)
    expect(await statusOf(user.id, { name: 'x' })).toBe(403)
    expect(await statusOf(user.id, { password: NEW_PASSWORD })).toBe(403)
    expect(await statusOf(admin.id, { password: NEW_PASSWORD })).toBe(200)
  })

  it('keeps the last admin, also when two demote each other at once', {
    tags: ['@AU-23', '@Q59'],
  }, async () => {
    const { app, admin } = await office()
    const alone = await change(app, admin, admin.id, { role: 'user' })
    expect([alone.status, await alone.json()]).toMatchObject([409, { reason: 'last_admin' }])
    const second = await app.user({ role: 'admin' })
    const statuses = await Promise.all([
      change(app, admin, second.id, { role: 'user' }),
      change(app, second, admin.id, { role: 'user' }),
    ])
    expect(statuses.map((response) => response.status).sort()).not.toEqual([200, 200])
    const admins = await app.db
      .selectFrom('users')
      .selectAll()
      .where('role', '=', 'admin')
      .execute()
    expect(admins).toHaveLength(1)
  })
})
