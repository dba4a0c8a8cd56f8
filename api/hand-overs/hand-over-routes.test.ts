import { beforeEach, describe, expect, it } from 'vitest'
import { doc, paragraph, text } from '../../domain/testing/nodes.ts'
import { canonicalJson } from '../../domain/text/canonical.ts'
import type { HandOver, HandOvers } from '../../domain/wire/hand-overs.ts'
import { sha256 } from '../articles/stored-text.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

let app: TestApp
let admin: TestUser
let writer: TestUser
let client: { id: string }
let other: { id: string }
let token: string

beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
  writer = await app.user({ name: 'Imogen Hale' })
  client = await app.client({ name: 'Larkspur Gardens', users: [writer] })
  other = await app.client({ name: 'Fathom Coffee', users: [writer] })
  token = await tokenFor(client)
})

async function tokenFor(...clients: { id: string }[]): Promise<string> {
  const body = { name: 'Website', clientIds: clients.map(({ id }) => id), days: 365 }
  return (await (await app.as(admin).post('/v1/program-tokens', body)).json()).token
}

const article = async (of = client, name = 'Lighting') =>
  (await app.article({ client: of, name })).id
const change = async (id: string, body: object, person = writer) => {
  expect((await app.as(person).patch(`/v1/articles/${id}`, body)).status).toBe(200)
}
const complete = (id: string, words: string) =>
  change(id, { articleText: doc(paragraph(text(words))), completed: true })
const reopen = (id: string) => change(id, { completed: false }, admin)

const read = (query = '', headers: Record<string, string> = {}, by = token) =>
  app.as(null).get(`/v1/hand-overs${query}`, { authorization: `Bearer ${by}`, ...headers })
const page = async (query = '', by = token): Promise<HandOvers> =>
  (await read(query, {}, by)).json()
const texts = async (query = '', by = token) =>
  (await page(query, by)).results.map(({ html }) => html)

describe('the list', () => {
  it('has the HTML of what was handed in, its receipt and its number', async () => {
    const id = await article()
    const document = doc(paragraph(text('Mind the '), text('moths', 'bold'), text(' & <bats>.')))
    await change(id, { articleText: document, completed: true })
    const { results, next, more } = await page()
    expect(results).toEqual([
      {
        position: Date.parse('2026-03-02T09:00:00Z'),
        articleId: id,
        number: 1,
        at: '2026-03-02T09:00:00.001Z',
        clientId: client.id,
        reopenedAt: null,
        name: 'Lighting',
        html: '<p>Mind the <strong>moths</strong> &amp; &lt;bats&gt;.</p>',
        receipt: expect.objectContaining({
          format: 'contun-receipt-3',
          client: 'Larkspur Gardens',
          number: 1,
          words: 4,
          textHash: sha256(canonicalJson(document)),
        }),
      },
    ])
    expect([next, more]).toEqual([results[0]?.position, false])
    const receipt = results[0]?.receipt
    expect(await (await app.as(writer).post('/v1/hand-ins/verify', { receipt })).json()).toEqual({
      known: true,
      intact: true,
    })
  })

  it('is in the order of completion, in pages that `since` joins', async () => {
    const ids = [await article(), await article(), await article()]
    const [a = '', b = '', c = ''] = ids
    for (const id of [b, c, a]) await complete(id, `Text ${ids.indexOf(id)}.`)
    expect(await texts()).toEqual(['<p>Text 1.</p>', '<p>Text 2.</p>', '<p>Text 0.</p>'])
    const first = await page('?limit=2')
    expect(first).toMatchObject({ more: true, next: first.results[1]?.position })
    const last = await page(`?limit=2&since=${first.next}`)
    expect(last.results.map(({ articleId }) => articleId)).toEqual([a])
    expect(last.more).toBe(false)
    const end = await page(`?since=${last.next}`)
    expect(end).toEqual({ results: [], next: last.next, more: false })
  })

  it('joins the clients of a token in one order', async () => {
    const both = await tokenFor(other, client)
    for (const [of, words] of [
      [client, 'One.'],
      [other, 'Two.'],
      [client, 'Three.'],
    ] as const)
      await complete(await article(of), words)
    expect(await texts('?limit=2', both)).toEqual(['<p>One.</p>', '<p>Two.</p>'])
    expect(await texts('', both)).toEqual(['<p>One.</p>', '<p>Two.</p>', '<p>Three.</p>'])
  })

  it('has an ETag, with which the same page is answered with 304', async () => {
    const id = await article()
    await complete(id, 'One.')
    const tag = (await read()).headers.get('etag') ?? ''
    const same = await read('', { 'if-none-match': tag })
    expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', tag])
    await reopen(id)
    expect((await read('', { 'if-none-match': tag })).status).toBe(200)
  })

  it('ends a page early where texts are long, and never leaves one out', async () => {
    const long = Array.from({ length: 900 }, () => paragraph(text('ä'.repeat(500))))
    for (const at of [1, 2, 3, 4, 5])
      await change(await article(), {
        articleText: doc(paragraph(text(`${at}`)), ...long),
        completed: true,
      })
    const seen: number[][] = []
    let since = 0
    for (let more = true; more; ) {
      const { results, ...rest } = await page(`?since=${since}`)
      seen.push(results.map(({ html }) => Number(html?.slice(3, 4))))
      ;({ next: since, more } = rest)
    }
    expect(seen).toEqual([[1, 2, 3, 4], [5]])
  })

  it.each(['since=-1', 'since=x', 'since=1&since=2', 'limit=0', 'limit=101'])(
    'refuses %s',
    async (query) => expect((await read(`?${query}`)).status).toBe(400),
  )
})

