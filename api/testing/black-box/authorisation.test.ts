import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestUser } from '../test-app.ts'
import {
  articleCalls,
  type Filled,
  fill,
  type StartedServer,
  startServer,
  text,
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
const put = (articleText: unknown) => patch({ articleText })

describe('permissions', () => {
  it('a stranger learns nothing from any id', async () => {
    const unknown = UNKNOWN_ID
    const told = async (answer: Response) => {
      const { requestId: _, ...body } = await answer.json()
      const headers = Object.fromEntries(answer.headers)
      return { status: answer.status, body, headers: { ...headers, 'x-request-id': '', date: '' } }
    }
    const tags = { 'if-match': '"v9.t9"', 'idempotency-key': 'k', prefer: 'return=minimal' }
    for (const [person, ids] of [
      [all.U0, [all.P1, all.P2, all.PN, all.PD]],
      [all.U2, [all.P1, all.PN, all.PD]],
    ] as const) {
      for (const id of ids) {
        expect(await told(await get(person, id))).toEqual(await told(await get(person, unknown)))
        for (const body of [{ completed: true }, { completed: false }, { articleText: {} }, '{']) {
          const answer = await patch(body, tags, id, person)
          expect(answer.status).toBe(404)
          expect(await told(answer)).toEqual(await told(await patch(body, tags, unknown, person)))
        }
      }
    }
  })

  it('no header or query changes the identity of the caller', async () => {
    const headers = {
      'x-http-method-override': 'PATCH',
      'x-role': 'admin',
      'x-original-url': `/v1/articles/${all.P1}`,
      'x-user-id': all.A1.id,
    }
    expect(
      (await server.as(all.U2).get(`/v1/articles/${all.P1}?role=admin&_method=PATCH`, headers))
        .status,
    ).toBe(404)
    expect((await patch({ completed: false }, headers)).status).toBe(403)
    expect(
      (await server.app.request(`/v1/articles/${all.P1}?access_token=x`, { headers })).status,
    ).toBe(401)
  })

  it('a client user never reopens', async () => {
    await patch({ completed: true })
    expect((await patch({ completed: false })).status).toBe(403)
    expect((await read()).completed).toBe(true)
  })

  it('a complete article keeps its text until an admin reopens it', async () => {
    await patch({ articleText: text('The end.'), completed: true })
    expect((await put(text('And more.'))).status).toBe(409)
    expect((await read()).articleText).toEqual(text('The end.'))
    await patch({ completed: false }, {}, all.P1, all.A1)
    expect((await put(text('And more.'))).status).toBe(200)
  })

  it('leaving the client cuts access at the next request, coming back restores it', {
    tags: ['@PE-16'],
  }, async () => {
    const link = { client_id: all.C1, user_id: all.U1.id }
    const seen = async () => [
      (await get(all.U1, all.P1)).status,
      (await put(text('Mine.'))).status,
      (await (await server.as(all.U1).get('/v1/articles/client/myArticles')).json()).totalResults,
    ]
    expect(await seen()).toEqual([200, 200, 1])
    await server.db
      .deleteFrom('client_users')
      .where('user_id', '=', all.U1.id)
      .where('client_id', '=', all.C1)
      .execute()
    expect(await seen()).toEqual([404, 404, 0])
    await server.db.insertInto('client_users').values(link).execute()
    expect(await seen()).toEqual([200, 200, 1])
  })

  it('the users of a deleted client keep access by direct link', {
    tags: ['@PE-09', '@PE-10'],
  }, async () => {
    expect((await get(all.U1, all.PD)).status).toBe(200)
    expect((await patch({ articleText: text('Still here.') }, {}, all.PD)).status).toBe(200)
    const mine = await (await server.as(all.U1).get('/v1/articles/client/myArticles')).json()
    expect(mine.results.map(({ id }: { id: string }) => id)).toEqual([all.P1])
    expect((await get(all.U2, all.PD)).status).toBe(404)
    await server.db
      .updateTable('articles')
      .set({ client_id: null })
      .where('id', '=', all.PD)
      .execute()
    expect((await get(all.U1, all.PD)).status).toBe(404)
  })

  it('an article without a client is for admins', { tags: ['@CH-16', '@PE-11'] }, async () => {
    expect((await get(all.U1, all.PN)).status).toBe(404)
    const mine = await (await server.as(all.U1).get('/v1/articles/client/myArticles')).text()
    expect(mine).not.toContain(all.PN)
    expect((await get(all.A1, all.PN)).status).toBe(200)
    expect((await patch({ wordMinimum: 1 })).status).toBe(400)
  })

  it('an article shows a client user the author of its text, and no other name or address', async () => {
    await patch({ articleText: text('By the agency.') }, {}, all.P1, all.A1)
    const list = await server.as(all.U1).get('/v1/articles/client/myArticles?fields=text')
    const answers = [await list.text()]
    for (const answer of [await get(all.U1, all.P1), await patch({ completed: true })]) {
      const { updatedBy, ...article } = await answer.json()
      expect(updatedBy).toEqual({ id: all.A1.id, name: all.A1.name })
      answers.push(JSON.stringify(article))
    }
    for (const answer of answers) {
      for (const secret of [
        all.A1.name,
        all.A1.email,
        all.U2.name,
        all.U2.email,
        all.U1.email,
        'hash',
        '$2',
        'password',
      ]) {
        expect(answer).not.toContain(secret)
      }
    }
  })

  it('an admin reads no hash and no token of any user', async () => {
    await server.login(all.U1)
    await server.as(null).post('/v1/auth/forgot-password', { email: all.U1.email })
    await server.settled()
    for (const path of ['users?limit=100', 'clients?limit=100', 'articles', `articles/${all.P1}`]) {
      const answer = await server.as(all.A1).get(`/v1/${path}`)
      expect(answer.status).toBe(200)
      expect(await answer.text()).not.toMatch(/hash|token|secret|\$2|eyJ/i)
    }
  })

  it('deleting the client during saves interrupts no writer', async () => {
    await server.signIn(all.U1)
    const answers = Array.from({ length: 200 }, (_, at) => put(text(`Version ${at}`)))
    expect((await server.as(all.A1).delete(`/v1/clients/${all.C1}`)).status).toBe(204)
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})

describe('many at once', () => {
  it('the last admin stays', async () => {
    await server.as(all.A1).delete(`/v1/users/${all.A2.id}`)
    const path = `/v1/users/${all.A1.id}`
    expect((await server.as(all.A1).delete(path)).status).toBe(409)
    expect((await server.as(all.A1).patch(path, { role: 'user' })).status).toBe(409)
  })

  it('two admins who delete each other, 100 times, leave at least one', async () => {
    for (let round = 0; round < 100; round++) {
      const pair = await Promise.all([
        server.user({ role: 'admin' }),
        server.user({ role: 'admin' }),
      ])
      await server.db
        .updateTable('users')
        .set({ role: 'user' })
        .where(
          'id',
          'not in',
          pair.map(({ id }) => id),
        )
        .execute()
      const [a, b] = pair
      const away = (by: TestUser, of: TestUser) =>
        round % 2 === 0
          ? server.as(by).delete(`/v1/users/${of.id}`)
          : server.as(by).patch(`/v1/users/${of.id}`, { role: 'user' })
      const statuses = await Promise.all([away(a, b), away(b, a)])
      expect(statuses.filter(({ ok }) => ok)).toHaveLength(1)
      const admins = await server.db
        .selectFrom('users')
        .select('id')
        .where('role', '=', 'admin')
        .execute()
      expect(admins).toHaveLength(1)
    }
  }, 60_000)

  it('deleting an article during saves: saved, then not found', async () => {
    await server.signIn(all.U1)
    const answers = Array.from({ length: 100 }, (_, at) => put(text(`Version ${at}`)))
    expect((await server.as(all.A1).delete(`/v1/articles/${all.P1}`)).status).toBe(204)
    const statuses = new Set((await Promise.all(answers)).map(({ status }) => status))
    expect([...statuses].every((status) => status === 200 || status === 404)).toBe(true)
    expect((await put(text('And more.'))).status).toBe(404)
  })
})
