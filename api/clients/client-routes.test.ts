import { beforeEach, describe, expect, it } from 'vitest'
import { clientSchema } from '../../domain/wire/clients.ts'
import { listSchema } from '../../domain/wire/fields.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

const UNKNOWN = '0195a000-0000-7000-8000-00000000ffff'

let app: TestApp
let admin: TestUser
let writer: TestUser
let other: TestUser

beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
  writer = await app.user({ name: 'Imogen Hale', email: 'imogen@fathom.example' })
  other = await app.user({ name: 'Bela Orban', email: 'bela@fathom.example' })
})

const create = (body: unknown) => app.as(admin).post('/v1/clients', body)
const change = (id: string, body: unknown) => app.as(admin).patch(`/v1/clients/${id}`, body)
const remove = (id: string) => app.as(admin).delete(`/v1/clients/${id}`)
const list = async (query = '') => (await app.as(admin).get(`/v1/clients?${query}`)).json()
const names = async (query = '') =>
  (await list(query)).results.map((client: { name: string }) => client.name)
const statusFor = async (person: TestUser, id: string) =>
  (await app.as(person).get(`/v1/articles/${id}`)).status
const mine = async (person: TestUser) =>
  (await (await app.as(person).get('/v1/articles/client/myArticles')).json()).totalResults
const records = async () => {
  const rows = await app.db.selectFrom('audit').selectAll().orderBy('id').execute()
  return rows.map(({ actor_id, action, detail }) => [actor_id, action, JSON.parse(detail)])
}
const asUser = ({ id, name, email }: TestUser) => ({ id, name, email })

describe('POST /clients', () => {
  it('makes an external client without users', { tags: ['@AC-08', '@AP-19', '@Q60'] }, async () => {
    const answer = await create({ name: '  Fathom Coffee ' })
    const client = await answer.json()
    expect([answer.status, client]).toEqual([
      201,
      { id: client.id, name: 'Fathom Coffee', moonOwlClient: false, users: [] },
    ])
    expect((await list()).results).toEqual([client])
    expect(await records()).toEqual([[admin.id, 'client.created', {}]])
  })

  it('takes a name twice, and one of 200 characters', { tags: ['@AC-22', '@Q62'] }, async () => {
    await create({ name: 'Twice' })
    expect((await create({ name: 'Twice' })).status).toBe(201)
    expect((await create({ name: '🦉'.repeat(100) })).status).toBe(201)
    expect(await names()).toEqual(['Twice', 'Twice', '🦉'.repeat(100)])
  })

  it.each([
    {},
    { name: '' },
    { name: '   ' },
    { name: 'x'.repeat(201) },
    { name: 'a\0' },
    { name: 5 },
    { name: ['x'] },
    { name: 'x', moonOwlClient: true },
    { name: 'x', users: [] },
    { name: 'x', id: UNKNOWN },
    [],
    null,
  ])('refuses %j', async (body) => {
    expect((await create(body)).status).toBe(400)
    expect((await list()).totalResults).toBe(0)
  })
})

describe('GET /clients', () => {
  it('lists clients with their users by name', { tags: ['@AP-20', '@AP-31', '@Q61'] }, async () => {
    const { id } = await app.client({ name: 'Fathom', users: [writer, other], moonOwlClient: true })
    await app.client({ name: 'Empty' })
    const body = await list()
    expect(listSchema(clientSchema).parse(body)).toEqual(body)
    expect(body.results).toEqual([
      { id, name: 'Fathom', moonOwlClient: true, users: [asUser(other), asUser(writer)] },
      expect.objectContaining({ name: 'Empty', moonOwlClient: false, users: [] }),
    ])
  })

  it('is filtered by kind, and a flip moves a client', { tags: ['@AC-14', '@AC-15'] }, async () => {
    const { id } = await app.client({ name: 'a' })
    await app.client({ name: 'b', moonOwlClient: true })
    expect([await names('moonOwlClient=false'), await names('moonOwlClient=true')]).toEqual([
      ['a'],
      ['b'],
    ])
    await change(id, { moonOwlClient: true })
    expect([await names('moonOwlClient=false'), await names('moonOwlClient=true')]).toEqual([
      [],
      ['a', 'b'],
    ])
  })

  it('searches in names, whatever the case, literally', { tags: ['@AC-05', '@Q88'] }, async () => {
    for (const name of ['Straße 7', 'STRASSE', '50% off', 'a_b', 'ab', 'c\\d']) {
      await app.client({ name })
    }
    const find = (text: string) => names(`name=${encodeURIComponent(text)}`)
    expect(await find('stra')).toEqual(['Straße 7', 'STRASSE'])
    expect(await find('%')).toEqual(['50% off'])
    expect(await find('a_b')).toEqual(['a_b'])
    expect(await find('\\')).toEqual(['c\\d'])
    expect(await find("' OR 1=1 --")).toEqual([])
  })

  it('orders names without regard to case', { tags: ['@AA-04', '@Q68'] }, async () => {
    for (const name of ['beta', 'Alpha', 'gamma', 'Delta']) await app.client({ name })
    expect(await names('sortBy=name')).toEqual(['Alpha', 'beta', 'Delta', 'gamma'])
    expect(await names('sortBy=name:desc&limit=2&page=2')).toEqual(['beta', 'Alpha'])
    expect(await names('sortBy=id:desc&limit=1')).toEqual(['Delta'])
  })
})

