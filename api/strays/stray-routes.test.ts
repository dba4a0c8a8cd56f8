import { beforeEach, describe, expect, it } from 'vitest'
import type { ArticleDocument } from '../../domain/document.ts'
import { ARTICLE_BODY_BYTES, STRAY_BODY_BYTES, STRAY_SIZE } from '../../domain/limits.ts'
import { strayReceiptSchema } from '../../domain/wire-strays.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

const text = (words: string): ArticleDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})
const UNSENT = { articleText: text('Words without a home.'), reason: 'deleted' }

let app: TestApp
let admin: TestUser
let writer: TestUser
let stranger: TestUser
let client: { id: string; name: string }
let id: string

beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
  writer = await app.user({ name: 'Imogen Hale' })
  stranger = await app.user({ name: 'Emil Sand' })
  client = await app.client({ users: [writer] })
  id = (await app.article({ client })).id
})

const send = (person: TestUser, body: unknown = UNSENT, headers: Record<string, string> = {}) =>
  app.as(person).post(`/v1/articles/${id}/strays`, body, headers)
const list = async (query = '') => (await app.as(admin).get(`/v1/strays${query}`)).json()
const leaveClient = () => app.as(admin).patch(`/v1/clients/${client.id}`, { users: [] })

describe('POST /articles/{id}/strays', () => {
  it('keeps the text of a deleted article for the admins', { tags: ['@fault-41'] }, async () => {
    await app.as(admin).delete(`/v1/articles/${id}`)
    app.clock.advance(60_000)
    const answer = await send(writer)
    expect(answer.status).toBe(201)
    const receipt = strayReceiptSchema.parse(await answer.json())
    const stray = {
      ...receipt,
      article: { id, name: 'How to store green coffee' },
      author: { id: writer.id, name: 'Imogen Hale' },
      reason: 'deleted',
      words: 4,
      createdAt: '2026-03-02T09:01:00.000Z',
      doneAt: null,
    }
    const page = { page: 1, limit: 10, totalPages: 1, totalResults: 1 }
    expect(await list()).toEqual({ results: [stray], ...page })
    const read = await app.as(admin).get(`/v1/strays/${receipt.id}`)
    expect(await read.json()).toEqual({ ...stray, articleText: UNSENT.articleText })
  })

  it.each([
    ['is in the client', async () => {}],
    ['was taken out of the client', leaveClient],
    [
      'wrote one of its texts',
      async () => {
        await app.as(writer).patch(`/v1/articles/${id}`, { articleText: text('Mine.') })
        await app.db.deleteFrom('client_users').execute()
      },
    ],
    [
      'was in the client that had it',
      async () => {
        await app.as(admin).patch(`/v1/articles/admin/${id}`, { clientId: null })
      },
    ],
    [
      'was taken out of the client of an article that is deleted now',
      async () => {
        await leaveClient()
        await app.as(admin).delete(`/v1/articles/${id}`)
      },
    ],
  ])('accepts it from a user who %s', { tags: ['@PE-16'] }, async (_who, change) => {
    await change()
    expect((await send(writer)).status).toBe(201)
    expect((await send(stranger)).status).toBe(404)
    expect((await list()).totalResults).toBe(1)
  })

  it('keeps it once, however often it comes under one key', async () => {
    const key = { 'idempotency-key': 'k1' }
    const first = await send(writer, UNSENT, key)
    const again = await send(writer, UNSENT, key)
    expect(again.status).toBe(201)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await again.json()).toEqual(await first.json())
    expect((await list()).totalResults).toBe(1)
  })

  it('refuses the key of another request', { tags: ['@fault-9'] }, async () => {
    const key = { 'idempotency-key': 'k1' }
    await app.as(writer).patch(`/v1/articles/${id}`, { articleText: text('Mine.') }, key)
    const answer = await send(writer, UNSENT, key)
    expect([answer.status, (await answer.json()).reason]).toEqual([422, 'key_reuse'])
    expect((await list()).totalResults).toBe(0)
  })

  it('changes nothing of the article', async () => {
    const before = await (await app.as(writer).get(`/v1/articles/${id}`)).json()
    await send(writer)
    expect(await (await app.as(writer).get(`/v1/articles/${id}`)).json()).toEqual(before)
  })

  it.each([
    ['a document that is not allowed', { ...UNSENT, articleText: { type: 'doc' } }, 400],
    ['a reason of its own', { ...UNSENT, reason: 'because' }, 400],
    ['more than the two', { ...UNSENT, name: 'Mine' }, 400],
    ['too much', { ...UNSENT, reason: 'x'.repeat(STRAY_BODY_BYTES) }, 413],
  ])('refuses %s', async (_what, body, status) => {
    expect((await send(writer, body)).status).toBe(status)
    expect((await list()).totalResults).toBe(0)
  })

  it('takes what its article refused for its size, up to four times of it', {
    tags: ['@fault-53'],
  }, async () => {
    const paragraphs = (count: number, words: string): ArticleDocument => ({
      type: 'doc',
      content: Array.from({ length: count }, () => text(words).content[0] as never),
    })
    const long = paragraphs(30, 'A hundred words would not say more. '.repeat(3_000))
    expect(JSON.stringify(long).length).toBeGreaterThan(ARTICLE_BODY_BYTES)
    const refused = await app.as(writer).patch(`/v1/articles/${id}`, { articleText: long })
    expect(refused.status).toBe(413)
    const answer = await send(writer, { articleText: long, reason: 'too-large' })
    expect(answer.status).toBe(201)
    const { id: strayId } = await answer.json()
    const read = await (await app.as(admin).get(`/v1/strays/${strayId}`)).json()
    expect([read.reason, read.words]).toEqual(['too-large', 30 * 7 * 3_000])
    expect(read.articleText).toEqual(long)
    const endless = text('x'.repeat(STRAY_SIZE.characters + 1))
    const tooLong = await send(writer, { articleText: endless, reason: 'too-large' })
    expect([tooLong.status, (await tooLong.json()).message]).toEqual([
      400,
      'The text is too long (more than 4,000,000 characters).',
    ])
  })

  it('limits how many large ones one session sends', async () => {
    const limited = await createTestApp({ config: { rateLimits: true } })
    const person = await limited.user()
    const article = await limited.article({ client: await limited.client({ users: [person] }) })
    const path = `/v1/articles/${article.id}/strays`
    const large = { articleText: text('x'.repeat(ARTICLE_BODY_BYTES)), reason: 'too-large' }
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1) {
      limited.clock.advance(1_000)
      statuses.push((await limited.as(person).post(path, large)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(201), 429])
    expect((await limited.as(person).post(path, UNSENT)).status).toBe(201)
  })

  it('limits how many one session sends', async () => {
    const limited = await createTestApp({ config: { rateLimits: true } })
    const person = await limited.user()
    const article = await limited.article({ client: await limited.client({ users: [person] }) })
    const answers: number[] = []
    for (let count = 0; count < 31; count += 1) {
      limited.clock.advance(1_000)
      const path = `/v1/articles/${article.id}/strays`
      answers.push((await limited.as(person).post(path, UNSENT)).status)
    }
    expect(answers.filter((status) => status === 201)).toHaveLength(30)
    expect(answers.at(-1)).toBe(429)
  })
})

