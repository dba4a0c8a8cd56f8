import { beforeEach, describe, expect, it } from 'vitest'
import { BRIEF_MAX } from '../../domain/limits.ts'
import type { LogEntry } from '../../domain/wire/log.ts'
import { readState } from '../events/change-rows.ts'
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

const PLAN = { brief: 'Write about prices.', dueOn: '2026-12-03' }
const NONE = { brief: '', dueOn: null, counter: 0, changedBy: null, changedAt: null }

const put = (body: unknown, headers: Record<string, string> = {}, person = admin) =>
  app.as(person).put(`/v1/articles/${id}/plan`, body, headers)
const plan = async (person = writer) => (await app.as(person).get(`/v1/articles/${id}/plan`)).json()
const article = async () => (await app.as(writer).get(`/v1/articles/${id}`)).json()
const mine = async () =>
  (await (await app.as(writer).get('/v1/articles/client/myArticles')).json()).results[0]
const entries = async (): Promise<LogEntry[]> =>
  (await (await app.as(writer).get(`/v1/articles/${id}/log`)).json()).results

describe('the plan of an article', () => {
  it('is empty until an admin sets it, and is for every reader of the article', async () => {
    const before = await app.as(writer).get(`/v1/articles/${id}/plan`)
    expect([before.headers.get('etag'), await before.json()]).toEqual(['"p0"', NONE])
    const answer = await put(PLAN)
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"p1"'])
    const kept = {
      ...PLAN,
      counter: 1,
      changedBy: { id: admin.id, name: 'Clara Whitlock' },
      changedAt: '2026-03-02T09:00:00.000Z',
    }
    expect(await answer.json()).toEqual(kept)
    await app.as(admin).delete(`/v1/users/${admin.id}`)
    expect(await plan()).toEqual(kept)
    const outsider = await app.user()
    expect((await app.as(outsider).get(`/v1/articles/${id}/plan`)).status).toBe(404)
  })

  it('changes neither the version nor the time of the article, and is named with it', async () => {
    const before = await article()
    app.clock.advance(60_000)
    await put(PLAN)
    expect(before.plan).toBeUndefined()
    expect(await article()).toEqual({ ...before, plan: { counter: 1, dueOn: '2026-12-03' } })
    const { articleText: _, revision: __, updatedBy: ___, textUpdatedAt: ____, ...listed } = before
    expect(await mine()).toEqual({ ...listed, plan: { counter: 1, dueOn: '2026-12-03' } })
    await put({ ...PLAN, dueOn: null })
    expect((await article()).plan).toEqual({ counter: 2, dueOn: null })
  })

  it('shows through a conditional read of an article and of the list', async () => {
    const path = `/v1/articles/${id}`
    const list = '/v1/articles/client/myArticles'
    const reader = app.as(writer)
    const tagOf = async (of: string) => (await reader.get(of)).headers.get('etag') ?? ''
    const known = { 'if-none-match': await tagOf(path) }
    const listed = { 'if-none-match': await tagOf(list) }
    const read = async () => [
      (await reader.get(path, known)).status,
      (await reader.get(list, listed)).status,
    ]
    expect(await read()).toEqual([304, 304])
    await put(PLAN)
    expect(await read()).toEqual([200, 200])
    // A save answers with a tag, and says nothing of the plan.
    const articleText = {
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Words.' }] }],
    }
    const saved = await reader.patch(path, { articleText })
    const again = await reader.get(path, { 'if-none-match': saved.headers.get('etag') ?? '' })
    expect([again.status, (await again.json()).plan.counter]).toEqual([200, 1])
  })

  it('is hinted at with its counter', async () => {
    await put(PLAN)
    const stream = await app.as(writer).get('/v1/events')
    await put({ ...PLAN, brief: 'Another.' })
    await app.settled()
    app.deps.changes.end()
    expect(await stream.text()).toContain(
      `"articleId":"${id}","version":1,"textVersion":1,"plan":2}`,
    )
  })

  it('set to what it is already is no change, whatever it is based on', async () => {
    await put(PLAN)
    const { seq } = await readState(app.db)
    for (const headers of [{}, { 'if-match': '"p0"' }] as Record<string, string>[]) {
      const again = await put({ ...PLAN, brief: '  Write about prices.\r\n' }, headers)
      expect([again.status, again.headers.get('etag')]).toEqual([200, '"p1"'])
    }
    expect((await readState(app.db)).seq).toBe(seq)
    expect(await entries()).toHaveLength(1)
    const other = await app.article()
    await app.as(admin).put(`/v1/articles/${other.id}/plan`, { brief: '', dueOn: null })
    expect(await app.db.selectFrom('article_plans').select('article_id').execute()).toEqual([
      { article_id: id },
    ])
  })

  it('of two admins at once one wins, and the other gets the text of the first with the refusal', async () => {
    await put(PLAN)
    const second = await app.user({ name: 'Rowan Ashdown', role: 'admin' })
    const based = { 'if-match': '"p1"' }
    const [a, b] = await Promise.all([
      put({ ...PLAN, brief: 'Of Clara.' }, based),
      put({ ...PLAN, brief: 'Of Rowan.' }, based, second),
    ])
    expect([a.status, b.status].sort()).toEqual([200, 412])
    const [won, lost] = a.status === 200 ? [a, b] : [b, a]
    const first = await won.json()
    const { reason, current } = await lost.json()
    expect([reason, current]).toEqual(['stale', first])
    const next = { ...PLAN, brief: `${current.brief}\nBoth.` }
    expect((await put(next, { 'if-match': `"p${current.counter}"` })).status).toBe(200)
    expect(await plan()).toMatchObject({ ...next, counter: 3 })
  })

  it.each([
    ['"p1"', 200],
    ['W/"p1"', 200],
    ['p1', 200],
    ['"p1-gzip"', 200],
    ['"p0", "p1"', 200],
    ['*', 200],
    ['', 200],
    ['"p0"', 412],
    ['"p2"', 412],
    ['"v1.t1"', 412],
    ['"p"', 412],
  ])('based on %s: %i', async (tag, status) => {
    await put(PLAN)
    expect((await put({ ...PLAN, dueOn: null }, { 'if-match': tag })).status).toBe(status)
  })

  it('heeds a condition in the address as in the header', async () => {
    await put(PLAN)
    const path = `/v1/articles/${id}/plan?If-Match=${encodeURIComponent('"p0"')}`
    expect((await app.as(admin).put(path, { ...PLAN, dueOn: null })).status).toBe(412)
  })

  it.each([
    ['a day that does not exist', { ...PLAN, dueOn: '2026-02-30' }],
    ['a time', { ...PLAN, dueOn: '2026-12-03T00:00:00Z' }],
    ['a day long ago', { ...PLAN, dueOn: '1999-12-31' }],
    ['no day', { brief: 'Words.' }],
    ['no brief', { dueOn: null }],
    ['a brief that is too long', { ...PLAN, brief: 'x'.repeat(BRIEF_MAX + 1) }],
    ['another key', { ...PLAN, counter: 7 }],
  ])('refuses %s', async (_, body) => {
    expect((await put(body)).status).toBe(400)
    expect(await plan()).toEqual(NONE)
  })

  it('keeps the lines of the longest brief, without what is not seen', async () => {
    expect((await put({ ...PLAN, brief: 'x'.repeat(BRIEF_MAX) })).status).toBe(200)
    expect((await put({ ...PLAN, brief: '語'.repeat(BRIEF_MAX) })).status).toBe(200)
    await put({ ...PLAN, brief: '  One.\r\nTwo.\u0000\u202e\tThree.\n\n' })
    expect((await plan()).brief).toBe('One.\nTwo.\tThree.')
  })

  it('is checked in the order of every change', async () => {
    const stale = { 'if-match': '"p9"' }
    const outsider = await app.user()
    expect((await put({}, stale, outsider)).status).toBe(404)
    expect((await put({}, stale, writer)).status).toBe(403)
    expect((await put({}, stale)).status).toBe(400)
    expect((await put(PLAN, stale)).status).toBe(412)
    await app.as(admin).get(`/v1/articles/${id}`)
    await app.db.deleteFrom('sessions').where('user_id', '=', admin.id).execute()
    expect((await put({}, stale)).status).toBe(401)
    expect(await plan()).toEqual(NONE)
  })

  it('leaves an entry in the log with what changed', async () => {
    await put(PLAN)
    await put({ ...PLAN, dueOn: '2026-12-10' })
    await put({ brief: '', dueOn: '2026-12-10' })
    const facts = (await entries()).map(({ by, action, changed, dueOn }) => [
      by?.name,
      action,
      changed,
      dueOn,
    ])
    expect(facts).toEqual([
      ['Clara Whitlock', 'article.planned', ['brief'], undefined],
      ['Clara Whitlock', 'article.planned', ['dueOn'], { now: '2026-12-10', before: '2026-12-03' }],
      [
        'Clara Whitlock',
        'article.planned',
        ['brief', 'dueOn'],
        { now: '2026-12-03', before: null },
      ],
    ])
    const filtered = await app.as(admin).get('/v1/log?kind=changed')
    expect((await filtered.json()).totalResults).toBe(3)
  })

  it('of a deleted article is there when it is brought back, and goes when that is over', async () => {
    await put(PLAN)
    const kept = await plan()
    const remove = (of: string) => app.as(admin).delete(`/v1/articles/${of}`)
    await remove(id)
    expect((await app.as(writer).get(`/v1/articles/${id}/plan`)).status).toBe(404)
    expect((await put({ ...PLAN, brief: 'Late.' })).status).toBe(404)
    await app.as(admin).post(`/v1/articles/admin/${id}/restore`)
    expect(await plan()).toEqual(kept)
    expect((await article()).plan).toEqual({ counter: 1, dueOn: PLAN.dueOn })
    await remove(id)
    const other = await app.article()
    app.clock.advance(31 * 24 * 60 * 60 * 1_000)
    await app.signIn(admin)
    await remove(other.id)
    expect(await app.db.selectFrom('article_plans').selectAll().execute()).toEqual([])
  })
})
