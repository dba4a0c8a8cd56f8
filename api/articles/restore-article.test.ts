import { beforeEach, describe, expect, it } from 'vitest'
import type { ArticleDocument } from '../../domain/text/document.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

const text = (words: string): ArticleDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})

let app: TestApp
let admin: TestUser
let writer: TestUser
let id: string

beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
  writer = await app.user({ name: 'Imogen Hale' })
  const client = await app.client({ users: [writer] })
  id = (await app.article({ name: 'Oats', client, articleText: text('First words.') })).id
})

const remove = () => app.as(admin).delete(`/v1/articles/${id}`)
const restore = (person = admin) => app.as(person).post(`/v1/articles/admin/${id}/restore`)
const restored = async () =>
  app.db
    .selectFrom('audit')
    .selectAll()
    .where('action', '=', 'article.restored')
    .orderBy('id')
    .execute()

describe('POST /articles/admin/{id}/restore', () => {
  it('returns the article with its text and versions, and its writer reads it again', {
    tags: ['@Q91'],
  }, async () => {
    await app.as(writer).patch(`/v1/articles/${id}`, { articleText: text('Second words.') })
    await remove()
    expect((await app.as(writer).get(`/v1/articles/${id}`)).status).toBe(404)
    app.clock.advance(1_000)
    const answer = await restore()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).toMatch(/^"v3\.t2-r_/)
    expect(await answer.json()).toMatchObject({
      id,
      name: 'Oats',
      articleText: text('Second words.'),
      version: 3,
      updatedAt: '2026-03-02T09:00:01.000Z',
    })
    expect((await app.as(writer).get(`/v1/articles/${id}`)).status).toBe(200)
    const { totalResults } = await (await app.as(writer).get(`/v1/articles/${id}/revisions`)).json()
    expect(totalResults).toBe(2)
    expect(await restored()).toMatchObject([{ actor_id: admin.id, subject_id: id }])
  })

  it('asked for twice restores once', async () => {
    await remove()
    const first = await (await restore()).json()
    expect(await (await restore()).json()).toEqual(first)
    expect(await restored()).toHaveLength(1)
  })

  it('of an article that was never deleted changes nothing', async () => {
    expect(await (await restore()).json()).toMatchObject({ version: 1 })
    expect(await restored()).toEqual([])
  })

  it('notifies event streams', async () => {
    await remove()
    const stream = await app.as(writer).get('/v1/events')
    await restore()
    await app.settled()
    app.deps.changes.end()
    expect(await stream.text()).toContain(`"articleId":"${id}"`)
  })

  it('is refused to whose session ended while it was asked, and to writers', async () => {
    await remove()
    expect((await restore(writer)).status).toBe(403)
    await app.db.deleteFrom('sessions').execute()
    expect((await restore()).status).toBe(401)
    expect(await restored()).toEqual([])
  })

  it('is throttled as deletions are', async () => {
    const busy = await createTestApp({ config: { rateLimits: true } })
    const ada = await busy.user({ role: 'admin' })
    const { id: article } = await busy.article()
    const statuses = []
    for (let count = 0; count < 61; count++) {
      const answer = await busy.as(ada).post(`/v1/articles/admin/${article}/restore`)
      statuses.push(answer.status)
      busy.clock.advance(100)
    }
    expect(statuses).toEqual([...Array(60).fill(200), 429])
  })
})
