import { beforeEach, describe, expect, it } from 'vitest'
import type { ArticleDocument } from '../../domain/text/document.ts'
import { articleSchema } from '../../domain/wire/articles.ts'
import { errorSchema } from '../../domain/wire/errors.ts'
import { readState } from '../events/change-rows.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

const text = (words: string): ArticleDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})
const bold = (text: string) => ({
  marks: [{ type: 'strike' }, { type: 'bold' }],
  text,
  type: 'text',
})
const SECOND = 1_000
const DAY = 24 * 60 * 60 * SECOND

let app: TestApp
let admin: TestUser
let writer: TestUser
let colleague: TestUser
let stranger: TestUser
let id: string

beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
  writer = await app.user({ name: 'Imogen Hale' })
  colleague = await app.user({ name: 'Ines Duarte' })
  stranger = await app.user({ name: 'Otto Lindqvist' })
  const client = await app.client({ users: [writer, colleague] })
  id = (await app.article({ client, articleText: text('One.') })).id
})

type Headers = Record<string, string>
const patch = (person: TestUser | null, body: unknown, headers: Headers = {}, articleId = id) =>
  app.as(person).patch(`/v1/articles/${articleId}`, body, headers)
const stored = () =>
  app.db.selectFrom('articles').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const revisions = () =>
  app.db.selectFrom('article_revisions').selectAll().where('article_id', '=', id).execute()
const changes = async () => (await readState(app.db)).seq

describe('a change', () => {
  it('returns the whole article with both counters moved', {
    tags: ['@AP-15', '@AP-37', '@Q94'],
  }, async () => {
    app.clock.advance(SECOND)
    const answer = await patch(writer, { articleText: text('One two.') })
    expect([answer.status, answer.headers.get('etag')]).toEqual([
      200,
      expect.stringMatching(/^"v2\.t2-r_[\w-]+"$/),
    ])
    const article = await answer.json()
    expect(articleSchema.parse(article)).toEqual(article)
    expect(article).toMatchObject({
      articleText: text('One two.'),
      version: 2,
      textVersion: 2,
      updatedAt: '2026-03-02T09:00:01.000Z',
      createdAt: '2026-03-02T09:00:00.000Z',
    })
    expect(await stored()).toMatchObject({ words: 2, text_updated_by: writer.id })
  })

  it('completion moves the version alone', async () => {
    const article = await (await patch(writer, { completed: true })).json()
    expect(article).toMatchObject({ completed: true, version: 2, textVersion: 1 })
    expect(await revisions()).toHaveLength(1)
  })

  it('takes text and completion as one', async () => {
    const body = { articleText: text('The end.'), completed: true }
    const article = await (await patch(writer, body)).json()
    expect(article).toMatchObject({ ...body, version: 2, textVersion: 2 })
  })

  it('answers without the text for return=minimal', async () => {
    const prefer = { prefer: 'respond-async, return=minimal' }
    const answer = await patch(writer, { articleText: text('One two.') }, prefer)
    expect(answer.headers.get('preference-applied')).toBe('return=minimal')
    const article = await answer.json()
    expect(article).toMatchObject({ id, version: 2, textVersion: 2, completed: false })
    expect(article).not.toHaveProperty('articleText')
  })

  it('updatedAt rises with every change, even when the clock runs backwards', async () => {
    const times: string[] = []
    for (const step of [0, 0, -DAY, 5 * SECOND]) {
      app.clock.advance(step)
      const body = { articleText: text(`Version ${times.length}`) }
      times.push((await (await patch(writer, body)).json()).updatedAt)
    }
    expect(times).toEqual([
      '2026-03-02T09:00:00.001Z',
      '2026-03-02T09:00:00.002Z',
      '2026-03-02T09:00:00.003Z',
      '2026-03-02T09:00:00.004Z',
    ])
  })

  it('is counted once in the change feed', async () => {
    const before = await changes()
    await patch(writer, { articleText: text('Two.') })
    await patch(writer, { articleText: text('Two.') })
    await patch(writer, { articleText: 5 })
    await patch(writer, { completed: true })
    expect(await changes()).toBe(before + 2)
  })

  it('that changes nothing returns 200 and moves nothing', async () => {
    const before = await stored()
    app.clock.advance(SECOND)
    const spaced = {
      type: 'doc',
      content: [{ content: [{ text: 'One.', type: 'text', marks: [] }], type: 'paragraph' }],
    }
    for (const body of [
      { articleText: text('One.') },
      { articleText: spaced },
      { completed: false },
    ]) {
      const answer = await patch(admin, body, { 'if-match': '"v9.t9"' })
      expect([answer.status, answer.headers.get('etag')]).toEqual([
        200,
        expect.stringMatching(/^"v1\.t1-r_[\w-]+"$/),
      ])
    }
    expect(await stored()).toEqual(before)
    expect(await revisions()).toHaveLength(1)
  })

  it('completing a complete article is no change', { tags: ['@PE-07'] }, async () => {
    await patch(writer, { completed: true })
    const answer = await patch(colleague, { completed: true }, { 'if-match': '"v1.t1"' })
    expect([answer.status, (await answer.json()).version]).toEqual([200, 2])
  })
})

