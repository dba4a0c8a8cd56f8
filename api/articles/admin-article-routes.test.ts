import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ArticleDocument } from '../../domain/text/document.ts'
import { articleSchema } from '../../domain/wire/articles.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

const UNKNOWN = '0195a000-0000-7000-8000-00000000ffff'
const words = (text: string): ArticleDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})
const keyword = { keyword: 'green coffee', source: 'E', score: '4', category: 'Must Use' }

let app: TestApp
let admin: TestUser
let writer: TestUser
let other: TestUser
let client: { id: string; name: string }
let otherClient: { id: string; name: string }

beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
  writer = await app.user({ name: 'Imogen Hale' })
  other = await app.user({ name: 'Otto Lindqvist' })
  client = await app.client({ name: 'Fathom Coffee', users: [writer] })
  otherClient = await app.client({ name: 'Closed Bakery', users: [other] })
})

const create = (body: unknown) => app.as(admin).post('/v1/articles', body)
const change = (id: string, body: unknown, headers?: Record<string, string>) =>
  app.as(admin).patch(`/v1/articles/admin/${id}`, body, headers)
const read = async (id: string, person = admin) =>
  (await app.as(person).get(`/v1/articles/${id}`)).json()
const statusFor = async (person: TestUser, id: string) =>
  (await app.as(person).get(`/v1/articles/${id}`)).status
const writes = (id: string, text: string) =>
  app.as(writer).patch(`/v1/articles/${id}`, { articleText: words(text) })
const records = async (id: string) => {
  const rows = await app.db
    .selectFrom('audit')
    .selectAll()
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ actor_id, action, detail }) => [actor_id, action, JSON.parse(detail)])
}

describe('POST /articles', () => {
  const valid = { name: ' Oat Guide ', clientId: null, wordMinimum: 1900, articleText: {} }

  it('makes an article with an empty document', {
    tags: ['@AF-07', '@AF-08', '@AP-09'],
  }, async () => {
    const answer = await create({ ...valid, clientId: client.id })
    expect([answer.status, answer.headers.get('etag')]).toEqual([
      201,
      expect.stringMatching(/^"v1\.t1-r_[\w-]+"$/),
    ])
    const article = await answer.json()
    expect(articleSchema.parse(article)).toEqual(article)
    expect(article).toMatchObject({
      name: 'Oat Guide',
      clientId: { ...client, users: [writer.id] },
      wordMinimum: 1900,
      articleText: {},
      keywordList: [],
      completed: false,
    })
    expect(await read(article.id, writer)).toEqual(article)
    expect(await records(article.id)).toEqual([
      [admin.id, 'article.created', { clientId: client.id }],
    ])
  })

  it('a client may be left out, as null or not at all', { tags: ['@PE-11', '@Q69'] }, async () => {
    for (const { clientId, ...rest } of [valid, { ...valid, clientId: undefined }]) {
      const answer = await create(clientId === null ? { ...rest, clientId } : rest)
      const article = await answer.json()
      expect([answer.status, article.clientId]).toEqual([201, null])
      expect(await statusFor(writer, article.id)).toBe(404)
    }
  })

  it('takes a text, and the admin wrote it', async () => {
    const { id } = await (await create({ ...valid, articleText: words('An outline.') })).json()
    const { results } = await (await app.as(admin).get(`/v1/articles/${id}/revisions`)).json()
    expect(results).toMatchObject([
      { words: 2, reason: 'created', author: { id: admin.id, name: 'Ada Ferris' } },
    ])
  })

  it.each([
    ['an id', { id: UNKNOWN }],
    ['an _id', { _id: UNKNOWN }],
    ['a state', { completed: true }],
    ['a time', { updatedAt: '2020-01-01T00:00:00.000Z' }],
    ['keywords', { keywordList: [] }],
    ['an unknown client', { clientId: UNKNOWN }],
    ['a malformed client', { clientId: 'x' }],
    ['an empty client', { clientId: '' }],
    ['a client object', { clientId: { id: UNKNOWN } }],
    ['a minimum below 0', { wordMinimum: -1 }],
    ['a broken minimum', { wordMinimum: 1.5 }],
    ['text as minimum', { wordMinimum: 'abc' }],
    ['digits as text as minimum', { wordMinimum: '1900' }],
    ['a huge minimum', { wordMinimum: 1e7 }],
    ['no minimum', { wordMinimum: undefined }],
    ['null as minimum', { wordMinimum: null }],
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['a blank name', { name: ' \t ' }],
    ['a name of nothing that can be seen', { name: '\u200b\u3164\u2800\u00ad' }],
    ['a long name', { name: 'x'.repeat(201) }],
    ['NUL in the name', { name: 'a\0b' }],
    ['a line end in the name', { name: 'a\r\nb' }],
    ['an override in the name', { name: 'a\u202eb' }],
    ['half a character in the name', { name: 'a\ud800b' }],
    ['an unknown node', { articleText: { type: 'doc', content: [{ type: 'image' }] } }],
    ['null as text', { articleText: null }],
  ])('refuses %s, and makes nothing', async (_, fault) => {
    const answer = await create({ ...valid, ...fault })
    expect([answer.status, (await answer.json()).code]).toEqual([400, 400])
    expect(await app.db.selectFrom('articles').select('id').execute()).toEqual([])
    expect(await app.db.selectFrom('audit').select('id').execute()).toEqual([])
  })

  it('refuses a minimum beyond all numbers, and takes 0 and a million', async () => {
    const body = '{"name":"x","clientId":null,"wordMinimum":1e309,"articleText":{}}'
    expect((await create(body)).status).toBe(400)
    expect((await create({ ...valid, wordMinimum: 0 })).status).toBe(201)
    expect((await create({ ...valid, wordMinimum: 1_000_000 })).status).toBe(201)
  })

  it('refuses a deleted client', async () => {
    await app.as(admin).delete(`/v1/clients/${client.id}`)
    const answer = await create({ ...valid, clientId: client.id })
    expect([answer.status, (await answer.json()).message]).toEqual([
      400,
      '"clientId" must be the id of a client',
    ])
  })

  it('keeps any other name as it is', async () => {
    for (const name of [
      '<img onerror=x>',
      'Ångström 🦉 ‘q’',
      "'; drop table articles; --",
      'x'.repeat(200),
    ]) {
      expect((await (await create({ ...valid, name })).json()).name).toBe(name)
    }
  })

  it('refuses what is no plain object', async () => {
    for (const body of [
      '[]',
      'null',
      '"x"',
      '1',
      '{}{}',
      '{"name":"x",}',
      '{"__proto__":{"a":1}}',
    ]) {
      expect((await create(body)).status).toBe(400)
    }
    expect((await create('{"name":"x"}')).status).toBe(400)
  })
})

