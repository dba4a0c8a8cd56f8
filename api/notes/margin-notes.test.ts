import { beforeEach, describe, expect, it } from 'vitest'
import { NOTE_CHANGES_MAX, NOTE_MAX, NOTES_MAX, QUOTE_MAX } from '../../domain/limits.ts'
import type { HandIn } from '../../domain/wire/hand-ins.ts'
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

const ANCHOR = {
  quote: 'half the lamps',
  before: ' They bought ',
  after: ' they had planned',
  block: 3,
  textVersion: 2,
}
const NOTE = { kind: 'note', body: 'Can we say how many?', ref: 'first', anchor: ANCHOR }

const add = (person: TestUser, body: unknown, headers: Record<string, string> = {}) =>
  app.as(person).post(`/v1/articles/${id}/notes`, body, headers)
const change = (
  person: TestUser,
  ref: string,
  body: unknown,
  headers: Record<string, string> = {},
) => app.as(person).patch(`/v1/articles/${id}/notes/${ref}`, body, headers)
const notes = async (): Promise<ArticleNote[]> =>
  (await (await app.as(writer).get(`/v1/articles/${id}/notes`)).json()).results
const refusal = async (answer: Response) => {
  const { message, reason } = await answer.json()
  return [answer.status, message, reason]
}

describe('a note about words', () => {
  it('is listed with its anchor and suggestion, and is about no hand-in', async () => {
    const added = await add(admin, { ...NOTE, suggestion: 'all their lamps' })
    expect(added.status).toBe(201)
    const note = {
      id: expect.any(String),
      createdAt: '2026-03-02T09:00:00.000Z',
      kind: 'note',
      body: 'Can we say how many?',
      author: { id: admin.id, name: 'Clara Whitlock' },
      handIn: 0,
      ref: 'first',
      anchor: ANCHOR,
      suggestion: 'all their lamps',
    }
    expect(await added.json()).toEqual(note)
    expect(await notes()).toEqual([note])
  })

  it('needs words of its own or a suggestion', async () => {
    const { body: _, ...wordless } = NOTE
    expect((await add(writer, wordless)).status).toBe(400)
    expect((await add(writer, { ...wordless, suggestion: 'the lamps' })).status).toBe(201)
  })

  it('is written on a complete article too', async () => {
    await app.as(writer).patch(`/v1/articles/${id}`, { completed: true })
    expect((await add(writer, NOTE)).status).toBe(201)
  })

  it('has answers, which name it', async () => {
    await add(admin, NOTE)
    const answer = { kind: 'answer', body: 'Twelve.', ref: 'second', to: 'first' }
    expect(await (await add(writer, answer)).json()).toMatchObject({ ...answer, handIn: 0 })
    const unknown = await add(writer, { ...answer, ref: 'third', to: 'none' })
    expect(await refusal(unknown)).toEqual([404, 'This note is not known.', 'unknown_note'])
    expect((await add(writer, { ...answer, ref: 'third', to: 'second' })).status).toBe(404)
  })

  it('without a name is named by its id', async () => {
    const { ref: _, ...nameless } = NOTE
    const { id: noteId, ref } = await (await add(admin, nameless)).json()
    expect(ref).toBe(noteId)
    expect((await change(writer, noteId, { done: true })).status).toBe(200)
  })

  it('that arrives under its name again, with another key, is stored once', async () => {
    const first = await (await add(admin, NOTE, { 'idempotency-key': 'k1' })).json()
    const again = await add(admin, NOTE, { 'idempotency-key': 'k2' })
    expect([again.status, await again.json()]).toEqual([201, first])
    expect(await notes()).toHaveLength(1)
  })

  it('is another request under one key when its anchor or suggestion is another', async () => {
    const key = { 'idempotency-key': 'k1' }
    await add(admin, NOTE, key)
    const other = await add(admin, { ...NOTE, anchor: { ...ANCHOR, block: 4 } }, key)
    expect([other.status, (await other.json()).reason]).toEqual([422, 'key_reuse'])
  })

  it('is limited in length and number', async () => {
    const long = { ...NOTE, anchor: { ...ANCHOR, quote: 'x'.repeat(QUOTE_MAX + 1) } }
    expect((await refusal(await add(writer, long)))[1]).toContain(
      '"quote" must have at most 1000 characters',
    )
    expect((await add(writer, { ...NOTE, body: 'x'.repeat(NOTE_MAX + 1) })).status).toBe(400)
    await fill('note', NOTES_MAX)
    expect(await refusal(await add(writer, NOTE))).toEqual([
      409,
      'This article has 1,000 notes, the most it can have.',
      'too_many_notes',
    ])
    expect((await change(writer, 'n0', { done: true })).status).toBe(200)
  })
})