describe('the order of checks', () => {
  const bad = { articleText: 5, other: 1 }
  const key = { 'idempotency-key': 'bad key with blanks' }
  const stale = { 'if-match': '"v9.t9"' }

  it('token before visibility, visibility before everything about the request', async () => {
    expect((await patch(null, bad, key)).status).toBe(401)
    expect((await patch(stranger, bad, key)).status).toBe(404)
    expect((await patch(stranger, { completed: false })).status).toBe(404)
  })

  it('a known key before the body', async () => {
    await patch(writer, { articleText: text('Two.') }, { 'idempotency-key': 'k1' })
    expect((await patch(writer, bad, { 'idempotency-key': 'k1' })).status).toBe(422)
    expect((await patch(writer, bad, { 'idempotency-key': 'k2' })).status).toBe(400)
  })

  it('the body before rights, rights before state, state before the precondition', {
    tags: ['@AP-15'],
  }, async () => {
    await patch(writer, { completed: true })
    const answers = [
      await patch(writer, { ...bad, completed: false }, stale),
      await patch(writer, { articleText: text('Two.'), completed: false }, stale),
      await patch(writer, { articleText: text('Two.') }, stale),
      await patch(writer, { articleText: text('One.') }, stale),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 403, 409, 409])
  })

  it('an equal text before the precondition', async () => {
    expect((await patch(writer, { articleText: text('One.') }, stale)).status).toBe(200)
    expect((await patch(writer, { articleText: text('Two.') }, stale)).status).toBe(412)
  })

  it.each([
    [
      'parts and marks in another order, a default left out, a text in pieces',
      {
        type: 'doc',
        content: [{ type: 'heading', attrs: { level: 1 }, content: [bold('One two.')] }],
      },
      { content: [{ content: [bold('One '), bold('two.')], type: 'heading' }], type: 'doc' },
    ],
    ['nothing at all', {}, { type: 'doc', content: [{ type: 'paragraph', content: [] }] }],
    ['an empty paragraph', { type: 'doc', content: [{ type: 'paragraph' }] }, {}],
  ])('an equal text in another spelling changes nothing: %s', async (_, one, other) => {
    const { version } = await (await patch(writer, { articleText: one })).json()
    const answer = await patch(writer, { articleText: other }, stale)
    expect([answer.status, (await answer.json()).version]).toEqual([200, version])
  })

  it('every refusal has the shape of an error and changes nothing', {
    tags: ['@AP-33'],
  }, async () => {
    const before = await stored()
    const answers = [
      await patch(null, {}),
      await patch(stranger, {}),
      await patch(writer, {}),
      await patch(writer, { completed: false }),
      await patch(writer, { articleText: text('Two.') }, stale),
      await patch(writer, { completed: true }, key),
    ]
    for (const answer of answers) {
      const body = errorSchema.parse(await answer.json())
      expect(body.code).toBe(answer.status)
      expect(body.message).not.toBe('')
    }
    expect(answers.map(({ status }) => status)).toEqual([401, 404, 400, 403, 412, 400])
    expect(await stored()).toEqual(before)
    expect(await app.db.selectFrom('idempotency').selectAll().execute()).toEqual([])
  })
})

describe('rights and states', () => {
  it('only an admin reopens, and nothing of a request with a forbidden field is applied', {
    tags: ['@CO-14', '@PE-06', '@Q89'],
  }, async () => {
    await patch(writer, { completed: true })
    const refused = await patch(writer, { completed: false, articleText: text('Sneaked in.') })
    expect([refused.status, (await refused.json()).message]).toEqual([403, 'Forbidden'])
    expect(await stored()).toMatchObject({
      completed: 1,
      article_text: JSON.stringify(text('One.')),
    })
    expect((await (await patch(admin, { completed: false })).json()).completed).toBe(false)
    expect((await patch(writer, { completed: false })).status).toBe(403)
  })

  it('a complete article takes no text from any user until it is reopened', {
    tags: ['@ED-20', '@Q42'],
  }, async () => {
    await patch(writer, { completed: true })
    for (const person of [writer, admin]) {
      for (const body of [
        { articleText: text('Two.') },
        { articleText: text('Two.'), completed: true },
      ]) {
        const answer = await patch(person, body)
        expect([answer.status, (await answer.json()).reason]).toEqual([409, 'article_completed'])
      }
    }
    const reopened = await patch(admin, { completed: false, articleText: text('Two.') })
    expect(await reopened.json()).toMatchObject({ completed: false, articleText: text('Two.') })
    expect((await patch(writer, { articleText: text('Three.') })).status).toBe(200)
  })
})

