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
let colleague: TestUser
let id: string

beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
  writer = await app.user({ name: 'Imogen Hale' })
  colleague = await app.user({ name: 'Ines Duarte' })
  const client = await app.client({ users: [writer, colleague] })
  id = (await app.article({ client })).id
})

const patch = (person: TestUser, body: object, headers: Record<string, string> = {}) =>
  app.as(person).patch(`/v1/articles/${id}`, body, headers)
const get = async (person: TestUser, path: string) =>
  (await app.as(person).get(`/v1/articles/${id}/revisions${path}`)).json()

async function writeThree() {
  app.clock.advance(1_000)
  await patch(writer, { articleText: text('One.') }, { 'if-match': '"v1.t1"' })
  await patch(
    colleague,
    { articleText: text('One two.') },
    { 'if-match': '"v2.t2"', 'contun-reason': 'merge' },
  )
  await patch(admin, { articleText: text('One two three.') }, { 'contun-reason': 'merge' })
}

/** Our client marks a restored text; the header of a plain client or an unknown value has no effect. */
async function bringBack() {
  const base = { 'if-match': '"v4.t4"' }
  await patch(writer, { articleText: text('One.') }, { ...base, 'contun-reason': 'restore' })
  await patch(writer, { articleText: text('Two.') }, { 'contun-reason': 'restore' })
  const odd = { 'if-match': '"v6.t6"', 'contun-reason': 'created' }
  await patch(writer, { articleText: text('Three.') }, odd)
}

describe('GET /articles/{id}/revisions', () => {
  it('has every accepted text once, newest first, from creation on', {
    tags: ['@Q90'],
  }, async () => {
    await writeThree()
    expect(await get(writer, '')).toEqual({
      results: [
        revision(4, 3, admin, 'plain', '2026-03-02T09:00:01.002Z'),
        revision(3, 2, colleague, 'merge', '2026-03-02T09:00:01.001Z'),
        revision(2, 1, writer, 'autosave', '2026-03-02T09:00:01.000Z'),
        revision(1, 0, null, 'created', '2026-03-02T09:00:00.000Z'),
      ],
      page: 1,
      limit: 10,
      totalPages: 1,
      totalResults: 4,
    })
  })

  it('names a text that a page brought back so', async () => {
    await writeThree()
    await bringBack()
    const { results } = await get(writer, '?limit=3')
    expect(results.map(({ reason }: { reason: string }) => reason)).toEqual([
      'autosave',
      'plain',
      'restore',
    ])
  })

  function revision(
    textVersion: number,
    words: number,
    author: TestUser | null,
    reason: string,
    createdAt: string,
  ) {
    const by = author && { id: author.id, name: author.name }
    return { textVersion, words, author: by, reason, handIn: null, createdAt }
  }

  it('adds none for what changed no text', async () => {
    await patch(writer, { articleText: {} })
    await patch(writer, { completed: true })
    await patch(writer, { articleText: text('Refused.') })
    expect((await get(writer, '')).totalResults).toBe(1)
  })

  it('comes in pages', async () => {
    await writeThree()
    const second = await get(writer, '?page=2&limit=3')
    expect(second).toMatchObject({ page: 2, limit: 3, totalPages: 2, totalResults: 4 })
    expect(second.results).toHaveLength(1)
    expect((await get(writer, '?page=9')).results).toEqual([])
  })

  it.each(['limit=0', 'limit=1001', 'limit=1.5', 'limit=', 'page=-1', 'page=1e3', 'page=1&page=2'])(
    'refuses %s',
    async (query) => {
      expect((await get(writer, `?${query}`)).code).toBe(400)
    },
  )

  it('names no author whose account is gone, and keeps the text', async () => {
    await writeThree()
    await app.db.deleteFrom('users').where('id', '=', colleague.id).execute()
    const list = await get(writer, '')
    expect(list.results[1]).toMatchObject({ textVersion: 3, author: null, words: 2 })
    expect((await get(writer, '/3')).articleText).toEqual(text('One two.'))
  })
})

describe('GET /articles/{id}/revisions/{textVersion}', () => {
  it('adds the text', async () => {
    await writeThree()
    expect(await get(writer, '/2')).toEqual({
      textVersion: 2,
      words: 1,
      author: { id: writer.id, name: 'Imogen Hale' },
      reason: 'autosave',
      handIn: null,
      createdAt: '2026-03-02T09:00:01.000Z',
      revision: expect.any(String),
      articleText: text('One.'),
    })
    expect((await get(writer, '/1')).articleText).toEqual({})
  })

  it.each(['9', '0', '-1', '1.0', 'x', '9999999999', '99999999999999999999'])(
    '%s is not found',
    async (version) => {
      expect(await get(writer, `/${version}`)).toMatchObject({
        code: 404,
        message: 'Revision not found',
      })
    },
  )
})

it('is allowed only to readers of the article', { tags: ['@PE-08'] }, async () => {
  const stranger = await app.user()
  for (const path of ['', '/1']) {
    expect(await get(stranger, path)).toMatchObject({ code: 404, message: 'Article not found' })
    expect((await app.as(null).get(`/v1/articles/${id}/revisions${path}`)).status).toBe(401)
  }
})

it('reveals no e-mail address', async () => {
  await writeThree()
  for (const path of ['', '/2', '/3']) {
    expect(JSON.stringify(await get(writer, path))).not.toContain('@')
  }
})