describe('PATCH /clients/{id}', () => {
  it('changes name, kind and users, and answers them', {
    tags: ['@AC-13', '@AP-21', '@PE-05'],
  }, async () => {
    const { id } = await app.client({ users: [writer] })
    const answer = await change(id, { name: 'Renamed', moonOwlClient: true, users: [other.id] })
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { id, name: 'Renamed', moonOwlClient: true, users: [asUser(other)] },
    ])
    const detail = {
      changed: ['name', 'moonOwlClient', 'users'],
      formerName: 'Fathom Coffee',
      added: [other.id],
      removed: [writer.id],
    }
    expect(await records()).toEqual([[admin.id, 'client.changed', detail]])
  })

  it('setting the present values is no change', async () => {
    const { id, name } = await app.client({ users: [writer] })
    const before = await app.db.selectFrom('clients').selectAll().execute()
    app.clock.advance(1_000)
    expect((await change(id, { name, moonOwlClient: false, users: [writer.id] })).status).toBe(200)
    expect(await app.db.selectFrom('clients').selectAll().execute()).toEqual(before)
    expect(await records()).toEqual([])
  })

  it('stores an id that comes twice once, and empties the list', async () => {
    const { id } = await app.client()
    const twice = await change(id, { users: [writer.id, other.id, writer.id] })
    expect((await twice.json()).users).toEqual([asUser(other), asUser(writer)])
    expect((await (await change(id, { users: [] })).json()).users).toEqual([])
  })

  it('takes 1,000 users and not one more', async () => {
    const { id } = await app.client()
    const ids: string[] = []
    for (let count = 0; count < 1_000; count++) ids.push((await app.user()).id)
    expect((await (await change(id, { users: ids })).json()).users).toHaveLength(1_000)
    const refused = await change(id, { users: [...ids, writer.id] })
    expect([refused.status, (await refused.json()).message]).toEqual([
      400,
      '"users" must have at most 1000 entries',
    ])
  })

  it.each([
    ['an unknown user', { users: [UNKNOWN] }],
    ['an id that is none', { users: ['x'] }],
    ['a number', { users: [1] }],
    ['a user as the list shows it', { users: [{ id: UNKNOWN }] }],
    ['null as users', { users: null }],
    ['text as flag', { moonOwlClient: 'true' }],
    ['an empty name', { name: ' ' }],
    ['another key', { deletedAt: null }],
    ['nothing', {}],
  ])('refuses %s, and changes nothing', { tags: ['@AP-21'] }, async (_, fault) => {
    const { id } = await app.client({ name: 'Before', users: [writer] })
    const answer = await change(
      id,
      Object.keys(fault).length > 0 ? { name: 'After', ...fault } : fault,
    )
    expect(answer.status).toBe(400)
    expect((await list()).results).toEqual([
      { id, name: 'Before', moonOwlClient: false, users: [asUser(writer)] },
    ])
  })

  it('a removed user loses the articles with the next request, an added user has them', {
    tags: ['@PE-16'],
  }, async () => {
    const client = await app.client({ users: [writer] })
    const { id } = await app.article({ client })
    await change(client.id, { users: [other.id] })
    expect([await statusFor(writer, id), await mine(writer)]).toEqual([404, 0])
    expect([await statusFor(other, id), await mine(other)]).toEqual([200, 1])
    await change(client.id, { users: [writer.id, other.id] })
    expect([await statusFor(writer, id), await mine(writer)]).toEqual([200, 1])
  })

  it('shows the users of a client to admins only', async () => {
    const client = await app.client({ users: [writer, other] })
    const { id } = await app.article({ client })
    for (const path of [`/v1/articles/${id}`, '/v1/articles/client/myArticles']) {
      const text = await (await app.as(writer).get(path)).text()
      expect(text).toContain(other.id)
      expect(text).not.toContain(other.name)
      expect(text).not.toContain(other.email)
    }
  })

  const changes: [string, () => object][] = [
    ['a new name', () => ({ name: 'Renamed' })],
    ['a new kind', () => ({ moonOwlClient: true })],
    ['a new user', () => ({ users: [writer.id, other.id] })],
    ['nobody', () => ({ users: [] })],
  ]
  it.each(changes)('an article says so when its client got %s', async (_, patch) => {
    const client = await app.client({ users: [writer] })
    const { id } = await app.article({ client })
    const ask = () => app.as(admin).get(`/v1/articles/${id}`, { 'if-none-match': '"v1.t1"' })
    expect((await ask()).status).toBe(304)
    await change(client.id, patch())
    expect((await ask()).status).toBe(200)
  })

  it('says so in the same millisecond, and when the clock was set back', async () => {
    const client = await app.client({ users: [writer] })
    app.clock.advance(60_000)
    const { id } = await app.article({ client })
    app.clock.advance(-30_000)
    const ask = () => app.as(writer).get(`/v1/articles/${id}`, { 'if-none-match': '"v1.t1"' })
    await change(client.id, { name: 'Renamed' })
    expect((await (await ask()).json()).clientId.name).toBe('Renamed')
  })
})

