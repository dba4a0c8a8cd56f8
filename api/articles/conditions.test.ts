import { beforeEach, describe, expect, it } from 'vitest'
import type { ArticleDocument } from '../../domain/text/document.ts'
import { articleSchema, revisionWithTextSchema } from '../../domain/wire/articles.ts'
import { errorSchema } from '../../domain/wire/errors.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

/**
 * A condition matches one text alone, survives proxies that remove headers, and its response names the text it
 * replaced.
 */

const text = (words: string): ArticleDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})

let app: TestApp
let writer: TestUser
let colleague: TestUser
let id: string

beforeEach(async () => {
  app = await createTestApp()
  writer = await app.user({ name: 'Imogen Hale' })
  colleague = await app.user({ name: 'Ines Duarte' })
  const client = await app.client({ users: [writer, colleague] })
  id = (await app.article({ client, articleText: text('One.') })).id
})

type About = Record<string, string>

/** `headers` as received; `address`: the query string. */
async function save(person: TestUser, words: string, headers: About = {}, address: About = {}) {
  const query = new URLSearchParams(address)
  const path = `/v1/articles/${id}${query.size > 0 ? `?${query}` : ''}`
  const answer = await app.as(person).patch(path, { articleText: text(words) }, headers)
  return { status: answer.status, etag: answer.headers.get('etag'), body: await answer.json() }
}

const read = async () => (await app.as(writer).get(`/v1/articles/${id}`)).json()
const tag = async () => (await app.as(writer).get(`/v1/articles/${id}`)).headers.get('etag') ?? ''

/**
 * Saves the tables and returns a function that restores them, like a snapshot of the disk: nothing records the restore.
 */
async function snapshot(): Promise<() => Promise<void>> {
  const { db } = app
  const tables = ['articles', 'article_revisions', 'idempotency', 'changes', 'meta'] as const
  const kept = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()))
  return async () => {
    for (const table of [...tables].reverse()) await db.deleteFrom(table).execute()
    for (const [at, table] of tables.entries()) {
      for (const row of kept[at] ?? [])
        await db
          .insertInto(table)
          .values(row as never)
          .execute()
    }
  }
}

it('a text that a node of an earlier release wrote has the tag that it had there', {
  tags: ['@Q90'],
}, async () => {
  for (const headers of [{}, { 'idempotency-key': 'a-key-of-hers' }] as About[]) {
    await save(writer, `One ${Object.keys(headers).length}.`, headers)
    const known = await tag()
    // Such a node leaves the columns as they were at the text before.
    await app.db
      .updateTable('articles')
      .set({ revision_version: 1, revision_name: 'before' })
      .execute()
    expect(await tag()).toBe(known)
    const saved = await save(writer, `Two ${Object.keys(headers).length}.`, { 'if-match': known })
    expect(saved.status).toBe(200)
    expect(saved.etag).toBe(await tag())
  }
})

describe('after a disk snapshot with no new epoch', { tags: ['@Q90', '@fault-72'] }, () => {
  it('a save is refused where another text has the number of its own by now', async () => {
    const back = await snapshot()
    for (const words of ['One two.', 'One two three.', 'One two three four.'])
      await save(writer, words, { 'if-match': await tag() })
    const known = await tag()
    await back()
    for (const words of ['Hers.', 'Hers too.', 'All hers.'])
      await save(colleague, words, { 'if-match': await tag() })
    expect((await tag()).replace(/-r_.*/, '')).toBe(known.replace(/-r_.*/, ''))
    const stale = await save(writer, 'One two three four five.', { 'if-match': known })
    expect(stale.status).toBe(412)
    expect(errorSchema.parse(stale.body).current).toMatchObject({
      textVersion: 4,
      articleText: text('All hers.'),
    })
    const copy = await app.as(writer).get(`/v1/articles/${id}`, { 'if-none-match': known })
    expect(copy.status).toBe(200)
  })

  it('pages of an earlier release, which name counters alone, are answered as before', async () => {
    expect((await save(writer, 'Two.', { 'if-match': '"v1.t1"' })).status).toBe(200)
    expect((await save(writer, 'Three.', { 'if-match': '"v1.t1"' })).status).toBe(412)
  })
})