describe('PATCH /articles/admin/{id}', () => {
  it('changes the settings, and counts a version but not one of the text', {
    tags: ['@AF-25', '@AP-16'],
  }, async () => {
    const { id } = await app.article({ client, articleText: words('Kept.') })
    app.clock.advance(60_000)
    const body = {
      name: 'Renamed',
      clientId: otherClient.id,
      keywordList: [keyword, keyword],
      wordMinimum: 300,
    }
    const answer = await change(id, body)
    expect([answer.status, answer.headers.get('etag')]).toEqual([
      200,
      expect.stringMatching(/^"v2\.t1-r_[\w-]+"$/),
    ])
    const article = await answer.json()
    expect(articleSchema.parse(article)).toEqual(article)
    expect(article).toMatchObject({
      ...body,
      clientId: { ...otherClient, users: [other.id] },
      articleText: words('Kept.'),
      createdAt: '2026-03-02T09:00:00.000Z',
      updatedAt: '2026-03-02T09:01:00.000Z',
      version: 2,
      textVersion: 1,
    })
    expect(await read(id)).toEqual(article)
    expect(await records(id)).toEqual([
      [
        admin.id,
        'article.changed',
        {
          changed: ['name', 'clientId', 'wordMinimum', 'keywordList'],
          clientId: otherClient.id,
          formerClientId: client.id,
          formerName: 'How to store green coffee',
          wordMinimum: { now: 300, before: 0 },
          entities: { now: 2, before: 0, added: 2, removed: 0 },
        },
      ],
    ])
  })

  it.each([
    ['name', { name: 'Renamed' }],
    ['wordMinimum', { wordMinimum: 7 }],
    ['keywordList', { keywordList: [{ ...keyword, score: 4.5 }] }],
    ['clientId', { clientId: null }],
  ])('changes %s alone', async (key, body) => {
    const { id } = await app.article({ client, keywordList: [keyword], wordMinimum: 9 })
    const before = await read(id)
    const after = await (await change(id, body)).json()
    const { updatedAt: _, version: __, ...rest } = before
    expect(after).toMatchObject({ ...rest, ...body, version: 2 })
    expect(await records(id)).toMatchObject([[admin.id, 'article.changed', { changed: [key] }]])
  })

  it('setting the present values succeeds, and is no change', async () => {
    const { id } = await app.article({ name: 'Same', client, keywordList: [keyword] })
    const same = { name: 'Same', clientId: client.id, keywordList: [keyword], wordMinimum: 0 }
    const answer = await change(id, same)
    expect([answer.status, (await answer.json()).version]).toEqual([200, 1])
    expect(await records(id)).toEqual([])
  })

  it('a move cuts the old users at once and lets the new ones in', {
    tags: ['@PE-16', '@Q70'],
  }, async () => {
    const { id } = await app.article({ client })
    expect([await statusFor(writer, id), await statusFor(other, id)]).toEqual([200, 404])
    await change(id, { clientId: otherClient.id })
    expect([await statusFor(writer, id), await statusFor(other, id)]).toEqual([404, 200])
    await change(id, { clientId: null })
    expect([await statusFor(writer, id), await statusFor(other, id)]).toEqual([404, 404])
    expect(await statusFor(admin, id)).toBe(200)
  })

  it('a re-assignment ends the access that a deleted client left', async () => {
    const { id } = await app.article({ client })
    await app.as(admin).delete(`/v1/clients/${client.id}`)
    expect(await statusFor(writer, id)).toBe(200)
    expect((await change(id, { clientId: client.id, name: 'Renamed' })).status).toBe(200)
    await change(id, { clientId: otherClient.id })
    expect(await statusFor(writer, id)).toBe(404)
    expect((await change(id, { clientId: client.id })).status).toBe(400)
  })

  it('takes 5,000 keywords and not one more', { tags: ['@AP-17'] }, async () => {
    const { id } = await app.article()
    const list = (length: number) =>
      Array.from({ length }, (_, at) => ({
        ...keyword,
        keyword: `keyword ${at} ${'x'.repeat(180)}`,
      }))
    const answer = await change(id, { keywordList: list(5_000) })
    expect(answer.status).toBe(200)
    expect((await read(id)).keywordList).toEqual(list(5_000))
    const refused = await change(id, { keywordList: list(5_001) })
    expect([refused.status, (await refused.json()).message]).toEqual([
      400,
      '"keywordList" must have at most 5000 entries',
    ])
    expect((await read(id)).keywordList).toHaveLength(5_000)
  })

  it.each([
    ['a text as entry', 'oat'],
    ['null', null],
    ['no category', { ...keyword, category: undefined }],
    ['an unknown key', { ...keyword, used: true }],
    ['an empty keyword', { ...keyword, keyword: '' }],
    ['a keyword of signs alone', { ...keyword, keyword: ' =+@ ' }],
    ['a long keyword', { ...keyword, keyword: 'x'.repeat(201) }],
    ['control characters', { ...keyword, keyword: 'a\u0007b' }],
    ['a long source', { ...keyword, source: 'x'.repeat(11) }],
    ['a long category', { ...keyword, category: 'x'.repeat(51) }],
    ['an object as score', { ...keyword, score: {} }],
    ['no score', { ...keyword, score: null }],
  ])('refuses %s in the list, naming its place', async (_, entry) => {
    const { id } = await app.article({ keywordList: [keyword] })
    const answer = await change(id, { name: 'Renamed', keywordList: [keyword, entry] })
    expect(answer.status).toBe(400)
    expect((await answer.json()).message).toMatch(/keywordList\.1|"used" is not/)
    expect(await read(id)).toMatchObject({ version: 1, keywordList: [keyword] })
  })

  it('refuses a score beyond all numbers, and normalises the text of a regular expression', async () => {
    const { id } = await app.article()
    const body = '{"keywordList":[{"keyword":"a","source":"E","score":1e999,"category":"x"}]}'
    expect((await change(id, body)).status).toBe(400)
    const odd = { keyword: '(a+)+$', source: '', score: '80 %', category: 'Something else' }
    const stored = { ...odd, keyword: 'a' }
    expect((await (await change(id, { keywordList: [odd] })).json()).keywordList).toEqual([stored])
  })

  it.each([
    ['=HYPERLINK("https://prize.example/claim","Oats")', 'hyperlinkhttpsprizeexampleclaimoats'],
    ['+1-555', '1-555'],
    ['@SUM(A1)', 'suma1'],
    ['  Green   Coffee ', 'green coffee'],
    ['Grower’s “Choice”', "grower's choice"],
  ])('stores %s as an upload would: %s', { tags: ['@KW-01'] }, async (keyword, stored) => {
    const { id } = await app.article()
    const entry = { keyword, source: ' e ', score: '4', category: 'Must Use' }
    const kept = [{ ...entry, keyword: stored, source: 'E' }]
    expect((await (await change(id, { keywordList: [entry] })).json()).keywordList).toEqual(kept)
    expect((await read(id)).keywordList).toEqual(kept)
  })

  it('is all or nothing', async () => {
    const { id } = await app.article({ name: 'Before', client })
    for (const body of [
      { name: 'After', articleText: words('x') },
      { name: 'After', completed: true },
      { name: 'After', wordMinimum: -1 },
      { name: 'After', clientId: UNKNOWN },
      { name: '', wordMinimum: 3 },
      {},
    ]) {
      expect((await change(id, body)).status).toBe(400)
    }
    expect(await read(id)).toMatchObject({ name: 'Before', wordMinimum: 0, version: 1 })
  })

  it('works on a complete article too', async () => {
    const { id } = await app.article({ completed: true })
    expect(await (await change(id, { name: 'Renamed' })).json()).toMatchObject({ completed: true })
  })

  it('heeds If-Match on the version, and last write wins without it', {
    tags: ['@Q90'],
  }, async () => {
    const { id } = await app.article({ client })
    await writes(id, 'Meanwhile.')
    const stale = await change(id, { name: 'Mine' }, { 'if-match': '"v1.t1"' })
    expect([stale.status, await stale.json()]).toMatchObject([
      412,
      {
        reason: 'stale',
        current: { version: 2, textVersion: 2, articleText: words('Meanwhile.') },
      },
    ])
    expect((await change(id, { name: 'Mine' }, { 'if-match': '"v2.t2"' })).status).toBe(200)
    expect((await change(id, { name: 'Theirs' })).status).toBe(200)
  })

  it('never costs a writer a conflict of texts', { tags: ['@fault-42'] }, async () => {
    const { id } = await app.article({ client })
    await change(id, { name: 'Renamed', keywordList: [keyword] })
    const saved = await app
      .as(writer)
      .patch(`/v1/articles/${id}`, { articleText: words('Mine.') }, { 'if-match': '"v1.t1"' })
    expect([saved.status, saved.headers.get('etag')]).toEqual([
      200,
      expect.stringMatching(/^"v3\.t2-r_[\w-]+"$/),
    ])
  })

  it('returns a repeated key as before, and refuses the key for another change', async () => {
    const { id } = await app.article()
    const key = { 'idempotency-key': 'one' }
    const first = await change(id, { name: 'First' }, key)
    await change(id, { name: 'Second' })
    const again = await change(id, { name: 'First' }, key)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await again.json()).toEqual(await first.json())
    expect((await read(id)).name).toBe('Second')
    expect((await change(id, { name: 'Other' }, key)).status).toBe(422)
    expect(await records(id)).toHaveLength(2)
  })

  it('the time of a change rises, though the clock was set back', async () => {
    const { id } = await app.article()
    app.clock.advance(-60_000)
    const { updatedAt } = await (await change(id, { name: 'Renamed' })).json()
    expect(updatedAt).toBe('2026-03-02T09:00:00.001Z')
  })

  it('completion and reopening are on record, texts are not', { tags: ['@CO-11'] }, async () => {
    const { id } = await app.article({ client })
    await writes(id, 'Draft.')
    await app.as(writer).patch(`/v1/articles/${id}`, { completed: true })
    await app.as(writer).patch(`/v1/articles/${id}`, { completed: true })
    await app.as(admin).patch(`/v1/articles/${id}`, { completed: false })
    expect(await records(id)).toEqual([
      [writer.id, 'article.completed', { textVersion: 2, handIn: 1 }],
      [admin.id, 'article.reopened', { textVersion: 2 }],
    ])
  })
})