describe('DELETE /clients/{id}', () => {
  it('is gone from lists and homes; its users keep the articles by link', {
    tags: ['@AC-21', '@AP-22', '@Q32'],
  }, async () => {
    const client = await app.client({ users: [writer] })
    const { id } = await app.article({ client })
    const ask = () => app.as(writer).get(`/v1/articles/${id}`, { 'if-none-match': '"v1.t1"' })
    expect((await ask()).status).toBe(304)
    expect((await remove(client.id)).status).toBe(204)
    expect((await list()).totalResults).toBe(0)
    expect([await mine(writer), await statusFor(writer, id), await statusFor(other, id)]).toEqual([
      0, 200, 404,
    ])
    expect((await (await ask()).json()).clientId).toEqual({
      ...client,
      users: [writer.id],
      deleted: true,
    })
    const text = { type: 'doc', content: [{ type: 'paragraph' }] }
    const saved = await app.as(writer).patch(`/v1/articles/${id}`, { articleText: text })
    expect(saved.status).toBe(200)
    expect(await records()).toEqual([[admin.id, 'client.deleted', {}]])
  })

  it('cannot be changed any more, and takes no users', { tags: ['@AP-22'] }, async () => {
    const client = await app.client({ users: [writer] })
    await remove(client.id)
    for (const answer of [
      await remove(client.id),
      await change(client.id, { name: 'Renamed' }),
      await change(client.id, { users: [other.id] }),
      await change(client.id, 'not even JSON'),
      await remove(UNKNOWN),
      await remove('x'),
    ]) {
      expect([answer.status, await answer.json()]).toMatchObject([
        404,
        { message: 'Client not found' },
      ])
    }
    expect(await app.db.selectFrom('client_users').select('user_id').execute()).toEqual([
      { user_id: writer.id },
    ])
  })

  it('interrupts no user who is writing', async () => {
    const client = await app.client({ users: [writer] })
    const { id } = await app.article({ client })
    await app.signIn(writer)
    await app.signIn(admin)
    const save = (at: number) => {
      const content = [{ type: 'paragraph', content: [{ type: 'text', text: `Text ${at}` }] }]
      return app.as(writer).patch(`/v1/articles/${id}`, { articleText: { type: 'doc', content } })
    }
    const saves = Array.from({ length: 200 }, (_, at) =>
      at === 100 ? [remove(client.id)] : [save(at)],
    )
    const statuses = (await Promise.all(saves.flat())).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200)).toEqual([204])
  })
})

describe('a former admin', () => {
  it('still works here until the next sign-in, and it is on record', {
    tags: ['@Q58'],
  }, async () => {
    const { id } = await app.client()
    await app.signIn(admin)
    await app.db.updateTable('users').set({ role: 'user' }).where('id', '=', admin.id).execute()
    expect((await change(id, { name: 'Renamed' })).status).toBe(200)
    const article = await app.article({ client: { id } })
    expect((await app.as(admin).get(`/v1/articles/${article.id}`)).status).toBe(200)
    const uses = app.logLines.filter(({ message }) => message === 'Former admin at work')
    expect(uses).toEqual(
      ['/v1/clients/:id', '/v1/articles/:id'].map((route) => ({
        level: 'warn',
        message: 'Former admin at work',
        fields: { actorId: admin.id, route },
      })),
    )
  })
})
