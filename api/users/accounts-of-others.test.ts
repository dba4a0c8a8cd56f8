import { beforeEach, describe, expect, it } from 'vitest'
import { listSchema } from '../../domain/wire/fields.ts'
import { userSchema } from '../../domain/wire/users.ts'
import { runCount } from '../../scripts/test-depth.ts'
import { createTestApp, TEST_PASSWORD, type TestApp, type TestUser } from '../testing/test-app.ts'

/** Number of rounds in which two admins act at the same time. */
const ROUNDS = runCount('ADMIN_DUELS')
const UNKNOWN = '0195a000-0000-7000-8000-00000000ffff'
const mine = '/v1/articles/client/myArticles'

let app: TestApp
let admin: TestUser
let second: TestUser
let writer: TestUser

beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Ada Ferris', email: 'ada@contun.example', role: 'admin' })
  second = await app.user({ name: 'Cosmo Reyes', email: 'cosmo@contun.example', role: 'admin' })
  writer = await app.user({ name: 'Imogen Hale', email: 'imogen@fathom.example' })
})

const create = (body: unknown, person = admin) => app.as(person).post('/v1/users', body)
const change = (person: TestUser, id: string, body: unknown) =>
  app.as(person).patch(`/v1/users/${id}`, body)
const remove = (person: TestUser, id: string) => app.as(person).delete(`/v1/users/${id}`)
const list = async (query = '') => (await app.as(admin).get(`/v1/users?${query}`)).json()
const names = async (query = '') =>
  (await list(query)).results.map((user: { name: string }) => user.name)
const login = (email: string, password: string) =>
  app.as(null).post('/v1/auth/login', { email, password })
const records = async () => {
  const rows = await app.db.selectFrom('audit').selectAll().orderBy('id').execute()
  return rows.map(({ actor_id, action, subject_id, detail }) => [
    actor_id,
    action,
    subject_id,
    JSON.parse(detail),
  ])
}

describe('GET /users', () => {
  it('lists accounts without a trace of a password', { tags: ['@AP-23', '@AP-32'] }, async () => {
    const answer = await app.as(admin).get('/v1/users')
    const text = await answer.text()
    expect(text).not.toMatch(/password|hash|\$2/i)
    const body = JSON.parse(text)
    expect(listSchema(userSchema).parse(body)).toEqual(body)
    expect(body).toMatchObject({
      results: [
        { name: 'Ada Ferris' },
        { name: 'Cosmo Reyes' },
        { name: 'Imogen Hale', role: 'user' },
      ],
      page: 1,
      limit: 10,
      totalPages: 1,
      totalResults: 3,
    })
  })

  it('searches in names, and orders by every column', { tags: ['@AU-01'] }, async () => {
    await app.user({ name: '%_ O’Neil', email: 'zoe@contun.example' })
    expect(await names('name=RE')).toEqual(['Cosmo Reyes'])
    expect(await names('name=%25')).toEqual(['%_ O’Neil'])
    expect(await names('name=imogen@')).toEqual([])
    expect(await names('sortBy=name:desc&limit=2')).toEqual(['Imogen Hale', 'Cosmo Reyes'])
    expect(await names('sortBy=email:desc&limit=1')).toEqual(['%_ O’Neil'])
    expect(await names('sortBy=role:desc,name')).toEqual([
      '%_ O’Neil',
      'Imogen Hale',
      'Ada Ferris',
      'Cosmo Reyes',
    ])
  })
})

