import { beforeEach, describe, expect, it } from 'vitest'
import { PROGRAM_TOKENS_MAX } from '../../domain/limits.ts'
import { doc, paragraph, text } from '../../domain/testing/nodes.ts'
import type { HandOvers } from '../../domain/wire/hand-overs.ts'
import type { NewProgramToken, ProgramToken } from '../../domain/wire/program-tokens.ts'
import { OPERATIONS } from '../openapi/operations.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const UNKNOWN = '0195a000-0000-7000-8000-00000000ffff'

let app: TestApp
let admin: TestUser
let second: TestUser
let writer: TestUser
let client: { id: string; name: string }
let other: { id: string; name: string }

beforeEach(async () => {
  app = await createTestApp()
  await begin()
})

async function begin() {
  admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
  second = await app.user({ name: 'Cosmo Reyes', role: 'admin' })
  writer = await app.user({ name: 'Imogen Hale' })
  client = await app.client({ name: 'Larkspur Gardens', users: [writer] })
  other = await app.client({ name: 'Fathom Coffee', users: [writer] })
}

const create = (body: object, person = admin) => app.as(person).post('/v1/program-tokens', body)
const wanted = (clients: { id: string }[] = [client]) => ({
  name: 'Website',
  clientIds: clients.map(({ id }) => id),
  days: 90,
})
const made = async (clients?: { id: string }[], person = admin): Promise<NewProgramToken> => {
  const answer = await create(wanted(clients), person)
  expect(answer.status).toBe(201)
  return answer.json()
}
const listed = async (): Promise<ProgramToken[]> =>
  (await (await app.as(second).get('/v1/program-tokens')).json()).results

const withToken = (token: string) => ({ authorization: `Bearer ${token}` })
const read = (token: string, query = '') =>
  app.as(null).get(`/v1/hand-overs${query}`, withToken(token))
const statusOf = async (token: string) => (await read(token)).status

/** An article that was completed for this client. */
async function handedIn(of: { id: string }): Promise<string> {
  const { id } = await app.article({ client: of })
  await app
    .as(writer)
    .patch(`/v1/articles/${id}`, { articleText: doc(paragraph(text('Done.'))), completed: true })
  return id
}

describe('a token', () => {
  it('is shown once, and stored as a digest only', async () => {
    const { token, ...shown } = await made()
    expect(token).toMatch(/^ctn_[\w-]{43}$/)
    expect(shown).toEqual({
      id: shown.id,
      name: 'Website',
      clients: [{ id: client.id, name: 'Larkspur Gardens' }],
      owner: { id: admin.id, name: 'Ada Ferris' },
      state: 'active',
      createdAt: '2026-03-02T09:00:00.000Z',
      expiresAt: '2026-05-31T09:00:00.000Z',
      lastUsedOn: null,
    })
    expect(await listed()).toEqual([shown])
    const rows = await app.db.selectFrom('program_tokens').selectAll().execute()
    const audit = await app.db.selectFrom('audit').selectAll().execute()
    expect(JSON.stringify([rows, audit, app.logLines])).not.toContain(token.slice(4))
    expect(rows[0]?.digest).toMatch(/^[\da-f]{64}$/)
  })

  it('has the day of its last use, which is written once a day', async () => {
    const { token } = await made()
    const day = async () => (await listed())[0]?.lastUsedOn
    await read(token)
    expect(await day()).toBe('2026-03-02')
    await app.db.updateTable('program_tokens').set({ name: 'Renamed' }).execute()
    app.clock.advance(DAY_MS)
    await app.signIn(second)
    expect(await day()).toBe('2026-03-02')
    await read(token)
    expect(await day()).toBe('2026-03-03')
  })

  it('ends with its last millisecond', async () => {
    const { token } = await made()
    app.clock.advance(90 * DAY_MS - 1)
    expect(await statusOf(token)).toBe(200)
    app.clock.advance(1)
    expect(await statusOf(token)).toBe(401)
    await app.signIn(second)
    expect((await listed())[0]?.state).toBe('expired')
  })

  it.each([
    [{ days: 366 }, '"days" must be at most 365'],
    [{ days: 0 }, /"days"/],
    [{ clientIds: [] }, '"clientIds" is required'],
    [{ clientIds: [UNKNOWN] }, '"clientIds" has an unknown client'],
    [{ name: ' ' }, '"name" is required'],
  ])('is refused with %j', async (given, message) => {
    const answer = await create({ ...wanted(), ...given })
    expect(answer.status).toBe(400)
    expect((await answer.json()).message).toMatch(message)
    expect(await listed()).toEqual([])
  })

  it('is refused for a deleted client, and beyond a hundred', async () => {
    await app.as(admin).delete(`/v1/clients/${other.id}`)
    expect((await create(wanted([client, other]))).status).toBe(400)
    for (let count = 0; count < PROGRAM_TOKENS_MAX; count += 1) await made()
    const answer = await create(wanted())
    expect([answer.status, (await answer.json()).reason]).toEqual([409, 'too_many_tokens'])
  })

  it('ends at once when it is revoked', async () => {
    const [revoked, kept] = [await made(), await made()]
    expect(await statusOf(revoked.token)).toBe(200)
    const answer = await app.as(second).delete(`/v1/program-tokens/${revoked.id}`)
    expect(answer.status).toBe(204)
    expect([await statusOf(revoked.token), await statusOf(kept.token)]).toEqual([401, 200])
    expect((await app.as(second).delete(`/v1/program-tokens/${revoked.id}`)).status).toBe(404)
  })

  it('is deleted with the admin who made it, unless another admin took it over', async () => {
    const [left, taken] = [await made(), await made()]
    const answer = await app.as(second).post(`/v1/program-tokens/${taken.id}/owner`)
    expect((await answer.json()).owner).toEqual({ id: second.id, name: 'Cosmo Reyes' })
    expect((await app.as(second).delete(`/v1/users/${admin.id}`)).status).toBe(204)
    expect([await statusOf(left.token), await statusOf(taken.token)]).toEqual([401, 200])
    expect((await listed()).map(({ id }) => id)).toEqual([taken.id])
  })

  it('pauses while its owner is no admin', async () => {
    const { id, token } = await made()
    await app.as(second).patch(`/v1/users/${admin.id}`, { role: 'user' })
    expect(await statusOf(token)).toBe(401)
    expect((await listed())[0]?.state).toBe('without-admin')
    await app.as(second).post(`/v1/program-tokens/${id}/owner`)
    expect(await statusOf(token)).toBe(200)
  })

  it('is in the log: made, taken over, revoked, and deleted with an account', async () => {
    const [first, deleted] = [await made(), await made()]
    await app.as(second).post(`/v1/program-tokens/${first.id}/owner`)
    await app.as(second).post(`/v1/program-tokens/${first.id}/owner`)
    await app.as(second).delete(`/v1/program-tokens/${first.id}`)
    await app.as(second).delete(`/v1/users/${admin.id}`)
    const { results } = await (await app.as(second).get('/v1/log?kind=programs')).json()
    const lines = results.map((entry: { action: string; by: object; subject: object }) => [
      entry.action,
      entry.by,
      entry.subject,
    ])
    const [byAdmin, bySecond] = [admin, second].map(({ id, name }) => ({ id, name }))
    const [of, ofDeleted] = [first, deleted].map(({ id, name }) => ({ id, name }))
    expect(lines).toEqual([
      ['program-token.revoked', bySecond, ofDeleted],
      ['program-token.revoked', bySecond, of],
      ['program-token.taken-over', bySecond, of],
      ['program-token.created', byAdmin, ofDeleted],
      ['program-token.created', byAdmin, of],
    ])
  })
})

