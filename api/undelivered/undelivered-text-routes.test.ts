import { beforeEach, describe, expect, it } from 'vitest'
import {
  ARTICLE_BODY_BYTES,
  UNDELIVERED_BODY_BYTES,
  UNDELIVERED_SIZE,
} from '../../domain/limits.ts'
import type { ArticleDocument } from '../../domain/text/document.ts'
import { undeliveredReceiptSchema } from '../../domain/wire/undelivered.ts'
import { sha256 } from '../articles/stored-text.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'
import { ROUTE_NAMES } from './route-names.ts'

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
  app.as(person).post(`/v1/articles/${id}/undelivered-texts`, body, headers)
const list = async (query = '') => (await app.as(admin).get(`/v1/undelivered-texts${query}`)).json()
const leaveClient = () => app.as(admin).patch(`/v1/clients/${client.id}`, { users: [] })

describe('POST /articles/{id}/undelivered-texts', () => {
  it('keeps the text of a deleted article for the admins', { tags: ['@fault-41'] }, async () => {
    await app.as(admin).delete(`/v1/articles/${id}`)
    app.clock.advance(60_000)
    const answer = await send(writer)
    expect(answer.status).toBe(201)
    const receipt = undeliveredReceiptSchema.parse(await answer.json())
    const undelivered = {
      ...receipt,
      article: { id, name: 'How to store green coffee' },
      author: { id: writer.id, name: 'Imogen Hale' },
      reason: 'deleted',
      words: 4,
      createdAt: '2026-03-02T09:01:00.000Z',
      doneAt: null,
    }
    const page = { page: 1, limit: 10, totalPages: 1, totalResults: 1 }
    expect(await list()).toEqual({ results: [undelivered], ...page })
    const read = await app.as(admin).get(`/v1/undelivered-texts/${receipt.id}`)
    expect(await read.json()).toEqual({ ...undelivered, articleText: UNSENT.articleText })
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

  it.each([
    ['undelivered-texts', 'strays'],
    ['strays', 'undelivered-texts'],
  ])('keeps it once, sent again under one key to /%s and to /%s', async (first, second) => {
    const [one, other] = await Promise.all(
      [first, second].map((name) =>
        app.as(writer).post(`/v1/articles/${id}/${name}`, UNSENT, { 'idempotency-key': 'k1' }),
      ),
    )
    expect([one?.status, other?.status]).toEqual([201, 201])
    expect(await other?.json()).toEqual(await one?.json())
    expect((await list()).totalResults).toBe(1)
  })

  it('knows the keys that an earlier release stored', async () => {
    const request = ['POST', `/v1/articles/${id}/strays`]
    const fingerprint = JSON.stringify([...request, JSON.stringify(UNSENT.articleText), 'deleted'])
    await send(writer, UNSENT, { 'idempotency-key': 'k1' })
    const stored = await app.db.selectFrom('idempotency').select('request_hash').execute()
    expect(stored).toEqual([{ request_hash: sha256(fingerprint) }])
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
    ['too much', { ...UNSENT, reason: 'x'.repeat(UNDELIVERED_BODY_BYTES) }, 413],
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
    const { id: textId } = await answer.json()
    const read = await (await app.as(admin).get(`/v1/undelivered-texts/${textId}`)).json()
    expect([read.reason, read.words]).toEqual(['too-large', 30 * 7 * 3_000])
    expect(read.articleText).toEqual(long)
    const endless = text('x'.repeat(UNDELIVERED_SIZE.characters + 1))
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
    const path = `/v1/articles/${article.id}/undelivered-texts`
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
      const path = `/v1/articles/${article.id}/${ROUTE_NAMES[count % 2]}`
      answers.push((await limited.as(person).post(path, UNSENT)).status)
    }
    expect(answers.filter((status) => status === 201)).toHaveLength(30)
    expect(answers.at(-1)).toBe(429)
  })
})

describe('/strays, the address of earlier releases', () => {
  it('is the same as /undelivered-texts', async () => {
    const path = `/v1/articles/${id}/strays`
    const receipt = await (await app.as(writer).post(path, UNSENT)).json()
    const read = async (from: string) => (await app.as(admin).get(`/v1/${from}`)).json()
    expect(await read('strays')).toEqual(await list())
    expect(await read(`strays/${receipt.id}`)).toEqual(
      await read(`undelivered-texts/${receipt.id}`),
    )
    const marked = await app.as(admin).patch(`/v1/strays/${receipt.id}`, { done: true })
    expect(await marked.json()).toMatchObject({ id: receipt.id, doneAt: expect.any(String) })
    expect((await list('?done=true')).totalResults).toBe(1)
  })
})

describe('PATCH /undelivered-texts/{id}', () => {
  it('marks it as dealt with, and not after all; the text stays', async () => {
    const { id: textId } = await (await send(writer)).json()
    await send(writer, { ...UNSENT, reason: 'revoked' })
    app.clock.advance(60_000)
    const mark = async (done: boolean) =>
      (await (await app.as(admin).patch(`/v1/undelivered-texts/${textId}`, { done })).json()).doneAt
    expect(await mark(true)).toBe('2026-03-02T09:01:00.000Z')
    app.clock.advance(60_000)
    expect(await mark(true)).toBe('2026-03-02T09:01:00.000Z')
    const reasons = async (query: string) =>
      (await list(query)).results.map(({ reason }: { reason: string }) => reason)
    expect(await reasons('?done=false')).toEqual(['revoked'])
    expect(await reasons('?done=true')).toEqual(['deleted'])
    expect(await reasons('')).toEqual(['revoked', 'deleted'])
    expect(await mark(false)).toBeNull()
    const read = await (await app.as(admin).get(`/v1/undelivered-texts/${textId}`)).json()
    expect(read.articleText).toEqual(UNSENT.articleText)
    const audit = await app.db
      .selectFrom('audit')
      .select(['actor_id', 'action', 'subject_id'])
      .where('action', 'like', 'undelivered-text.%')
      .orderBy('id')
      .execute()
    expect(audit).toEqual([
      { actor_id: admin.id, action: 'undelivered-text.done', subject_id: textId },
      { actor_id: admin.id, action: 'undelivered-text.reopened', subject_id: textId },
    ])
  })
})