describe('POST /users', () => {
  const valid = {
    name: ' Wren Adair ',
    email: 'WREN@fathom.example',
    password: TEST_PASSWORD,
    role: 'admin',
  }

  it('makes an account that can sign in with its role', {
    tags: ['@AU-08', '@AP-24'],
  }, async () => {
    const answer = await create(valid)
    const user = await answer.json()
    expect([answer.status, user]).toEqual([
      201,
      {
        id: user.id,
        name: 'Wren Adair',
        fullName: 'Wren Adair',
        email: 'wren@fathom.example',
        role: 'admin',
        isEmailVerified: false,
      },
    ])
    expect(await (await login('wren@fathom.example', TEST_PASSWORD)).json()).toMatchObject({ user })
    expect(await records()).toEqual([[admin.id, 'user.created', user.id, { role: 'admin' }]])
  })

  it('without a role it is a client user', { tags: ['@AU-10'] }, async () => {
    const { role: _, ...rest } = valid
    expect((await (await create(rest)).json()).role).toBe('user')
  })

  it('refuses an address that has an account, also of two at once', {
    tags: ['@AP-24'],
  }, async () => {
    const taken = await create({ ...valid, email: ' IMOGEN@fathom.example' })
    expect([taken.status, (await taken.json()).message]).toEqual([400, 'Email already taken'])
    const both = await Promise.all([create(valid), create(valid)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400])
  })

  it.each([
    ['an unknown role', { role: 'superadmin' }],
    ['a role in capitals', { role: 'ADMIN' }],
    ['roles', { role: ['admin'] }],
    ['an empty role', { role: '' }],
    ['a short password', { password: '1234567' }],
    ['no password', { password: undefined }],
    ['an address that is none', { email: 'wren' }],
    ['an address of other letters', { email: 'wrеn@fathom.example' }],
    ['no name', { name: undefined }],
    ['a control character in the name', { name: 'a\nb' }],
    ['a proof', { isEmailVerified: true }],
    ['an id', { id: UNKNOWN }],
  ])('refuses %s, and creates no user', async (_, fault) => {
    expect((await create({ ...valid, ...fault })).status).toBe(400)
    expect((await list()).totalResults).toBe(3)
    expect(await records()).toEqual([])
  })

  it('refuses a common password where they are refused', async () => {
    const strict = await createTestApp({
      db: app.db,
      deps: { newId: () => UNKNOWN },
      config: { passwordBlocklist: true },
    })
    const body = { ...valid, password: 'password1' }
    expect((await strict.as(admin).post('/v1/users', body)).status).toBe(400)
  })
})

describe('PATCH /users/{id}', () => {
  it('a new address voids reset links and its proof', async () => {
    await app.as(null).post('/v1/auth/forgot-password', { email: writer.email })
    await app.settled()
    await app.db.updateTable('users').set({ is_email_verified: 1 }).execute()
    const answer = await change(admin, writer.id, { email: 'new@fathom.example' })
    expect(await answer.json()).toMatchObject({ isEmailVerified: false })
    const token = /token=([\w-]+)/.exec(JSON.stringify(app.sentMail))?.[1]
    const reset = await app
      .as(null)
      .post('/v1/auth/reset-password', { token, password: 'another river' })
    expect(reset.status).toBe(401)
  })

  it('is on record by the names of what changed, never by a password', async () => {
    await change(admin, writer.id, { name: 'Imogen H.', email: writer.email, role: 'admin' })
    await change(admin, writer.id, { password: 'another river of ink' })
    await change(admin, writer.id, { name: 'Imogen H.' })
    await change(writer, writer.id, { password: 'a third river of ink' })
    await app.signIn(writer)
    await change(writer, writer.id, { password: 'a third river of ink' })
    const { id } = writer
    expect(await records()).toEqual([
      [
        admin.id,
        'user.changed',
        id,
        { changed: ['name', 'role'], formerName: 'Imogen Hale', role: 'admin' },
      ],
      [admin.id, 'user.changed', id, { changed: ['password'] }],
      [id, 'user.changed', id, { changed: ['password'] }],
      [id, 'user.changed', id, { changed: ['password'] }],
    ])
    expect(JSON.stringify(await app.db.selectFrom('audit').selectAll().execute())).not.toMatch(
      /river|\$2/,
    )
  })

  it('a promotion and a demotion act with the next sign-in', {
    tags: ['@AU-22', '@PE-14'],
  }, async () => {
    await app.signIn(writer)
    await change(admin, writer.id, { role: 'admin' })
    expect((await app.as(writer).get('/v1/users')).status).toBe(403)
    await app.signIn({ ...writer, role: 'admin' })
    expect((await app.as(writer).get('/v1/users')).status).toBe(200)
    await change(admin, writer.id, { role: 'user' })
    expect((await app.as(writer).get('/v1/users')).status).toBe(200)
    expect((await create({}, writer)).status).toBe(403)
    await app.signIn(writer)
    expect((await app.as(writer).get('/v1/users')).status).toBe(403)
  })
})

