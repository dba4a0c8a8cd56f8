import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  articleCalls,
  type Filled,
  fill,
  type StartedServer,
  startServer,
  UNKNOWN_ID,
} from './started-server.ts'

let server: StartedServer
let all: Filled

beforeEach(async () => {
  server = await startServer()
  all = await fill(server)
})
afterEach(async () => {
  await server.expectHealthy()
  await server.stop()
})

const { get, read, patch } = articleCalls(() => ({ server, all }))
const refusal = async (answer: Response) => {
  const { code, reason, message } = await answer.json()
  return { status: answer.status, code, reason, said: message !== '' }
}
const badRequest = { status: 400, code: 400, reason: undefined, said: true }

describe('bodies', () => {
  it.each(['__proto__', 'constructor', 'prototype'])(
    'refuses the key %s at any depth',
    async (key) => {
      const hostile = `{"${key}":{"role":"admin","completed":true}}`
      const inDocument = `{"articleText":{"type":"doc","content":[{"type":"paragraph","attrs":${hostile}}]}}`
      const escaped = `{"articleText":{},"${key.replace('o', '\\u006f')}":{"role":"admin"}}`
      for (const body of [hostile, inDocument, escaped])
        expect((await patch(body)).status).toBe(400)
      expect({}).not.toHaveProperty('role')
      expect((await patch({ completed: false })).status).toBe(403)
    },
  )

  it.each([
    '{}',
    '[]',
    'null',
    '"x"',
    '1',
    '{"completed":true}{"completed":true}',
    '\ufeff{"completed":true}',
    '{"completed":true,}',
    '{"completed":NaN}',
    "{'completed':true}",
    '{"completed":',
    '',
    ' ',
  ])('refuses the body %j', async (body) => {
    expect(await refusal(await patch(body))).toEqual(badRequest)
    expect((await read()).completed).toBe(false)
  })

  it('of a key that comes twice the last one counts', async () => {
    expect((await patch('{"completed":"no","completed":true}')).status).toBe(200)
    expect((await patch('{"completed":true,"completed":false}')).status).toBe(403)
  })

  it('refuses broken UTF-8 instead of changing letters', async () => {
    const start =
      '{"articleText":{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"'
    const body = Buffer.concat([
      Buffer.from(start),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}]}]}}'),
    ])
    expect(await refusal(await patch(new Uint8Array(body)))).toEqual(badRequest)
  })

  it('applies nothing of a body with a foreign key', async () => {
    const before = await read()
    expect(await refusal(await patch({ completed: true, name: 'x' }))).toEqual(badRequest)
    expect(await read()).toEqual(before)
  })

  it.each(['"true"', '1', '0', 'null', '[]', '{}', '""'])(
    'completed is true or false, not %s',
    async (value) => {
      for (const person of [all.U1, all.A1]) {
        expect((await patch(`{"completed":${value}}`, {}, all.P1, person)).status).toBe(400)
      }
      expect((await read()).completed).toBe(false)
    },
  )

  it('names every fault in one message', { tags: ['@AP-36'] }, async () => {
    const { message } = await (await patch({ completed: 'yes', name: 'x', id: 'y' })).json()
    expect(message).toBe(
      '"completed" must be a boolean, "name" is not allowed, "id" is not allowed',
    )
  })
})

