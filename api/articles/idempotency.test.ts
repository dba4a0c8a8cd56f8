import { sql } from 'kysely'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { ArticleDocument } from '../../domain/text/document.ts'
import { isPostgres } from '../database/engine.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'
import { keepAnswer } from './idempotency.ts'

const text = (words: string): ArticleDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})
const SECOND = 1_000
const DAY = 24 * 60 * 60 * SECOND

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
  id = (await app.article({ client, articleText: text('One.') })).id
})

type Headers = Record<string, string>
const patch = (person: TestUser, body: unknown, headers: Headers = {}, articleId = id) =>
  app.as(person).patch(`/v1/articles/${articleId}`, body, headers)
const stored = () =>
  app.db.selectFrom('articles').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const revisions = () =>
  app.db.selectFrom('article_revisions').selectAll().where('article_id', '=', id).execute()
const keys = () => app.db.selectFrom('idempotency').select(['user_id', 'key']).execute()

describe('Idempotency-Key', () => {
  const key = { 'idempotency-key': 'k1', 'if-match': '"v1.t1"' }
  const body = { articleText: text('Two.') }

  it('gives the same request the same response and applies it once', async () => {
    const first = await patch(writer, body, key)
    expect(first.headers.get('idempotency-replayed')).toBe(null)
    await patch(colleague, { articleText: text('Three.') })
    const again = await patch(writer, body, key)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect(again.headers.get('etag')).toMatch(/^"v2\.t2-r_/)
    expect(await again.json()).toEqual(await first.json())
    expect(await stored()).toMatchObject({
      version: 3,
      article_text: JSON.stringify(text('Three.')),
    })
    expect(await revisions()).toHaveLength(3)
  })

  it('keeps no keyword list under a key, and answers with the present one', async () => {
    const keywordList = [{ keyword: 'garden path', category: 'Must Use', source: 'us', score: 4 }]
    const settings = await app.as(admin).patch(`/v1/articles/admin/${id}`, { keywordList })
    expect(settings.status).toBe(200)
    const first = await (await patch(writer, body, { 'idempotency-key': 'k1' })).json()
    const { response } = await app.db
      .selectFrom('idempotency')
      .select('response')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(response)).not.toHaveProperty('keywordList')
    const again = await (await patch(writer, body, { 'idempotency-key': 'k1' })).json()
    expect(again).toEqual(first)
    expect(again.keywordList).toMatchObject([{ keyword: 'garden path' }])
  })

  it('replays the minimal form to a client that prefers it', async () => {
    await patch(writer, body, key)
    const again = await patch(writer, body, { ...key, prefer: 'return=minimal' })
    const article = await again.json()
    expect(article).toMatchObject({ version: 2, textVersion: 2 })
    expect(article).not.toHaveProperty('articleText')
  })

  it('of twenty at once one is applied', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => patch(writer, body, key)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const replayed = answers.filter(
      (answer) => answer.headers.get('idempotency-replayed') === 'true',
    )
    expect(replayed).toHaveLength(19)
    expect(await revisions()).toHaveLength(2)
  })

  it('a delayed copy of a request that changed nothing stays without effect', {
    tags: ['@fault-3'],
  }, async () => {
    const same = { articleText: text('One.') }
    await patch(writer, same, { 'idempotency-key': 'k1' })
    await patch(colleague, { articleText: text('Hers.') })
    const late = await patch(writer, same, { 'idempotency-key': 'k1' })
    expect([late.status, late.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect(await stored()).toMatchObject({ article_text: JSON.stringify(text('Hers.')) })
  })

  it('replays a completion after the article was reopened', async () => {
    await patch(writer, { completed: true }, { 'idempotency-key': 'k1' })
    await patch(admin, { completed: false })
    const late = await patch(writer, { completed: true }, { 'idempotency-key': 'k1' })
    expect((await late.json()).completed).toBe(true)
    expect(await stored()).toMatchObject({ completed: 0 })
  })

  it('is 422 with another body, article or method', { tags: ['@fault-9'] }, async () => {
    await patch(writer, body, key)
    const other = await app.article({ client: await app.client({ users: [writer] }) })
    const answers = [
      await patch(writer, { articleText: text('Another.') }, key),
      await patch(writer, { ...body, completed: true }, key),
      await patch(writer, { completed: true }, key),
      await patch(writer, body, key, other.id),
    ]
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422])
    expect(await revisions()).toHaveLength(2)
  })

  it('takes the same body in another spelling as the same request', async () => {
    await patch(writer, body, key)
    const spelled = ` {"articleText" : ${JSON.stringify(body.articleText)} } `
    expect((await patch(writer, spelled, key)).headers.get('idempotency-replayed')).toBe('true')
  })

  it('belongs to one user', async () => {
    await patch(writer, body, key)
    const answer = await patch(
      colleague,
      { articleText: text('Hers.') },
      { 'idempotency-key': 'k1' },
    )
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null])
  })

  it('a refusal is never kept: the same request may succeed later', async () => {
    await patch(writer, { completed: true })
    const withKey = { 'idempotency-key': 'k1' }
    expect((await patch(writer, body, withKey)).status).toBe(409)
    expect((await patch(writer, body, { ...withKey, 'if-match': '"v1.t1"' })).status).toBe(409)
    await patch(admin, { completed: false })
    expect((await patch(writer, body, { ...withKey, 'if-match': '"v9.t9"' })).status).toBe(412)
    expect(await keys()).toEqual([])
    expect((await patch(writer, body, withKey)).status).toBe(200)
    expect(await keys()).toEqual([{ user_id: writer.id, key: 'k1' }])
  })

  it.each([
    ['', 400],
    ['a b', 400],
    ['é', 400],
    ['x'.repeat(201), 400],
    ['x'.repeat(200), 200],
    ['!"#~', 200],
  ])('%j as key', async (given, status) => {
    expect((await patch(writer, body, { 'idempotency-key': given })).status).toBe(status)
  })

  it('lives for 30 days; expired ones leave a few at a time', async () => {
    for (let count = 0; count < 30; count++) {
      app.clock.advance(1)
      await patch(
        writer,
        { articleText: text(`Version ${count}`) },
        { 'idempotency-key': `old-${count}` },
      )
    }
    app.clock.advance(30 * DAY - SECOND)
    await app.signIn(writer)
    const known = await patch(
      writer,
      { articleText: text('Version 29') },
      { 'idempotency-key': 'old-29' },
    )
    expect(known.headers.get('idempotency-replayed')).toBe('true')
    app.clock.advance(2 * SECOND)
    const fresh = await patch(
      writer,
      { articleText: text('Anew.') },
      { 'idempotency-key': 'old-29' },
    )
    expect([fresh.status, fresh.headers.get('idempotency-replayed')]).toEqual([200, null])
    expect(await keys()).toHaveLength(10)
    await patch(writer, { articleText: text('And on.') }, { 'idempotency-key': 'next' })
    expect((await keys()).map(({ key }) => key).sort()).toEqual(['next', 'old-29'])
  })

  it('expired ones leave a few at a time also where the engine joins by nested loops', async () => {
    const now = app.clock.now()
    const at = (time: number) => new Date(time).toISOString()
    const expired = Array.from({ length: 30 }, (_, count) => ({
      user_id: writer.id,
      key: `old-${count}`,
      request_hash: '',
      status: 200,
      response: '',
      created_at: at(now - 31 * DAY),
      expires_at: at(now - DAY + count),
    }))
    await app.db.insertInto('idempotency').values(expired).execute()
    await app.db.transaction().execute(async (db) => {
      if (isPostgres(db)) {
        for (const plan of ['hashjoin', 'mergejoin', 'material', 'hashagg', 'sort'])
          await sql`set local ${sql.raw(`enable_${plan}`)} = off`.execute(db)
        await sql`discard plans`.execute(db)
      }
      const use = { userId: writer.id, key: 'k1', requestHash: '', now }
      await keepAnswer(db, use, { status: 200, response: '' })
    })
    expect(await keys()).toHaveLength(11)
  })
})

it('a change and its key are there together or not at all', async () => {
  await patch(writer, { articleText: text('Zero.') }, { 'idempotency-key': 'k0' })
  // No second key can be stored: both engines detect it after the article was written.
  await sql`create unique index one_key on idempotency (status)`.execute(app.db)
  onTestFinished(async () => void (await sql`drop index one_key`.execute(app.db)))
  const before = await stored()
  const answer = await patch(writer, { articleText: text('Two.') }, { 'idempotency-key': 'k1' })
  const { message } = await answer.json()
  expect([answer.status, message]).toEqual([500, 'Internal Server Error'])
  expect(await stored()).toEqual(before)
  expect(await revisions()).toHaveLength(2)
})
