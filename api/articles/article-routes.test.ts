import { beforeEach, describe, expect, it } from 'vitest'
import type { ArticleDocument } from '../../domain/text/document.ts'
import { articleSchema } from '../../domain/wire/articles.ts'
import { listSchema } from '../../domain/wire/fields.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

const text = (words: string): ArticleDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})
const keyword = { keyword: 'green coffee', source: 'E', score: '4', category: 'Must Use' }

let app: TestApp
let admin: TestUser
let writer: TestUser
let stranger: TestUser
let client: { id: string; name: string }

beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
  writer = await app.user({ name: 'Imogen Hale' })
  stranger = await app.user({ name: 'Otto Lindqvist' })
  client = await app.client({ name: 'Fathom Coffee', users: [writer] })
})

const deleteClient = (id: string) =>
  app.db
    .updateTable('clients')
    .set({ deleted_at: '2026-03-02T09:00:00.000Z' })
    .where('id', '=', id)
    .execute()

describe('GET /articles/{id}', () => {
  it('returns the whole article', { tags: ['@ED-35', '@AP-14', '@AP-29', '@AP-30'] }, async () => {
    const { id } = await app.article({
      name: 'How to store green coffee',
      client,
      wordMinimum: 1900,
      articleText: text('Keep it cool and dry.'),
      keywordList: [keyword],
    })
    const answer = await app.as(writer).get(`/v1/articles/${id}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('etag')).toMatch(/^"v1\.t1-r_/)
    const article = await answer.json()
    expect(articleSchema.parse(article)).toEqual(article)
    expect(article).toEqual({
      id,
      _id: id,
      name: 'How to store green coffee',
      clientId: { id: client.id, name: 'Fathom Coffee', users: [writer.id] },
      wordMinimum: 1900,
      articleText: text('Keep it cool and dry.'),
      updatedBy: null,
      keywordList: [keyword],
      completed: false,
      completion: null,
      createdAt: '2026-03-02T09:00:00.000Z',
      updatedAt: '2026-03-02T09:00:00.000Z',
      version: 1,
      textVersion: 1,
      revision: expect.stringMatching(/^[\da-f]{32}$/),
      textUpdatedAt: '2026-03-02T09:00:00.000Z',
    })
  })

  it('names when the text was changed, whatever else was changed since', {
    tags: ['@SY-11'],
  }, async () => {
    const { id } = await app.article({ client })
    app.clock.advance(60_000)
    await app.as(writer).patch(`/v1/articles/${id}`, { articleText: text('Later.') })
    app.clock.advance(60_000)
    await app.as(admin).patch(`/v1/articles/admin/${id}`, { name: 'Renamed' })
    expect(await (await app.as(writer).get(`/v1/articles/${id}`)).json()).toMatchObject({
      textUpdatedAt: '2026-03-02T09:01:00.000Z',
      updatedAt: '2026-03-02T09:02:00.000Z',
    })
  })

  it('returns clientId null, and an empty document as it was created', {
    tags: ['@Q92'],
  }, async () => {
    const { id } = await app.article({ client: null })
    const article = await (await app.as(admin).get(`/v1/articles/${id}`)).json()
    expect([article.clientId, article.articleText]).toEqual([null, {}])
  })

  it('a client without users has an empty list of them', async () => {
    const { id } = await app.article({ client: await app.client({ name: 'Nobody yet' }) })
    const article = await (await app.as(admin).get(`/v1/articles/${id}`)).json()
    expect(article.clientId.users).toEqual([])
  })

  it('refuses unknown, malformed and foreign ids alike', { tags: ['@AP-14'] }, async () => {
    const { id } = await app.article({ client })
    const ids = [id, '0195a000-0000-7000-8000-0000000fffff', 'x', `${id}%00`, '..%2f', 'É', '{}']
    const answers = await Promise.all(
      ids.map(async (each) => {
        const answer = await app.as(stranger).get(`/v1/articles/${each}`)
        const { requestId: _, ...body } = await answer.json()
        const headers = [...answer.headers.keys()].sort()
        return { status: answer.status, body, headers }
      }),
    )
    expect(answers[0]).toMatchObject({
      status: 404,
      body: { code: 404, message: 'Article not found' },
    })
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  it('returns 304 to a client that has this version', async () => {
    const { id } = await app.article({ client })
    const ask = (tag: string) => app.as(writer).get(`/v1/articles/${id}`, { 'if-none-match': tag })
    const unchanged = await ask('W/"v1.t1"')
    expect([unchanged.status, await unchanged.text(), unchanged.headers.get('etag')]).toEqual([
      304,
      '',
      expect.stringMatching(/^"v1\.t1-r_/),
    ])
    expect((await ask('"v1.t0"')).status).toBe(200)
    const foreign = await app.as(stranger).get(`/v1/articles/${id}`, { 'if-none-match': '*' })
    expect(foreign.status).toBe(404)
  })

  it('returns a full response when only the client changed', async () => {
    const { id } = await app.article({ client })
    const ask = () => app.as(writer).get(`/v1/articles/${id}`, { 'if-none-match': '"v1.t1"' })
    expect((await ask()).status).toBe(304)
    const renamed = { name: 'Fathom & Co', updated_at: '2026-03-02T10:00:00.000Z' }
    await app.db.updateTable('clients').set(renamed).where('id', '=', client.id).execute()
    expect((await (await ask()).json()).clientId.name).toBe('Fathom & Co')
    await app.as(writer).patch(`/v1/articles/${id}`, { completed: true })
    app.clock.advance(2 * 60 * 60 * 1_000)
    await app.signIn(writer)
    const { headers } = await app.as(admin).patch(`/v1/articles/${id}`, { completed: false })
    const tag = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await app.as(writer).get(`/v1/articles/${id}`, tag)).status).toBe(304)
  })

  it('marks a deleted client, for users who had access', { tags: ['@Q32'] }, async () => {
    const { id } = await app.article({ client })
    await deleteClient(client.id)
    const article = await (await app.as(writer).get(`/v1/articles/${id}`)).json()
    expect(article.clientId).toEqual({ ...client, users: [writer.id], deleted: true })
    expect((await app.as(stranger).get(`/v1/articles/${id}`)).status).toBe(404)
  })

  it('HEAD returns the headers alone', async () => {
    const { id } = await app.article({ client })
    const { access } = await app.signIn(writer)
    const answer = await app.app.request(`/v1/articles/${id}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${access.token}` },
    })
    expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([
      200,
      expect.stringMatching(/^"v1\.t1-r_/),
      '',
    ])
  })
})

describe('GET /articles/client/myArticles', () => {
  const mine = async (person: TestUser, query = '') =>
    (await app.as(person).get(`/v1/articles/client/myArticles${query}`)).json()
  const names = (list: { results: { name: string }[] }) => list.results.map(({ name }) => name)

  it('lists all of the caller, newest change first, without the texts', {
    tags: ['@CH-10', '@CH-17', '@AP-10', '@Q33'],
  }, async () => {
    for (let day = 1; day <= 12; day++) {
      await app.article({ name: `Day ${day}`, client, articleText: text('Some words.') })
      app.clock.advance(1_000)
    }
    const list = await mine(writer)
    expect(listSchema(articleSchema).parse(list)).toEqual(list)
    expect(names(list)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((day) => `Day ${day}`))
    const { results, ...envelope } = list
    expect(envelope).toEqual({ page: 1, limit: 12, totalPages: 1, totalResults: 12 })
    expect(results[0]).toMatchObject({ version: 1, textVersion: 1, completed: false })
    expect(results.some((article: object) => 'articleText' in article)).toBe(false)
  })

  it('adds the texts for fields=text and knows no other fields', { tags: ['@Q33'] }, async () => {
    const { id } = await app.article({ client, articleText: text('Some words.') })
    const list = await mine(writer, '?fields=text')
    expect(list.results[0]).toMatchObject({ id, articleText: text('Some words.') })
    expect((await mine(writer, '?fields=all')).message).toBe('"fields" must be "text"')
    expect((await mine(writer, '?fields=text&fields=text')).code).toBe(400)
  })

  it('is an empty list for a user without a client', async () => {
    await app.article({ client })
    expect(await mine(stranger)).toEqual({
      results: [],
      page: 1,
      limit: 0,
      totalPages: 0,
      totalResults: 0,
    })
  })

  it('shows live clients that name the caller, to admins too', {
    tags: ['@CH-01', '@CH-15', '@PE-08', '@Q10'],
  }, async () => {
    const both = await app.client({ name: 'Both', users: [writer, admin] })
    const gone = await app.client({ name: 'Gone', users: [writer, admin] })
    const foreign = await app.client({ name: 'Foreign', users: [stranger] })
    await app.article({ name: 'Of Fathom', client })
    await app.article({ name: 'Of both', client: both, completed: true })
    await app.article({ name: 'Of the deleted one', client: gone })
    await app.article({ name: 'Of strangers', client: foreign })
    await app.article({ name: 'Of nobody', client: null })
    await deleteClient(gone.id)
    expect(names(await mine(writer))).toEqual(['Of both', 'Of Fathom'])
    expect(names(await mine(stranger))).toEqual(['Of strangers'])
    expect(names(await mine(admin))).toEqual(['Of both'])
  })

  it('returns 304 until something in it changes', async () => {
    const { id } = await app.article({ client })
    const ask = (tag: string) =>
      app.as(writer).get('/v1/articles/client/myArticles', { 'if-none-match': tag })
    const tag = (await ask('"old"')).headers.get('etag') ?? ''
    expect((await ask(tag)).status).toBe(304)
    await app.as(writer).patch(`/v1/articles/${id}`, { completed: true })
    expect((await ask(tag)).status).toBe(200)
  })
})

it('an admin reads every article, a user those of their clients, deleted clients included', {
  tags: ['@CH-16', '@PE-08'],
}, async () => {
  const other = await app.client({ name: 'Other', users: [stranger] })
  const empty = await app.client({ name: 'Empty', users: [] })
  const gone = await app.client({ name: 'Gone', users: [writer, stranger] })
  await deleteClient(gone.id)
  const statusesFor = async (owner: typeof client | null) => {
    const { id } = await app.article({ client: owner })
    const answers = [admin, writer, stranger].map((user) => app.as(user).get(`/v1/articles/${id}`))
    return (await Promise.all(answers)).map(({ status }) => status)
  }
  expect(await statusesFor(client)).toEqual([200, 200, 404])
  expect(await statusesFor(other)).toEqual([200, 404, 200])
  expect(await statusesFor(empty)).toEqual([200, 404, 404])
  expect(await statusesFor(gone)).toEqual([200, 200, 200])
  expect(await statusesFor(null)).toEqual([200, 404, 404])
})
