import { beforeEach, describe, expect, it } from 'vitest'
import { NOTE_MAX, NOTES_MAX } from '../../domain/limits.ts'
import type { ArticleNote } from '../../domain/wire/notes.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

let app: TestApp
let admin: TestUser
let writer: TestUser
let id: string

beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Clara Whitlock', role: 'admin' })
  writer = await app.user({ name: 'Imogen Hale' })
  id = (await app.article({ client: await app.client({ users: [writer] }) })).id
})

const WHY = { kind: 'reopened', body: 'Please add prices.', handIn: 1 }
const ANSWER = { kind: 'answer', body: 'Added.' }

const send = (person: TestUser, body: unknown, headers: Record<string, string> = {}) =>
  app.as(person).post(`/v1/articles/${id}/notes`, body, headers)
const notes = async (): Promise<ArticleNote[]> =>
  (await (await app.as(writer).get(`/v1/articles/${id}/notes`)).json()).results
const article = async () => (await app.as(writer).get(`/v1/articles/${id}`)).json()

async function completeAndReopen() {
  await app.as(writer).patch(`/v1/articles/${id}`, { completed: true })
  await app.as(admin).patch(`/v1/articles/${id}`, { completed: false })
}

describe('notes of an article', () => {
  it('are the reason of a reopening and its answers, oldest first, with names that stay', async () => {
    await completeAndReopen()
    const first = await send(admin, WHY)
    expect(first.status).toBe(201)
    const why = {
      id: expect.any(String),
      createdAt: '2026-03-02T09:00:00.000Z',
      ...WHY,
      author: { id: admin.id, name: 'Clara Whitlock' },
    }
    expect(await first.json()).toEqual(why)
    app.clock.advance(1_000)
    await send(writer, ANSWER)
    await app.as(admin).delete(`/v1/users/${writer.id}`)
    const answer = await app.as(admin).get(`/v1/articles/${id}/notes`)
    expect((await answer.json()).results).toEqual([
      why,
      {
        id: expect.any(String),
        createdAt: '2026-03-02T09:00:01.000Z',
        kind: 'answer',
        body: 'Added.',
        handIn: null,
        author: { id: writer.id, name: 'Imogen Hale' },
      },
    ])
  })

  it('change neither the version nor the time of the article, and are counted with it', async () => {
    await completeAndReopen()
    const before = await article()
    app.clock.advance(60_000)
    await send(writer, ANSWER)
    expect([before.handIns, before.notes]).toEqual([1, undefined])
    expect(await article()).toEqual({ ...before, notes: 1 })
    const list = await (await app.as(writer).get('/v1/articles/client/myArticles')).json()
    expect(list.results[0]).toMatchObject({ handIns: 1, notes: 1, version: before.version })
  })

  it('are hinted at to those who read the article', async () => {
    const stream = await app.as(writer).get('/v1/events')
    await send(writer, ANSWER)
    await app.settled()
    app.deps.changes.end()
    expect(await stream.text()).toContain(
      `"articleId":"${id}","version":1,"textVersion":1,"notes":1}`,
    )
  })

  it('sent again under one key are one; another under it is refused', async () => {
    const key = { 'idempotency-key': 'k1' }
    const [first, again] = [await send(writer, ANSWER, key), await send(writer, ANSWER, key)]
    expect(again.status).toBe(201)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await again.json()).toEqual(await first.json())
    const other = await send(writer, { ...ANSWER, body: 'Another.' }, key)
    expect([other.status, (await other.json()).reason]).toEqual([422, 'key_reuse'])
    expect(await notes()).toHaveLength(1)
  })

  it('keep their lines, without what is not seen', async () => {
    await send(writer, { ...ANSWER, body: '  One.\r\nTwo.\u0000\u202e\tThree.\n\n' })
    expect((await notes())[0]?.body).toBe('One.\nTwo.\tThree.')
  })

  it('are refused about a hand-in that the article does not have', async () => {
    await completeAndReopen()
    for (const body of [
      { ...WHY, handIn: 99 },
      { ...ANSWER, handIn: 2 },
    ]) {
      const refused = await send(admin, body)
      expect([refused.status, await refused.json()]).toEqual([
        400,
        expect.objectContaining({
          message: `This article has no hand-in ${body.handIn}.`,
          reason: 'unknown_hand_in',
        }),
      ])
    }
    expect(await notes()).toEqual([])
    expect((await send(admin, WHY)).status).toBe(201)
  })

  it('say of no complete article why it was reopened; answers are taken', async () => {
    await app.as(writer).patch(`/v1/articles/${id}`, { completed: true })
    const refused = await send(admin, WHY)
    expect([refused.status, await refused.json()]).toEqual([
      409,
      expect.objectContaining({
        message: 'This article is complete. Reopen it before you say why.',
        reason: 'article_completed',
      }),
    ])
    expect(await notes()).toEqual([])
    expect((await send(writer, { ...ANSWER, handIn: 1 })).status).toBe(201)
    await app.as(admin).patch(`/v1/articles/${id}`, { completed: false })
    expect((await send(admin, WHY)).status).toBe(201)
  })

  it('say of an article that is complete again why it was reopened before', async () => {
    await completeAndReopen()
    await app.as(writer).patch(`/v1/articles/${id}`, { completed: true })
    expect((await send(admin, { ...WHY, handIn: 2 })).status).toBe(409)
    expect((await send(admin, WHY)).status).toBe(201)
    expect(await notes()).toMatchObject([WHY])
  })

  it('are limited in length and number', async () => {
    expect((await send(writer, { ...ANSWER, body: 'x'.repeat(NOTE_MAX) })).status).toBe(201)
    expect((await send(writer, { ...ANSWER, body: 'x'.repeat(NOTE_MAX + 1) })).status).toBe(400)
    const one = { article_id: id, kind: 'answer' as const, body: 'x', author_id: writer.id }
    const author = { author_name: 'Imogen Hale', hand_in: null, created_at: '2026-03-02' }
    const rest = { ...author, ref: null, about: null, anchor: null, suggestion: null }
    const rows = Array.from({ length: NOTES_MAX - 1 }, (_, at) => ({
      id: `n${at}`,
      ...one,
      ...rest,
    }))
    await app.db.insertInto('article_notes').values(rows).execute()
    const answer = await send(writer, ANSWER)
    expect([answer.status, (await answer.json()).reason]).toEqual([409, 'too_many_notes'])
  })

  it('of a deleted article are there when it is brought back', async () => {
    await send(writer, ANSWER)
    await app.as(admin).delete(`/v1/articles/${id}`)
    expect((await send(writer, ANSWER)).status).toBe(404)
    await app.as(admin).post(`/v1/articles/admin/${id}/restore`)
    expect(await notes()).toHaveLength(1)
  })

  it('that one session sends are limited', async () => {
    const limited = await createTestApp({ config: { rateLimits: true } })
    const person = await limited.user()
    const { id: of } = await limited.article({ client: await limited.client({ users: [person] }) })
    const statuses: number[] = []
    for (let count = 0; count < 301; count += 1) {
      limited.clock.advance(1_000)
      statuses.push((await limited.as(person).post(`/v1/articles/${of}/notes`, ANSWER)).status)
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(300)
    expect(statuses.at(-1)).toBe(429)
  })
})