describe('DELETE /users/{id}', () => {
  it('cuts access at once, and takes memberships and links along', {
    tags: ['@AU-21', '@AP-27', '@PE-15', '@Q57'],
  }, async () => {
    const client = await app.client({ users: [writer, second] })
    const { id } = await app.article({ client })
    const tokens = await app.signIn(writer)
    await app.as(null).post('/v1/auth/forgot-password', { email: writer.email })
    await app.settled()
    const content = [{ type: 'paragraph', content: [{ type: 'text', text: 'It stays.' }] }]
    const text = { type: 'doc', content }
    await app.as(writer).patch(`/v1/articles/${id}`, { articleText: text })
    expect((await remove(admin, writer.id)).status).toBe(204)
    expect((await app.as(writer).get(mine)).status).toBe(401)
    const refreshToken = tokens.refresh.token
    expect((await app.as(null).post('/v1/auth/refresh-tokens', { refreshToken })).status).toBe(401)
    expect((await login(writer.email, TEST_PASSWORD)).status).toBe(401)
    for (const table of ['sessions', 'reset_tokens', 'client_users'] as const) {
      const rows = await app.db
        .selectFrom(table)
        .selectAll()
        .where('user_id', '=', writer.id)
        .execute()
      expect(rows).toEqual([])
    }
    const { clientId, articleText } = await (await app.as(admin).get(`/v1/articles/${id}`)).json()
    expect([clientId.users, articleText]).toEqual([[second.id], text])
    expect((await remove(admin, writer.id)).status).toBe(404)
    expect(await records()).toEqual([[admin.id, 'user.deleted', writer.id, { role: 'user' }]])
  })

  it('an article says so when a user of its client is gone', async () => {
    const client = await app.client({ users: [writer, second] })
    const { id } = await app.article({ client })
    const ask = () => app.as(second).get(`/v1/articles/${id}`, { 'if-none-match': '"v1.t1"' })
    expect((await ask()).status).toBe(304)
    await remove(admin, writer.id)
    expect((await (await ask()).json()).clientId.users).toEqual([second.id])
  })

  it('the address may be reused, by a new user without any right', async () => {
    const client = await app.client({ users: [writer] })
    await remove(admin, writer.id)
    const { email } = writer
    const person = { name: 'Somebody', email, password: TEST_PASSWORD }
    expect((await app.as(null).post('/v1/auth/register', person)).status).toBe(201)
    const found = await (await app.as(admin).get(`/v1/clients?name=${client.name}`)).json()
    expect(found.results[0].users).toEqual([])
  })

  it('an admin may delete their own account, the last admin may not', {
    tags: ['@Q59'],
  }, async () => {
    expect((await remove(second, second.id)).status).toBe(204)
    const refused = await remove(admin, admin.id)
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { reason: 'last_admin', message: 'The last admin cannot be deleted' },
    ])
    expect((await app.as(admin).get('/v1/users')).status).toBe(200)
  })

  it('a user cannot delete their own account', { tags: ['@Q59'] }, async () => {
    expect((await remove(writer, writer.id)).status).toBe(403)
    expect((await app.as(writer).get(mine)).status).toBe(200)
  })

  it.each([UNKNOWN, 'x', 'a%2Fb'])('returns 404 for %s', { tags: ['@AP-27'] }, async (id) => {
    const answer = await remove(admin, id)
    expect([answer.status, (await answer.json()).message]).toEqual([404, 'User not found'])
  })
})

describe('DELETE /users/{id}/sessions', () => {
  it('signs out everywhere at once', { tags: ['@Q58'] }, async () => {
    await app.signIn(second)
    expect((await app.as(second).get(mine)).status).toBe(200)
    expect((await app.as(admin).delete(`/v1/users/${second.id}/sessions`)).status).toBe(204)
    expect((await app.as(second).get(mine)).status).toBe(401)
    expect((await app.as(admin).get(mine)).status).toBe(200)
    expect(await records()).toEqual([[admin.id, 'user.signed-out', second.id, {}]])
  })
})