describe('what a body may hold', () => {
  it('no user gives themselves a role, and there are two roles', async () => {
    const path = `/v1/users/${all.U1.id}`
    const both = { password: 'another one', role: 'admin' }
    expect((await server.as(all.U1).patch(path, both)).status).toBe(403)
    await server.login(all.U1)
    for (const role of ['superadmin', 'ADMIN', ['admin'], null, ''])
      expect((await server.as(all.A1).patch(path, { role })).status).toBe(400)
  })

  const create = (body: object) =>
    server.as(all.A1).post('/v1/articles', { name: 'New', wordMinimum: 1900, ...body })

  it('an article is made of four fields, for a client that lives', async () => {
    for (const extra of [
      { id: UNKNOWN_ID },
      { _id: UNKNOWN_ID },
      { completed: true },
      { updatedAt: '2020-01-01T00:00:00.000Z' },
      { keywordList: [] },
      { clientId: UNKNOWN_ID },
      { clientId: all.CD },
      { clientId: 'x' },
    ])
      expect([extra, (await create(extra)).status]).toEqual([extra, 400])
    expect((await create({ clientId: all.C1, articleText: {} })).status).toBe(201)
  })

  it('the minimum word count is a whole number from 0 to a million', async () => {
    for (const value of ['-1', '1.5', '1e309', '"abc"', '1e7', 'null', '[]']) {
      const body = `{"name":"New","clientId":null,"wordMinimum":${value}}`
      expect([value, (await server.as(all.A1).post('/v1/articles', body)).status]).toEqual([
        value,
        400,
      ])
    }
    expect((await create({ wordMinimum: 0 })).status).toBe(201)
  })

  it.each(['', '   ', 'x'.repeat(201), 'a\u0000b', 'a\r\nb', 'a\u202eb', '\ud800'])(
    'refuses the name %j everywhere',
    async (name) => {
      const { post, patch } = server.as(all.A1)
      const statuses = [
        await create({ name }),
        await post('/v1/clients', { name }),
        await post('/v1/users', {
          name,
          email: 'n@ash.example',
          password: '12345678',
          role: 'user',
        }),
        await patch(`/v1/articles/admin/${all.P1}`, { name }),
        await patch(`/v1/users/${all.U1.id}`, { name }),
      ].map(({ status }) => status)
      expect(statuses).toEqual([400, 400, 400, 400, 400])
    },
  )

  it.each([
    'Ren\u00e9e \u{1f989}',
    '<img src=x onerror=alert(1)>',
    '{{7*7}}',
    "'; drop table users --",
  ])('keeps the name %j as it is', async (name) => {
    const answer = await create({ name })
    const { id } = await answer.json()
    expect([answer.status, (await read(id)).name]).toEqual([201, name])
  })

  const keyword = { keyword: 'green coffee', source: 'E', score: 4, category: 'Must Use' }
  const setKeywords = (keywordList: unknown) =>
    server.as(all.A1).patch(`/v1/articles/admin/${all.P1}`, { keywordList })

  it('refuses lists of entities that are too long or not entities', async () => {
    for (const list of [
      Array.from({ length: 5_001 }, () => keyword),
      ['green coffee'],
      [{ ...keyword, score: {} }],
      [{ ...keyword, keyword: 'x'.repeat(201) }],
      [{ ...keyword, keyword: 'a\u0007b' }],
      [{ ...keyword, extra: 1 }],
      [{ ...keyword, keyword: '=+@' }],
    ])
      expect((await setKeywords(list)).status).toBe(400)
    const infinite = JSON.stringify({ keywordList: [keyword] }).replace('4', '1e999')
    const path = `/v1/articles/admin/${all.P1}`
    expect((await server.as(all.A1).patch(path, infinite)).status).toBe(400)
    const regex = { ...keyword, keyword: '(a+)+$' }
    expect((await setKeywords([regex])).status).toBe(200)
    expect((await read()).keywordList).toEqual([{ ...keyword, keyword: 'a' }])
  })

  it('the users of a client are known accounts, each once', async () => {
    const set = (users: unknown) => server.as(all.A1).patch(`/v1/clients/${all.C1}`, { users })
    const answer = await set([all.U1.id, all.U1.id])
    expect(answer.status).toBe(200)
    expect((await answer.json()).users).toHaveLength(1)
    for (const users of [
      [UNKNOWN_ID],
      Array.from({ length: 1_001 }, () => all.U1.id),
      [5],
      [null],
      'x',
      { 0: all.U1.id },
    ])
      expect((await set(users)).status).toBe(400)
    expect((await get(all.U1, all.P1)).status).toBe(200)
  })
})