describe('If-Match', () => {
  it('a stale text gets the current article to merge with', { tags: ['@Q90'] }, async () => {
    await patch(colleague, { articleText: text('Hers.') }, { 'if-match': '"v1.t1"' })
    const answer = await patch(writer, { articleText: text('Mine.') }, { 'if-match': '"v1.t1"' })
    expect(answer.status).toBe(412)
    const body = await answer.json()
    expect(errorSchema.parse(body)).toEqual(body)
    expect(body).toMatchObject({ code: 412, reason: 'stale' })
    expect(body.current).toEqual({
      version: 2,
      textVersion: 2,
      revision: expect.any(String),
      updatedAt: '2026-03-02T09:00:00.001Z',
      completed: false,
      articleText: text('Hers.'),
      updatedBy: { id: colleague.id, name: 'Ines Duarte' },
    })
    const merged = { 'if-match': '"v2.t2"', 'contun-reason': 'merge' }
    expect((await patch(writer, { articleText: text('Hers. Mine.') }, merged)).status).toBe(200)
  })

  it('names no author when no user wrote the text or the account is gone', async () => {
    const ask = async () => {
      const answer = await patch(writer, { articleText: text('Mine.') }, { 'if-match': '"v0.t0"' })
      return (await answer.json()).current.updatedBy
    }
    const read = async () => (await app.as(writer).get(`/v1/articles/${id}`)).json()
    expect(await ask()).toBe(null)
    expect((await read()).updatedBy).toBe(null)
    await patch(colleague, { articleText: text('Hers.') })
    expect((await read()).updatedBy).toEqual({ id: colleague.id, name: 'Ines Duarte' })
    await app.db.deleteFrom('users').where('id', '=', colleague.id).execute()
    expect(await ask()).toBe(null)
    expect((await read()).updatedBy).toBe(null)
  })

  it('a changed flag is no conflict for a text', async () => {
    await patch(writer, { completed: true })
    await patch(admin, { completed: false })
    const answer = await patch(writer, { articleText: text('Two.') }, { 'if-match': '"v1.t1"' })
    expect([answer.status, answer.headers.get('etag')]).toEqual([
      200,
      expect.stringMatching(/^"v4\.t2-r_[\w-]+"$/),
    ])
  })

  it('a completion asks for the version', async () => {
    await patch(colleague, { articleText: text('Two.') })
    const stale = await patch(writer, { completed: true }, { 'if-match': '"v1.t2"' })
    expect([stale.status, (await stale.json()).current.version]).toEqual([412, 2])
    expect((await patch(writer, { completed: true }, { 'if-match': '"v2.t1"' })).status).toBe(200)
  })

  it('completing with a text that the article already has is not stale', async () => {
    const body = { articleText: text('One.'), completed: true }
    const answer = await patch(writer, body, { 'if-match': '"v9.t9"' })
    expect(await answer.json()).toMatchObject({ completed: true, version: 2, textVersion: 1 })
  })

  it('* matches whatever is there', async () => {
    const answer = await patch(writer, { articleText: text('Two.') }, { 'if-match': '*' })
    expect(answer.status).toBe(200)
  })

  it('of two concurrent saves on one version one succeeds and the other gets 412', async () => {
    const header = { 'if-match': '"v1.t1"' }
    const answers = await Promise.all([
      patch(writer, { articleText: text('Mine.') }, header),
      patch(colleague, { articleText: text('Hers.') }, header),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    const refused = answers.find(({ status }) => status === 412)
    const { current } = (await refused?.json()) ?? {}
    expect(JSON.stringify(current.articleText)).toBe((await stored()).article_text)
  })
})

it('a change whose sender is deleted while it comes in writes nothing', {
  tags: ['@PE-15'],
}, async () => {
  const { access } = await app.signIn(writer)
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        await app.db.deleteFrom('users').where('id', '=', writer.id).execute()
        stream.enqueue(new TextEncoder().encode(JSON.stringify({ articleText: text('Too late.') })))
        stream.close()
      },
    },
    { highWaterMark: 0 },
  )
  const answer = await app.app.request(`/v1/articles/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${access.token}`, 'content-type': 'application/json' },
    body,
    duplex: 'half',
  } as RequestInit)
  expect(answer.status).toBe(401)
  expect(await revisions()).toHaveLength(1)
})