describe('a condition in the address', { tags: ['@fault-71'] }, () => {
  it.each(['If-Match', 'Server-Epoch'])('counts where %s is taken off', async (name) => {
    const known = { 'If-Match': await tag(), 'Server-Epoch': 'another' }
    await save(colleague, 'Hers.')
    const { [name as 'If-Match']: _, ...headers } = known
    expect((await save(writer, 'Mine.', headers, known)).status).toBe(412)
    expect((await read()).articleText).toEqual(text('Hers.'))
  })

  it('a key in it is one with the key in the header', async () => {
    const first = await save(writer, 'Two.', { 'idempotency-key': 'k1' })
    await save(colleague, 'Hers.')
    const again = await save(writer, 'Two.', {}, { 'Idempotency-Key': 'k1' })
    expect(again).toEqual(first)
    expect((await read()).articleText).toEqual(text('Hers.'))
  })

  it('counts before a header that was changed on the way', async () => {
    const known = await tag()
    await save(colleague, 'Hers.')
    const changed = { 'if-match': await tag() }
    expect((await save(writer, 'Mine.', changed, { 'If-Match': known })).status).toBe(412)
  })

  it('says how the text came about', async () => {
    const about = { 'If-Match': await tag(), 'Contun-Reason': 'merge' }
    await save(writer, 'Two.', {}, about)
    const revisions = await app.db.selectFrom('article_revisions').select('reason').execute()
    expect(revisions.map(({ reason }) => reason)).toContain('merge')
  })

  it('is refused where it comes twice', async () => {
    const path = `/v1/articles/${id}?If-Match=%22t1%22&If-Match=%22t2%22`
    const answer = await app.as(writer).patch(path, { articleText: text('Two.') })
    expect(answer.status).toBe(400)
  })
})

it('a change whose Content-Type was stripped is read', async () => {
  const { access } = await app.signIn(writer)
  const headers = { authorization: `Bearer ${access.token}` }
  const body = new TextEncoder().encode(JSON.stringify({ articleText: text('Two.') }))
  const request = { method: 'PATCH', headers, body }
  expect((await app.app.request(`/v1/articles/${id}`, request)).status).toBe(200)
  expect((await read()).articleText).toEqual(text('Two.'))
})

describe('the response to a change of the text', () => {
  it('names the text that it replaced, with a condition and without, and so does a replay', async () => {
    const before = await read()
    const key = { 'idempotency-key': 'a-key' }
    const first = await save(colleague, 'Hers.', { ...key, 'if-match': await tag() })
    expect(articleSchema.parse(first.body)).toMatchObject({
      revision: 'a-key',
      replaced: { textVersion: 1, revision: before.revision },
    })
    expect(first.etag).toBe('"v2.t2-r_a-key"')
    const blind = await save(writer, 'Mine.')
    expect(blind.body.replaced).toEqual({ textVersion: 2, revision: 'a-key' })
    const replayed = await save(colleague, 'Hers.', key)
    expect(replayed).toMatchObject({ etag: first.etag, body: { replaced: first.body.replaced } })
  })

  it('of several changes each', async () => {
    const { revision } = await read()
    const change = { id, headers: {}, body: { articleText: text('Two.') } }
    const answer = await app.as(writer).patch('/v1/articles', { changes: [change] })
    const [own] = (await answer.json()).answers
    expect(own.body.replaced).toEqual({ textVersion: 1, revision })
  })

  it('names none where the text was there already, or only the completion moved', async () => {
    expect((await save(writer, 'One.')).body).not.toHaveProperty('replaced')
    const answer = await app.as(writer).patch(`/v1/articles/${id}`, { completed: true })
    expect(await answer.json()).not.toHaveProperty('replaced')
  })

  it('what it names can be read, under the same name', async () => {
    const { body } = await save(writer, 'Two.')
    const { textVersion, revision } = body.replaced
    const answer = await app.as(writer).get(`/v1/articles/${id}/revisions/${textVersion}`)
    expect(revisionWithTextSchema.parse(await answer.json())).toMatchObject({
      revision,
      articleText: text('One.'),
    })
  })

  it('a key that fits into no tag is no name', async () => {
    const odd = await save(writer, 'Two.', { 'idempotency-key': 'a,"key"' })
    expect(odd.body.revision).toMatch(/^[\da-f]{32}$/)
    expect((await save(writer, 'Three.', { 'if-match': odd.etag ?? '' })).status).toBe(200)
  })
})