describe('what a token may read', () => {
  const idsFor = async (token: string) => {
    const { results }: HandOvers = await (await read(token)).json()
    return results.map(({ articleId }) => articleId)
  }

  it('is what was handed in for its clients', async () => {
    const [mine, theirs] = [await handedIn(client), await handedIn(other)]
    expect(await idsFor((await made()).token)).toEqual([mine])
    expect(await idsFor((await made([other])).token)).toEqual([theirs])
    expect(await idsFor((await made([client, other, client])).token)).toEqual([mine, theirs])
  })

  it('is nothing by any other route, whatever the token', async () => {
    const id = await handedIn(client)
    const [live, expired, revoked, others] = [
      await made(),
      await made(),
      await made(),
      await made([other]),
    ]
    await app.as(admin).delete(`/v1/program-tokens/${revoked.id}`)
    await app.db
      .updateTable('program_tokens')
      .set({ expires_at: '2026-03-02T09:00:00.000Z' })
      .where('id', '=', expired.id)
      .execute()
    const outcomes = new Map<string, number[]>()
    for (const { method, path, who } of OPERATIONS) {
      if (who === 'everyone') continue
      const address = path.replace(/\{(id|userId)\}/, id).replace('{textVersion}', '1')
      const statuses: number[] = []
      for (const { token } of [live, expired, revoked, others]) {
        const caller = app.as(null)
        const answer =
          method === 'get'
            ? await caller.get(address, withToken(token))
            : await caller[method](address, {}, withToken(token))
        statuses.push(answer.status)
        await answer.body?.cancel()
      }
      outcomes.set(`${method} ${path}`, statuses)
    }
    expect(outcomes.size).toBeGreaterThan(40)
    const open = [...outcomes].filter(([, statuses]) => statuses.some((status) => status !== 401))
    expect(open).toEqual([['get /v1/hand-overs', [200, 401, 401, 200]]])
    expect(await idsFor(others.token)).toEqual([])
  })

  it.each([
    ['no token', {}],
    ['an access token', null],
    ['a token of no one', withToken(`ctn_${'a'.repeat(43)}`)],
    ['a token as Basic', { authorization: `Basic ctn_${'a'.repeat(43)}` }],
  ])('is refused with %s', async (_, headers) => {
    const answer = await (headers === null
      ? app.as(admin).get('/v1/hand-overs')
      : app.as(null).get('/v1/hand-overs', headers))
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  it('is refused with a token in the address, also where the header has it too', async () => {
    const { token } = await made()
    for (const name of ['token', 'access_token', 'since']) {
      const address = `/v1/hand-overs?${name}=${token}`
      const statuses = [
        (await app.as(null).get(address)).status,
        (await app.as(null).get(address, withToken(token))).status,
      ]
      expect(statuses).toEqual([401, 401])
    }
    expect(JSON.stringify(app.logLines)).not.toContain(token.slice(4))
  })

  it('is limited for each token', async () => {
    app = await createTestApp({ config: { rateLimits: true } })
    await begin()
    const [one, another] = [await made(), await made()]
    for (let count = 0; count < 120; count += 1) expect(await statusOf(one.token)).toBe(200)
    const answer = await read(one.token)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60'])
    expect(await statusOf(another.token)).toBe(200)
    app.clock.advance(60_000)
    expect(await statusOf(one.token)).toBe(200)
  })

  it('cannot be guessed without being slowed down', async () => {
    app = await createTestApp({ config: { rateLimits: true } })
    await begin()
    const statuses: number[] = []
    for (let count = 0; count < 121; count += 1)
      statuses.push(await statusOf(`ctn_${String(count).padStart(43, 'a')}`))
    expect([...new Set(statuses.slice(0, 120)), statuses.at(-1)]).toEqual([401, 429])
  })
})
