import { beforeEach, describe, expect, it } from 'vitest'
import type { ArticleDocument } from '../../domain/text/document.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

const MINUTE = 60_000
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
  id = (await app.article({ client, articleText: text('First words.') })).id
})

const save = (words: string, headers: Record<string, string> = {}) =>
  app.as(writer).patch(`/v1/articles/${id}`, { articleText: text(words) }, headers)
const restore = (person: TestUser, version: number | string, headers = {}) =>
  app.as(person).post(`/v1/articles/${id}/revisions/${version}/restore`, undefined, headers)
const timeline = async () => {
  const list = await (await app.as(writer).get(`/v1/articles/${id}/revisions?limit=100`)).json()
  return list.results.map(
    (one: { textVersion: number; reason: string }) => `${one.textVersion} ${one.reason}`,
  )
}
const audited = async () =>
  (await app.db.selectFrom('audit').select('action').orderBy('id').execute()).map(
    ({ action }) => action,
  )

describe('POST /articles/{id}/revisions/{textVersion}/restore', () => {
  it('is a new change: the earlier text again, the text it replaced a revision', {
    tags: ['@Q90'],
  }, async () => {
    await save('Second words.', { 'if-match': '"v1.t1"' })
    app.clock.advance(MINUTE)
    const answer = await restore(writer, 1, { 'if-match': '"v2.t2"' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).toMatch(/^"v3\.t3-r_/)
    expect(await answer.json()).toMatchObject({
      textVersion: 3,
      version: 3,
      updatedAt: '2026-03-02T09:01:00.000Z',
      articleText: text('First words.'),
    })
    expect(await timeline()).toEqual(['3 restore', '2 autosave', '1 created'])
    expect(await audited()).toEqual(['article.text-restored'])
  })

  it('of the text that is there already changes nothing', async () => {
    expect(await (await restore(writer, 1)).json()).toMatchObject({ version: 1, textVersion: 1 })
    expect(await timeline()).toEqual(['1 created'])
  })

  it('is applied once under one key, and the key fits no other version', async () => {
    await save('Second words.')
    const once = { 'idempotency-key': 'k1' }
    expect((await restore(writer, 1, once)).status).toBe(200)
    const again = await restore(writer, 1, once)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await again.json()).toMatchObject({ textVersion: 3, articleText: text('First words.') })
    expect((await restore(writer, 2, once)).status).toBe(422)
    expect(await timeline()).toHaveLength(3)
  })

  it('based on an older text is 412 with the present one', async () => {
    await save('Second words.')
    const stale = await restore(writer, 1, { 'if-match': '"v1.t1"' })
    expect(stale.status).toBe(412)
    expect((await stale.json()).current).toMatchObject({
      textVersion: 2,
      articleText: text('Second words.'),
    })
  })

  it('on a complete article is 409, also for an admin', async () => {
    await save('Second words.')
    await app.as(writer).patch(`/v1/articles/${id}`, { completed: true })
    for (const person of [writer, admin]) {
      const answer = await restore(person, 1)
      expect([answer.status, (await answer.json()).reason]).toEqual([409, 'article_completed'])
    }
    expect(await timeline()).toHaveLength(2)
  })

  it('is allowed to every reader of the article; unknown versions are not found', {
    tags: ['@PE-08'],
  }, async () => {
    const stranger = await app.user()
    expect(await (await restore(stranger, 1)).json()).toMatchObject({
      code: 404,
      message: 'Article not found',
    })
    for (const version of [9, 0, '1.0', 'x', 9_999_999_999]) {
      expect(await (await restore(writer, version)).json()).toMatchObject({
        code: 404,
        message: 'Revision not found',
      })
    }
  })

  it('by an admin is on record', async () => {
    await save('Second words.')
    await restore(admin, 1)
    expect(await audited()).toEqual(['article.text-restored'])
    await restore(admin, 1)
    expect(await audited()).toHaveLength(1)
  })
})