describe('a save that supersedes earlier ones', { tags: ['@SY-08'] }, () => {
  let base: string

  beforeEach(async () => {
    base = await tag()
  })

  /** A save of the writer that grew from the first text, whatever is current. */
  const saveOwn = (words: string, key: string, supersedes: string[] = []) =>
    save(writer, words, {
      'idempotency-key': key,
      'if-match': base,
      ...(supersedes.length > 0 && { 'contun-supersedes': supersedes.join() }),
    })
  const saveHers = async (words: string) =>
    save(colleague, words, { 'idempotency-key': 'hers', 'if-match': await tag() })
  const late = (articleText: unknown) =>
    app.as(writer).patch(`/v1/articles/${id}`, { articleText }, { 'idempotency-key': 'first' })

  it('replaces one that arrived, though its condition names the text before', async () => {
    await saveOwn('One two.', 'first')
    const { status, body } = await saveOwn('One two three.', 'second', ['first'])
    expect(status).toBe(200)
    expect(articleSchema.parse(body)).toMatchObject({
      textVersion: 3,
      arrived: [{ key: 'first', textVersion: 2, revision: 'first', replaced: { textVersion: 1 } }],
    })
    expect((await read()).articleText).toEqual(text('One two three.'))
  })

  it('is refused once another writer has changed the text, and names its own for the merge', async () => {
    await saveOwn('One two.', 'first')
    await saveHers('One two. Hers.')
    const { status, body } = await saveOwn('One two three.', 'second', ['first'])
    expect(status).toBe(412)
    expect(errorSchema.parse(body).current).toMatchObject({
      textVersion: 3,
      articleText: text('One two. Hers.'),
      arrived: [{ key: 'first', textVersion: 2 }],
      arrivedText: text('One two.'),
    })
  })

  it.each([
    ['an older text', text('One two.')],
    ['a body that cannot be read', 'unreadable'],
  ])(
    'lets a superseded save that arrives later, with %s, change nothing',
    async (_, articleText) => {
      await saveOwn('One two three.', 'second', ['first'])
      expect((await late(articleText)).status).toBe(422)
      expect((await read()).articleText).toEqual(text('One two three.'))
    },
  )

  it('leaves the superseded saves as they are when it is refused', async () => {
    await saveHers('Hers.')
    expect((await saveOwn('One two three.', 'second', ['first'])).status).toBe(412)
    expect((await late(text('One two.'))).status).toBe(200)
  })

  it('names what had arrived when it is repeated, too', async () => {
    await saveOwn('One two.', 'first')
    base = await tag()
    await saveOwn('One two three.', 'second')
    const { body } = await saveOwn('One two three.', 'second', ['first'])
    expect(articleSchema.parse(body).arrived).toMatchObject([{ key: 'first', textVersion: 2 }])
  })

  it('replaces no text of another writer or another article', async () => {
    await saveHers('Hers.')
    const hers = await saveOwn('Mine.', 'mine', ['hers'])
    expect(errorSchema.parse(hers.body).current).toMatchObject({ arrived: [] })
    const { id: other } = await app.article({ client: await app.client({ users: [writer] }) })
    const elsewhere = { articleText: text('Elsewhere.') }
    await app.as(writer).patch(`/v1/articles/${other}`, elsewhere, { 'idempotency-key': 'other' })
    const others = await saveOwn('Mine.', 'mine', ['other'])
    expect(errorSchema.parse(others.body).current).toMatchObject({ arrived: [] })
    expect((await read()).articleText).toEqual(text('Hers.'))
  })

  it.each([
    ['more than 20 keys', Array.from({ length: 21 }, (_, at) => `key-${at}`)],
    ['a key that names no save', ['not a key']],
  ])('is refused with 400 for %s', async (_, supersedes) => {
    const { status, body } = await saveOwn('Two.', 'second', supersedes)
    expect([status, errorSchema.parse(body).message]).toEqual([
      400,
      '"Contun-Supersedes" must be at most 20 keys of saves',
    ])
    expect((await read()).articleText).toEqual(text('One.'))
  })
})