describe('PATCH /strays/{id}', () => {
  it('marks it as dealt with, and not after all; the text stays', async () => {
    const { id: strayId } = await (await send(writer)).json()
    await send(writer, { ...UNSENT, reason: 'revoked' })
    app.clock.advance(60_000)
    const mark = async (done: boolean) =>
      (await (await app.as(admin).patch(`/v1/strays/${strayId}`, { done })).json()).doneAt
    expect(await mark(true)).toBe('2026-03-02T09:01:00.000Z')
    app.clock.advance(60_000)
    expect(await mark(true)).toBe('2026-03-02T09:01:00.000Z')
    const reasons = async (query: string) =>
      (await list(query)).results.map(({ reason }: { reason: string }) => reason)
    expect(await reasons('?done=false')).toEqual(['revoked'])
    expect(await reasons('?done=true')).toEqual(['deleted'])
    expect(await reasons('')).toEqual(['revoked', 'deleted'])
    expect(await mark(false)).toBeNull()
    const read = await (await app.as(admin).get(`/v1/strays/${strayId}`)).json()
    expect(read.articleText).toEqual(UNSENT.articleText)
    const audit = await app.db
      .selectFrom('audit')
      .select(['actor_id', 'action', 'subject_id'])
      .where('action', 'like', 'stray.%')
      .orderBy('id')
      .execute()
    expect(audit).toEqual([
      { actor_id: admin.id, action: 'stray.done', subject_id: strayId },
      { actor_id: admin.id, action: 'stray.reopened', subject_id: strayId },
    ])
  })
})
