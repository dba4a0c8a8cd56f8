import { beforeEach, describe, expect, it } from 'vitest'
import type { ArticleDocument } from '../../domain/text/document.ts'
import type { Home } from '../../domain/wire/home.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

const MINUTE = 60_000
const KEYWORD = { keyword: 'oat', source: 'E', score: 4, category: 'Must Use' }
const text = (words: string): ArticleDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})

let app: TestApp
let admin: TestUser
let writer: TestUser
let client: { id: string; name: string }

beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
  writer = await app.user({ name: 'Imogen Hale' })
  client = await app.client({ users: [writer] })
})

const home = async (person = admin): Promise<Home> =>
  (await app.as(person).get('/v1/home?today=2026-03-02T00:00:00Z')).json()
const complete = (id: string, person = writer) =>
  app.as(person).patch(`/v1/articles/${id}`, { completed: true })
const later = async (minutes: number, person = admin) => {
  app.clock.advance(minutes * MINUTE)
  for (const one of [person, writer]) await app.signIn(one)
}

describe('GET /home', () => {
  it('lists what was completed since the last visit, with the user', async () => {
    await home()
    await later(60)
    const { id } = await app.article({ name: 'Oats', client, articleText: text('Two words.') })
    await complete(id)
    await later(5)
    const { lastVisit, completed } = await home()
    expect(lastVisit).toBe('2026-03-02T09:00:00.000Z')
    expect(completed).toEqual({
      total: 1,
      articles: [
        {
          id,
          name: 'Oats',
          clientName: 'Fathom Coffee',
          completedBy: 'Imogen Hale',
          completedAt: '2026-03-02T10:00:00.001Z',
          words: 2,
        },
      ],
    })
  })

  it('the last visit stays what it was while one is here, and moves after 30 minutes without a call', async () => {
    expect((await home()).lastVisit).toBeNull()
    await later(20)
    expect((await home()).lastVisit).toBeNull()
    await later(31)
    expect((await home()).lastVisit).toBe('2026-03-02T09:20:00.000Z')
    for (let calls = 0; calls < 3; calls++) {
      await later(29)
      await app.as(admin).get('/v1/clients')
      expect((await home()).lastVisit).toBe('2026-03-02T09:20:00.000Z')
    }
    await later(31)
    expect((await home()).lastVisit).toBe('2026-03-02T11:18:00.000Z')
  })

  it('a page that is only open prolongs no visit', async () => {
    await home()
    await later(25)
    await app.as(admin).get('/v1/articles/client/myArticles')
    await later(10)
    expect((await home()).lastVisit).toBe('2026-03-02T09:00:00.000Z')
  })

  it('counts an article once that was completed twice, and not one that was reopened', async () => {
    const twice = await app.article({ client })
    const reopened = await app.article({ client })
    for (const { id } of [twice, reopened]) {
      await complete(id)
      app.clock.advance(1_000)
      await app.as(admin).patch(`/v1/articles/${id}`, { completed: false })
      app.clock.advance(1_000)
    }
    await complete(twice.id, admin)
    const { completed } = await home()
    expect(completed).toMatchObject({
      total: 1,
      articles: [{ id: twice.id, completedBy: 'Ada Ferris' }],
    })
  })

  it('shows the five newest of many, and keeps an article whose completer is gone', async () => {
    const ids = []
    for (let count = 0; count < 7; count++) {
      const { id } = await app.article({ client })
      ids.unshift(id)
      app.clock.advance(1_000)
      await complete(id)
    }
    await app.as(admin).delete(`/v1/users/${writer.id}`)
    const { completed } = await home()
    expect(completed.total).toBe(7)
    expect(completed.articles.map(({ id }) => id)).toEqual(ids.slice(0, 5))
    expect(completed.articles[0]?.completedBy).toBeNull()
  })

  it('counts what lacks something, what was written today, and texts to review', async () => {
    const { id } = await app.article({ client, keywordList: [KEYWORD] })
    await app.article({ keywordList: [KEYWORD] })
    await app.article({ client })
    await app.as(writer).patch(`/v1/articles/${id}`, { articleText: text('Words.') })
    await app.as(writer).post(`/v1/articles/${id}/undelivered-texts`, {
      articleText: text('Lost.'),
      reason: 'completed',
    })
    expect(await home()).toMatchObject({
      withoutEntities: 1,
      withoutClient: 1,
      undeliveredTexts: { toReview: 1, all: 1 },
      strays: { toReview: 1, all: 1 },
      written: { articles: 1, people: 1 },
      firstSteps: null,
    })
    const tomorrow = await app.as(admin).get('/v1/home?today=2026-03-03T00:00:00Z')
    expect(await tomorrow.json()).toMatchObject({ written: { articles: 0, people: 0 } })
  })

  it('says how far an agency is in which no article has entities', async () => {
    const empty = await createTestApp()
    const ada = await empty.user({ role: 'admin' })
    const steps = async () => (await (await empty.as(ada).get('/v1/home')).json()).firstSteps
    expect(await steps()).toEqual({ client: null, user: null, writer: null, article: null })
    const person = await empty.user({ name: 'Imogen Hale' })
    expect(await steps()).toMatchObject({ user: { name: 'Imogen Hale' }, writer: null })
    const house = await empty.client({ name: 'Larkspur Gardens', users: [person] })
    const article = await empty.article({ name: 'Oats', client: house })
    expect(await steps()).toEqual({
      client: house,
      user: { id: person.id, name: 'Imogen Hale' },
      writer: { name: 'Imogen Hale', clientName: 'Larkspur Gardens' },
      article,
    })
    await empty.as(ada).patch(`/v1/articles/admin/${article.id}`, { keywordList: [KEYWORD] })
    expect(await steps()).toBeNull()
  })

  it('is read also where the visit cannot be noted', async () => {
    await app.db.schema.dropTable('visits').execute()
    expect((await app.as(admin).get('/v1/clients')).status).toBe(200)
    expect(app.logLines.map(({ message }) => message)).toContain('A visit could not be noted')
  })
})
