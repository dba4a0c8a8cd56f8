import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIST_TEXTS_BYTES, LIST_TEXTS_MAX } from '../../domain/limits.ts'
import type { ArticleDocument } from '../../domain/text/document.ts'
import type { Config } from '../config.ts'
import { createTestApp, type TestOptions, type TestUser } from '../testing/test-app.ts'
import { ANSWERS_OF_ALL, ANSWERS_OF_SESSION, SESSION_BYTES } from './limits.ts'

const MILLION = 1_000_000
const LISTING = '/v1/articles/client/myArticles?fields=text'

const text = (length: number): ArticleDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x'.repeat(length) }] }],
})

/** A writer of four articles of so many letters. */
async function createAgency(letters = MILLION, options: TestOptions = {}) {
  const app = await createTestApp(options)
  const writer = await app.user()
  const other = await app.user()
  const client = await app.client({ users: [writer, other] })
  for (let made = 0; made < 4; made += 1) await app.article({ client, articleText: text(letters) })
  return { app, writer, other, client }
}

type Agency = Awaited<ReturnType<typeof createAgency>>

/** With long articles, for tests that only read them: making these takes longer than such a test. */
let shared: Agency
beforeAll(async () => {
  shared = await createAgency(MILLION, { isLasting: true })
})
afterAll(() => shared.app.giveBack())

/** A new server over the data of the shared agency. */
async function reopened(config: Partial<Config> = {}): Promise<Agency> {
  const { db, deps } = shared.app
  return { ...shared, app: await createTestApp({ db, deps: { newId: deps.newId }, config }) }
}

/** Clients that read their responses only when a test calls `read`. */
function clientsOf({ app }: Agency) {
  const unread: (() => void)[] = []
  const env = { peer: '', hangUp: () => {}, whenSent: (done: () => void) => void unread.push(done) }
  const token = async (person: TestUser) => (await app.signIn(person)).access.token
  const read = (bearer: string, path = LISTING) =>
    app.app.request(path, { headers: { authorization: `Bearer ${bearer}` } }, env)
  return { env, unread, token, read }
}

describe('answers that are not read', () => {
  it('are bounded for each session, until they are read', async () => {
    const agency = await reopened()
    const { app, writer, other } = agency
    const { unread, token, read } = clientsOf(agency)
    const hostile = await token(writer)
    const calls = await Promise.all(Array.from({ length: 29 }, () => read(hostile)))
    const statuses = calls.map(({ status }) => status)
    const answered = statuses.filter((status) => status === 200).length
    // Two at a time, and a third one where both turned out to be short.
    expect([2, 3]).toContain(answered)
    expect(statuses.filter((status) => status === 429)).toHaveLength(29 - answered)
    expect(calls.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1')
    expect(app.deps.traffic.waiting()).toBeLessThan(ANSWERS_OF_SESSION)
    expect((await read(await token(other))).status).toBe(200)
    for (const done of unread.splice(0)) done()
    expect(app.deps.traffic.waiting()).toBe(0)
    expect((await read(hostile)).status).toBe(200)
  })

  it('are bounded for the server, and short answers are sent all the same', async () => {
    const agency = await reopened()
    const { app, writer, other } = agency
    const { token, read } = clientsOf(agency)
    for (let session = 0; session < 10; session += 1) {
      const hostile = await token(writer)
      for (let call = 0; call < 4; call += 1) await read(hostile)
    }
    expect(app.deps.traffic.waiting()).toBeLessThan(ANSWERS_OF_ALL + MILLION)
    const honest = await token(other)
    const late = await read(honest)
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '2'])
    expect((await read(honest, '/v1/articles/client/myArticles')).status).toBe(200)
  })

  it('never keep the outcome of a change from its writer', async () => {
    const agency = await createAgency()
    const { app, writer } = agency
    const { env, token, read } = clientsOf(agency)
    const hostile = await token(writer)
    for (let call = 0; call < 4; call += 1) await read(hostile)
    const list = await (await app.as(writer).get('/v1/articles/client/myArticles')).json()
    const saved = await app.app.request(
      `/v1/articles/${list.results[0].id}`,
      {
        method: 'PATCH',
        headers: { authorization: `Bearer ${hostile}`, 'content-type': 'application/json' },
        body: JSON.stringify({ articleText: text(MILLION - 1) }),
      },
      env,
    )
    expect(saved.status).toBe(200)
  })
})