describe('a change of a note', () => {
  it('is kept with all others, and the last in the order of the server counts', async () => {
    await add(admin, NOTE)
    for (const [person, done] of [
      [writer, true],
      [admin, false],
      [writer, true],
    ] as const)
      expect((await change(person, 'first', { done })).status).toBe(200)
    const changes = (await notes()).slice(1)
    expect(changes.map(({ kind, to, author }) => [kind, to, author.name])).toEqual([
      ['done', 'first', 'Imogen Hale'],
      ['open', 'first', 'Clara Whitlock'],
      ['done', 'first', 'Imogen Hale'],
    ])
  })

  it('is counted and hinted at, and changes no version of the article', async () => {
    await add(admin, NOTE)
    const article = async () => (await app.as(writer).get(`/v1/articles/${id}`)).json()
    const before = await article()
    const stream = await app.as(writer).get('/v1/events')
    await change(writer, 'first', { done: true })
    await app.settled()
    app.deps.changes.end()
    expect(await stream.text()).toContain(
      `"articleId":"${id}","version":1,"textVersion":1,"notes":2}`,
    )
    expect(await article()).toEqual({ ...before, notes: 2 })
  })

  it('sent again under its key is one', async () => {
    await add(admin, NOTE)
    const key = { 'idempotency-key': 'k1' }
    await change(writer, 'first', { done: true }, key)
    const again = await change(writer, 'first', { done: true }, key)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await notes()).toHaveLength(2)
  })

  it('is refused of what is no note about words', async () => {
    const { id: plain } = await (await add(writer, { kind: 'answer', body: 'Added.' })).json()
    await add(admin, NOTE)
    await add(admin, { kind: 'answer', body: 'Twelve.', ref: 'second', to: 'first' })
    for (const ref of [plain, 'second', 'none'])
      expect((await change(writer, ref, { done: true })).status).toBe(404)
    expect((await change(writer, plain, { takenBack: true })).status).toBe(404)
    expect((await change(writer, 'first', { done: 'yes' })).status).toBe(400)
  })

  it('takes words back for a minute, by their author only', async () => {
    await add(writer, NOTE)
    await add(writer, { kind: 'answer', body: 'Sorry.', ref: 'second', to: 'first' })
    expect((await change(admin, 'first', { takenBack: true })).status).toBe(403)
    app.clock.advance(60_000)
    expect((await change(writer, 'second', { takenBack: true })).status).toBe(200)
    app.clock.advance(1)
    expect(await refusal(await change(writer, 'first', { takenBack: true }))).toEqual([
      409,
      'A note can be taken back for a minute. Mark it as done instead.',
      'too_late',
    ])
    expect((await notes()).map(({ kind, body, to }) => [kind, body, to])).toEqual([
      ['note', 'Can we say how many?', undefined],
      ['answer', '', 'first'],
      ['taken-back', '', 'second'],
    ])
  })

  it('is limited in number', async () => {
    await add(admin, NOTE)
    await fill('done', NOTE_CHANGES_MAX)
    expect((await change(writer, 'first', { done: true })).status).toBe(409)
    expect((await add(writer, { ...NOTE, ref: 'second' })).status).toBe(201)
  })
})

describe('open notes', () => {
  const open = async (): Promise<number | undefined> => {
    const { results } = await (await app.as(admin).get('/v1/progress')).json()
    return results[0].openNotes
  }
  const complete = (completed: boolean) =>
    app.as(admin).patch(`/v1/articles/${id}`, { completed }, { prefer: 'return=minimal' })

  it('are counted in the progress of their article', async () => {
    expect(await open()).toBeUndefined()
    await add(admin, NOTE)
    await add(writer, { ...NOTE, ref: 'second' })
    await add(writer, { kind: 'answer', body: 'Twelve.', ref: 'third', to: 'first' })
    await add(writer, { kind: 'answer', body: 'About the brief.' })
    expect(await open()).toBe(2)
    await change(writer, 'first', { done: true })
    await change(admin, 'first', { done: true })
    expect(await open()).toBe(1)
    await change(writer, 'first', { done: false })
    expect(await open()).toBe(2)
    await change(writer, 'second', { takenBack: true })
    await change(writer, 'second', { done: false })
    await change(writer, 'third', { takenBack: true })
    expect(await open()).toBe(1)
    await change(writer, 'first', { done: true })
    expect(await open()).toBeUndefined()
  })

  it('are named by the receipt of a hand-in', async () => {
    await complete(true)
    await add(admin, NOTE)
    await complete(false)
    await complete(true)
    const { results } = await (await app.as(writer).get(`/v1/articles/${id}/hand-ins`)).json()
    expect(results.map(({ receipt }: HandIn) => receipt)).toMatchObject([
      { number: 2, openNotes: 1 },
      { number: 1 },
    ])
    expect(results[1].receipt).not.toHaveProperty('openNotes')
    const check = await app.as(writer).post('/v1/hand-ins/verify', { receipt: results[0].receipt })
    expect(await check.json()).toEqual({ known: true, intact: true })
  })
})

/** Rows of this kind that are in the article already. */
async function fill(kind: 'note' | 'done', count: number): Promise<void> {
  const one = { article_id: id, kind, body: 'x', author_id: writer.id, author_name: 'Imogen Hale' }
  const rest = { hand_in: 0, created_at: '2026-03-02', about: null, anchor: null, suggestion: null }
  const rows = Array.from({ length: count }, (_, at) => ({
    ...one,
    ...rest,
    id: `0-${at}`,
    ref: `n${at}`,
  }))
  for (let at = 0; at < count; at += 500)
    await app.db
      .insertInto('article_notes')
      .values(rows.slice(at, at + 500))
      .execute()
}