describe('an article that is reopened', () => {
  it('stays as it was handed in, and comes again with the next number', async () => {
    const id = await article()
    await complete(id, 'One.')
    const { next } = await page()
    app.clock.advance(60_000)
    await reopen(id)
    expect((await page()).results).toMatchObject([
      { number: 1, html: '<p>One.</p>', reopenedAt: '2026-03-02T09:01:00.000Z' },
    ])
    await change(id, { articleText: doc(paragraph(text('One and more.'))) })
    expect(await texts()).toEqual(['<p>One.</p>'])
    await complete(id, 'Two.')
    expect((await page(`?since=${next}`)).results).toMatchObject([
      { articleId: id, number: 2, html: '<p>Two.</p>', reopenedAt: null },
    ])
    expect(await texts()).toEqual(['<p>One.</p>', '<p>Two.</p>'])
  })
})

describe('a hand-in whose article the token may not see', () => {
  const content = async (by?: string) =>
    (await page('', by)).results.map(({ name, html, receipt }: HandOver) => [
      name,
      html,
      receipt?.number ?? null,
    ])

  it('has no content while the article is deleted', async () => {
    const id = await article()
    await complete(id, 'One.')
    await app.as(admin).delete(`/v1/articles/${id}`)
    expect(await content()).toEqual([[null, null, null]])
    await app.as(admin).post(`/v1/articles/admin/${id}/restore`)
    expect(await content()).toEqual([['Lighting', '<p>One.</p>', 1]])
  })

  it('has no content after the article was given to another client, which gets the next one', async () => {
    const id = await article()
    await complete(id, 'One.')
    await reopen(id)
    await app.as(admin).patch(`/v1/articles/admin/${id}`, { clientId: other.id })
    const theirs = await tokenFor(other)
    expect([await content(), await content(theirs)]).toEqual([[[null, null, null]], []])
    await complete(id, 'Two.')
    expect([await content(), await texts('', theirs)]).toEqual([
      [[null, null, null]],
      ['<p>Two.</p>'],
    ])
  })

  it('is still listed after its client was deleted, as its users still see the article', async () => {
    await complete(await article(), 'One.')
    await app.as(admin).delete(`/v1/clients/${client.id}`)
    expect(await texts()).toEqual(['<p>One.</p>'])
  })
})

describe('positions', () => {
  it('rise where the clock was set back', async () => {
    await complete(await article(), 'One.')
    const { next } = await page()
    app.clock.advance(-3_600_000)
    await complete(await article(), 'Two.')
    expect(await texts(`?since=${next}`)).toEqual(['<p>Two.</p>'])
  })

  it('rise after the restore of a backup, above all that were given since it was made', async () => {
    const counter = await app.db
      .selectFrom('meta')
      .select('value')
      .where('key', '=', 'hand_in_position')
      .executeTakeFirstOrThrow()
    for (let count = 0; count < 5; count += 1) await complete(await article(), 'Lost.')
    const { next } = await page()
    await app.db.deleteFrom('hand_ins').execute()
    await app.db.updateTable('meta').set(counter).where('key', '=', 'hand_in_position').execute()
    app.clock.advance(60_000)
    await complete(await article(), 'Again.')
    expect(await texts(`?since=${next}`)).toEqual(['<p>Again.</p>'])
  })
})