describe('a session whose unread answers fill its room', () => {
  it('is answered every refusal', async () => {
    const agency = await reopened()
    const { app, writer } = agency
    const { token, read } = clientsOf(agency)
    const hostile = await token(writer)
    const sessions = app.db.selectFrom('sessions').select('id')
    const { id } = await sessions.orderBy('id', 'desc').executeTakeFirstOrThrow()
    for (const half of [1, 2]) {
      const call = await app.deps.traffic.begin(id, () => {})
      call.expecting(ANSWERS_OF_SESSION / 2)
      expect(app.deps.traffic.waiting()).toBe((half * ANSWERS_OF_SESSION) / 2)
    }
    const refused = await read(hostile)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await read(hostile, '/v1/articles/no-such-article')).status).toBe(404)
  })

  it('holds the bytes that are sent, which are more than the letters', async () => {
    const agency = await createAgency(10)
    const { app, writer, client } = agency
    const { token, read } = clientsOf(agency)
    const { id } = await app.article({
      client,
      articleText: {
        type: 'doc',
        content: [{ type: 'paragraph', content: [{ type: 'text', text: '漢'.repeat(10_000) }] }],
      },
    })
    await read(await token(writer), `/v1/articles/${id}`)
    expect(app.deps.traffic.waiting()).toBeGreaterThan(30_000)
  })
})

describe('the bytes of a session', () => {
  it('are so many in a minute, of bodies and of answers', async () => {
    const agency = await reopened({ rateLimits: true })
    const { app, writer, other } = agency
    const { token, read } = clientsOf(agency)
    const hostile = await token(writer)
    const honest = await token(other)
    let calls = 0
    let answer = await read(hostile, '/v1/articles/client/myArticles')
    while (answer.status === 200 && calls < 1_000) {
      calls += 1
      if (calls % 20 === 0) app.clock.advance(1_000)
      answer = await app.app.request(LISTING, { headers: { authorization: `Bearer ${hostile}` } })
    }
    expect(answer.status).toBe(429)
    expect(calls).toBe(Math.ceil(SESSION_BYTES.most / (4 * MILLION + 2_000)) + 1)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(50)
    expect((await read(honest, LISTING)).status).toBe(200)
    app.clock.advance(60_000)
    expect((await read(hostile, LISTING)).status).toBe(200)
  })
})

describe('a list with texts', () => {
  it('comes in pages', async () => {
    const { app, writer, client } = await createAgency(10)
    for (let made = 0; made < 8; made += 1) await app.article({ client, articleText: text(10) })
    const page = async (query: string) => (await app.as(writer).get(`${LISTING}${query}`)).json()
    const first = await page('')
    expect(first).toMatchObject({ page: 1, limit: 10, totalPages: 2, totalResults: 12 })
    const second = await page('&page=2')
    expect([first.results.length, second.results.length]).toEqual([10, 2])
    const all = await (await app.as(writer).get('/v1/articles/client/myArticles')).json()
    const ids = (list: { results: { id: string }[] }) => list.results.map(({ id }) => id)
    expect([...ids(first), ...ids(second)]).toEqual(ids(all))
    expect((await page('&page=3')).results).toEqual([])
    expect((await page(`&limit=${LIST_TEXTS_MAX + 1}`)).code).toBe(400)
  })

  it('has the texts that there is room for, and every article', async () => {
    const { app, writer, client } = await createAgency()
    const admin = await app.user({ role: 'admin' })
    for (let made = 0; made < 8; made += 1)
      await app.article({ client, articleText: text(MILLION) })
    for (const path of [`${LISTING}&limit=20`, '/v1/articles?fields=text&limit=20']) {
      const answer = await app.as(path.includes('client') ? writer : admin).get(path)
      const json = await answer.text()
      expect(json.length).toBeLessThan(LIST_TEXTS_BYTES + 10_000)
      const { results } = JSON.parse(json) as { results: { articleText?: unknown }[] }
      const withText = results.map(({ articleText }) => articleText !== undefined)
      expect(withText).toEqual([...Array(8).fill(true), ...Array(4).fill(false)])
    }
    expect((await app.as(admin).get('/v1/articles?fields=text&limit=51')).status).toBe(400)
  })
})