describe('DELETE /articles/{id}', () => {
  const remove = async (id: string) => (await app.as(admin).delete(`/v1/articles/${id}`)).status

  it('is gone for all users in every list', { tags: ['@AP-18'] }, async () => {
    const { id } = await app.article({ client })
    expect([await remove(id), await remove(id)]).toEqual([204, 404])
    expect([await statusFor(writer, id), await statusFor(admin, id)]).toEqual([404, 404])
    expect((await app.as(admin).get(`/v1/articles/${id}/revisions`)).status).toBe(404)
    expect((await change(id, { name: 'Renamed' })).status).toBe(404)
    const mine = await (await app.as(writer).get('/v1/articles/client/myArticles')).json()
    const all = await (await app.as(admin).get('/v1/articles')).json()
    expect([mine.totalResults, all.totalResults]).toEqual([0, 0])
    expect(await records(id)).toEqual([[admin.id, 'article.deleted', {}]])
  })

  it('a client that keeps saving gets 200s, then 404s', async () => {
    const { id } = await app.article({ client })
    await app.signIn(writer)
    await app.signIn(admin)
    let saves = 0
    let deletion: Promise<number> | undefined
    const writeOn = async (): Promise<number> => {
      const { status } = await writes(id, `Text ${saves}`)
      if (status !== 200) return status
      saves += 1
      if (saves === 20) deletion = remove(id)
      // Requests of a browser arrive in separate turns of the event loop.
      await nextTurn()
      return writeOn()
    }
    const ends = await Promise.all(Array.from({ length: 8 }, writeOn))
    expect([await deletion, new Set(ends)]).toEqual([204, new Set([404])])
    expect(await writes(id, 'Too late.')).toMatchObject({ status: 404 })
    expect(app.logLines.filter(({ level }) => level === 'error')).toEqual([])
  })
})