describe('POST /users/{id}/invitation', () => {
  const invite = (id: string) => app.as(admin).post(`/v1/users/${id}/invitation`, {})

  it('is mailed and recorded, and no session ends', async () => {
    expect((await invite(second.id)).status).toBe(204)
    await app.settled()
    expect(app.sentMail.map(({ to }) => to)).toEqual([second.email])
    expect(await records()).toEqual([[admin.id, 'user.invited', second.id, {}]])
    expect((await app.as(second).get(mine)).status).toBe(200)
  })

  it('is sent five times an hour to one account', async () => {
    app = await createTestApp({ config: { rateLimits: true } })
    admin = await app.user({ role: 'admin' })
    const [one, other] = [await app.user(), await app.user()]
    const statuses = []
    for (let count = 0; count < 6; count += 1) statuses.push((await invite(one.id)).status)
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429])
    expect((await invite(other.id)).status).toBe(204)
  })

  it('is refused for an account that is not there', async () => {
    const answer = await invite(UNKNOWN)
    expect([answer.status, (await answer.json()).message]).toEqual([404, 'User not found'])
  })
})

describe('two admins against each other', () => {
  const demote = (from: TestUser, to: TestUser) => change(from, to.id, { role: 'user' })
  const stepDown = (from: TestUser) => change(from, from.id, { role: 'user' })
  const duels: [string, (a: TestUser, b: TestUser) => Promise<Response>[]][] = [
    ['demote each other', (a, b) => [demote(a, b), demote(b, a)]],
    ['delete each other', (a, b) => [remove(a, b.id), remove(b, a.id)]],
    ['demote and delete each other', (a, b) => [demote(a, b), remove(b, a.id)]],
    ['both step down', (a, b) => [stepDown(a), stepDown(b)]],
  ]

  it.each(duels)('leave one when they %s, again and again', async (_, fight) => {
    const outcomes = new Set<string>()
    await app.db.updateTable('users').set({ role: 'user' }).execute()
    for (let round = 0; round < ROUNDS; round++) {
      const a = await app.user({ role: 'admin' })
      const b = await app.user({ role: 'admin' })
      await Promise.all([app.signIn(a), app.signIn(b)])
      const answers = await Promise.all(fight(a, b))
      const admins = await app.db
        .selectFrom('users')
        .select('id')
        .where('role', '=', 'admin')
        .execute()
      expect(admins).toHaveLength(1)
      outcomes.add(answers.map(({ status }) => status).join())
      await app.db.updateTable('users').set({ role: 'user' }).execute()
    }
    // One wins; the other has the role no more, is gone, or is the last one.
    for (const outcome of outcomes)
      expect(outcome).toMatch(/^20[04],4(01|03|09)$|^4(01|03|09),20[04]$/)
  })

  it('an admin who is demoted during a request changes nothing with it', {
    tags: ['@Q58'],
  }, async () => {
    const { access } = await app.signIn(second)
    const passwords = {
      ...app.deps.passwords,
      hash: async (password: string) => {
        await change(admin, second.id, { role: 'user' })
        return app.deps.passwords.hash(password)
      },
    }
    const newId = () => UNKNOWN
    const slow = await createTestApp({ db: app.db, deps: { newId } })
    Object.assign(slow.deps, { passwords })
    const headers = { authorization: `Bearer ${access.token}` }
    const body = { password: 'another river of ink' }
    const changed = await slow.as(null).patch(`/v1/users/${writer.id}`, body, headers)
    await change(admin, second.id, { role: 'admin' })
    const person = { ...body, name: 'x', email: 'x@y.example' }
    const made = await slow.as(null).post('/v1/users', person, headers)
    expect([changed.status, made.status]).toEqual([403, 403])
    expect((await login(writer.email, TEST_PASSWORD)).status).toBe(200)
  })
})
