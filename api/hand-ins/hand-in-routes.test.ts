import {
  createHash,
  createPublicKey,
  type JsonWebKey,
  verify as verifySignature,
} from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { HAND_INS_MAX } from '../../domain/limits.ts'
import { canonicalJson } from '../../domain/text/canonical.ts'
import type { ArticleDocument } from '../../domain/text/document.ts'
import type { Keyword } from '../../domain/wire/articles.ts'
import type { HandIn, Receipt, ReceiptKeys } from '../../domain/wire/hand-ins.ts'
import { receiptSecrets } from '../accounts/keys.ts'
import { deleteArticle } from '../articles/deleted-article-rows.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'
import { formerSignature } from './receipt.ts'
import { rotateReceiptKey } from './receipt-key-rows.ts'

const text = (words: string): ArticleDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})
const keyword = (name: string, category: string): Keyword => ({
  keyword: name,
  source: 'E',
  score: 4,
  category,
})
const ENTITIES = [
  keyword('garden path', 'Must Use'),
  keyword('uplight', 'Must Use'),
  keyword('bollard', 'Need to Use'),
]

let app: TestApp
let admin: TestUser
let writer: TestUser
let colleague: TestUser
let stranger: TestUser
let id: string

beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Clara Whitlock', role: 'admin' })
  writer = await app.user({ name: 'Imogen Hale' })
  colleague = await app.user({ name: 'Tobias Wren' })
  stranger = await app.user({ name: 'Emil Sand' })
  const client = await app.client({ name: 'Larkspur Gardens', users: [writer, colleague] })
  const settings = { client, name: 'Lighting', wordMinimum: 700, keywordList: ENTITIES }
  id = (await app.article(settings)).id
})

const patch = (person: TestUser, body: object, headers: Record<string, string> = {}) =>
  app.as(person).patch(`/v1/articles/${id}`, body, headers)

async function handIns(person = writer, query = ''): Promise<HandIn[]> {
  const answer = await app.as(person).get(`/v1/articles/${id}/hand-ins${query}`)
  return (await answer.json()).results
}

async function receipt() {
  const [last] = await handIns()
  if (last?.receipt?.format !== 'contun-receipt-3') throw new Error('There is no receipt')
  return last.receipt
}

const verify = async (given: object) =>
  (await app.as(stranger).post('/v1/hand-ins/verify', { receipt: given })).json()

describe('a completion', () => {
  it('makes one receipt of what was handed in, by whom and when', async () => {
    await patch(writer, { articleText: text('The garden paths by night.') })
    await patch(colleague, { articleText: text('The garden paths by night, with bollards.') })
    app.clock.advance(60_000)
    const answer = await patch(writer, { completed: true })
    expect(answer.headers.get('contun-hand-in')).toBe('1')
    const document = text('The garden paths by night, with bollards.')
    const hash = (of: string) => createHash('sha256').update(of).digest('hex')
    expect(await handIns()).toEqual([
      {
        number: 1,
        at: '2026-03-02T09:01:00.000Z',
        by: { id: writer.id, name: 'Imogen Hale' },
        textVersion: 3,
        reopened: null,
        receipt: {
          format: 'contun-receipt-3',
          agency: 'http://localhost:3000',
          agencyName: 'Moon & Owl',
          productName: 'Contūn Articles',
          article: { id, name: 'Lighting' },
          client: 'Larkspur Gardens',
          number: 1,
          at: '2026-03-02T09:01:00.000Z',
          by: { id: writer.id, name: 'Imogen Hale' },
          authors: ['Imogen Hale', 'Tobias Wren'],
          authorsSince: null,
          words: 7,
          wordMinimum: 700,
          groups: [
            { category: 'Must Use', used: 1, total: 2, unused: ['uplight'] },
            { category: 'Need to Use', used: 1, total: 1, unused: [] },
            { category: 'Use When You Can', used: 0, total: 0, unused: [] },
          ],
          textVersion: 3,
          textHash: hash(canonicalJson(document)),
          wordsHash: hash('The garden paths by night, with bollards.'),
          key: { number: 1, publicKey: expect.stringMatching(/^[\w-]{43}$/) },
          signature: expect.stringMatching(/^[\w-]{86}$/),
        },
      },
    ])
  })

  it('that brings its text has the receipt of that text', async () => {
    await patch(writer, { articleText: text('Brought along.'), completed: true })
    expect(await receipt()).toMatchObject({ words: 2, textVersion: 2, authors: ['Imogen Hale'] })
  })

  it('sent again under its key, or by two at once, is one hand-in', async () => {
    const key = { 'idempotency-key': 'k1' }
    const first = await patch(writer, { completed: true }, key)
    const again = await patch(writer, { completed: true }, key)
    expect([first, again].map(({ headers }) => headers.get('contun-hand-in'))).toEqual(['1', '1'])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const other = await patch(colleague, { completed: true })
    expect([other.status, other.headers.get('contun-hand-in')]).toEqual([200, null])
    expect(await handIns()).toHaveLength(1)
  })

  it('refused leaves no receipt', async () => {
    await patch(writer, { articleText: text('One.') })
    const stale = { 'if-match': '"v1.t1"' }
    const answer = await patch(writer, { articleText: text('Two.'), completed: true }, stale)
    expect(answer.status).toBe(412)
    expect(await handIns()).toEqual([])
  })

  it('is refused after a thousand', async () => {
    const row = { article_id: id, text_version: 1, at: '2026-01-01T00:00:00.000Z', user_id: null }
    const number = HAND_INS_MAX
    await app.db
      .insertInto('hand_ins')
      .values({ ...row, number })
      .execute()
    const answer = await patch(writer, { completed: true })
    expect([answer.status, (await answer.json()).reason]).toEqual([409, 'too_many_hand_ins'])
    expect((await (await app.as(writer).get(`/v1/articles/${id}`)).json()).completed).toBe(false)
  })

  it('names as many unused entities as fit, and counts all', async () => {
    const list = Array.from({ length: 2_000 }, (_, at) =>
      keyword(`${'x'.repeat(190)} ${at}`, 'Must Use'),
    )
    await app.as(admin).patch(`/v1/articles/admin/${id}`, { keywordList: list })
    await patch(writer, { completed: true })
    const [must] = (await receipt()).groups
    expect([must?.used, must?.total]).toEqual([0, 2_000])
    expect(must?.unused.length).toBeGreaterThan(400)
    expect(JSON.stringify(await receipt()).length).toBeLessThan(256 * 1024)
  })
})

describe('a reopening', () => {
  it('is noted at the hand-in', async () => {
    await patch(writer, { articleText: text('One.'), completed: true })
    app.clock.advance(60_000)
    await patch(admin, { completed: false })
    await patch(colleague, { articleText: text('One two.'), completed: true })
    const [second, first] = await handIns()
    expect(first?.reopened).toEqual({
      at: '2026-03-02T09:01:00.000Z',
      by: { id: admin.id, name: 'Clara Whitlock' },
    })
    expect(second?.reopened).toBeNull()
    expect(second?.number).toBe(2)
    expect(await handIns(writer, '?limit=1&page=2')).toEqual([first])
  })
})

describe('the names of a receipt', { tags: ['@HI-01'] }, () => {
  const namesOf = async () => {
    const { authors, authorsSince } = await receipt()
    return [authors, authorsSince]
  }
  const reopen = () => patch(admin, { completed: false })
  const PATH = 'The garden path is lit too brightly.'
  const MOTHS = 'Mind the moths in June.'

  it('are those who have words in the text, and those who changed it since the hand-in before', async () => {
    await patch(writer, { articleText: text(PATH) })
    await patch(colleague, { articleText: text(`${PATH} ${MOTHS}`), completed: true })
    expect(await namesOf()).toEqual([['Imogen Hale', 'Tobias Wren'], null])
    await reopen()
    await patch(writer, { articleText: text(`${PATH} ${MOTHS} Softly.`), completed: true })
    expect(await namesOf()).toEqual([['Imogen Hale', 'Tobias Wren'], ['Imogen Hale']])
    await reopen()
    await patch(writer, { completed: true })
    expect(await namesOf()).toEqual([['Imogen Hale', 'Tobias Wren'], []])
    await reopen()
    await patch(writer, { articleText: text(`${PATH} Softly.`), completed: true })
    expect(await namesOf()).toEqual([['Imogen Hale'], ['Imogen Hale']])
  })

  it('leave out the outline of the agency', async () => {
    const client = await app.client({ name: 'Mill', users: [writer] })
    id = (await app.article({ client, articleText: text(PATH) })).id
    await patch(writer, { articleText: text(`${PATH} ${MOTHS}`), completed: true })
    expect(await namesOf()).toEqual([['Imogen Hale'], null])
  })

  it('say where an account is gone', async () => {
    await patch(colleague, { articleText: text(PATH) })
    await app.as(admin).delete(`/v1/users/${colleague.id}`)
    await patch(writer, { articleText: text(`${PATH} ${MOTHS}`), completed: true })
    expect(await namesOf()).toEqual([['a former user', 'Imogen Hale'], null])
  })

  it('compare each version of two authors, also where one has no words left', async () => {
    await patch(colleague, { articleText: text('0') })
    for (let turn = 0; turn < 60; turn += 1)
      await patch(turn % 2 ? colleague : writer, { articleText: text(`${PATH} ${turn}`) })
    await patch(writer, { articleText: text(PATH), completed: true })
    expect(await namesOf()).toEqual([['Imogen Hale'], null])
  })

  it('are all who wrote after the versions that are compared', async () => {
    const long = 'word '.repeat(100_000)
    await patch(colleague, { articleText: text('0') })
    for (let turn = 0; turn < 6; turn += 1)
      await patch(turn % 2 ? colleague : writer, { articleText: text(`${long}${turn}`) })
    await patch(writer, { articleText: text(long), completed: true })
    expect(await namesOf()).toEqual([['Imogen Hale', 'Tobias Wren'], null])
  })
})

describe('GET /articles/{id}/hand-ins', () => {
  it('keeps names when the accounts are gone', async () => {
    await patch(writer, { articleText: text('One.'), completed: true })
    const before = await receipt()
    await app.as(admin).delete(`/v1/users/${writer.id}`)
    const [last] = await handIns(admin)
    expect(last?.by).toEqual({ id: writer.id, name: 'Imogen Hale' })
    expect(last?.receipt).toEqual(before)
  })

  it('has earlier completions without a receipt', async () => {
    const row = { article_id: id, number: 1, text_version: 1, at: '2026-01-01T00:00:00.000Z' }
    await app.db
      .insertInto('hand_ins')
      .values({ ...row, user_id: writer.id, user_name: 'Imogen' })
      .execute()
    expect(await handIns()).toEqual([
      {
        number: 1,
        at: '2026-01-01T00:00:00.000Z',
        by: { id: writer.id, name: 'Imogen' },
        textVersion: 1,
        receipt: null,
        reopened: null,
      },
    ])
  })

  it.each(['limit=0', 'limit=51', 'page=0'])('refuses %s', async (query) => {
    const answer = await app.as(writer).get(`/v1/articles/${id}/hand-ins?${query}`)
    expect(answer.status).toBe(400)
  })
})

describe('POST /hand-ins/verify', () => {
  it('knows its receipts, also of an article that was deleted long ago', async () => {
    await patch(writer, { articleText: text('One.'), completed: true })
    const given = await receipt()
    expect(await verify(given)).toEqual({ known: true, intact: true })
    await app.db
      .transaction()
      .execute((db) => deleteArticle(db, id, { now: app.clock.now(), deletedBy: admin.id }))
    app.clock.advance(31 * 24 * 60 * 60_000)
    await app.signIn(admin)
    const other = await app.article()
    await app.as(admin).delete(`/v1/articles/${other.id}`)
    expect(await app.db.selectFrom('deleted_articles').select('id').execute()).toEqual([
      { id: other.id },
    ])
    await app.signIn(stranger)
    expect(await verify(given)).toEqual({ known: true, intact: true })
  })

  it('notices one changed character anywhere', async () => {
    await patch(writer, { articleText: text('The uplight.'), completed: true })
    const given = await receipt()
    const changes: Partial<Receipt>[] = [
      { words: given.words + 1 },
      { wordMinimum: 0 },
      { client: 'Larkspur Garden' },
      { agencyName: 'Moon & Owls' },
      { productName: 'Contun Articles' },
      { key: { ...given.key, number: 2 } },
      { key: { ...given.key, publicKey: 'A'.repeat(43) } },
      { at: given.at.replace('2026', '2025') },
      { by: { id: writer.id, name: 'Imogen Hall' } },
      { authors: [] },
      { authorsSince: ['Imogen Hale'] },
      { groups: given.groups.map((group) => ({ ...group, used: group.total, unused: [] })) },
      { textHash: given.textHash.replace(/^./, (first) => (first === '0' ? '1' : '0')) },
      { signature: `${given.signature.slice(0, -1)}${given.signature.endsWith('A') ? 'E' : 'A'}` },
    ]
    for (const change of changes) {
      expect(await verify({ ...given, ...change })).toEqual({ known: true, intact: false })
    }
    expect(await verify({ ...given, number: 2 })).toEqual({ known: false, intact: false })
  })

  it('knows receipts of the formats before', async () => {
    await patch(writer, { articleText: text('One.'), completed: true })
    const {
      signature: _,
      key: _key,
      agencyName: _name,
      productName: _product,
      ...facts
    } = await receipt()
    const { authorsSince: _since, ...firstFacts } = facts
    const first = { ...firstFacts, format: 'contun-receipt-1' } as const
    const second = { ...facts, format: 'contun-receipt-2' } as const
    for (const former of [first, second]) {
      const given = { ...former, signature: formerSignature(app.deps.keys.receipt, former) }
      expect(await verify(given)).toEqual({ known: true, intact: true })
      expect(await verify({ ...given, authors: [] })).toEqual({ known: true, intact: false })
    }
  })

  it('after a restored backup a receipt that the server lost is still genuine', async () => {
    await patch(writer, { completed: true })
    const given = await receipt()
    await app.db.deleteFrom('hand_ins').execute()
    expect(await verify(given)).toEqual({ known: false, intact: true })
  })

  it('with a new pepper those that it kept are still known', async () => {
    await patch(writer, { completed: true })
    const given = await receipt()
    Object.assign(app.deps.keys, receiptSecrets(Buffer.from('another pepper')))
    expect(await verify(given)).toEqual({ known: true, intact: true })
    expect(await verify({ ...given, words: 9 })).toEqual({ known: true, intact: false })
  })
})

describe('the keys of receipts', { tags: ['@HI-06'] }, () => {
  const published = async (): Promise<ReceiptKeys['keys']> =>
    (await (await app.as(null).get('/.well-known/contun-key')).json()).keys
  const rotate = () =>
    rotateReceiptKey(app.db, app.deps.keys, new Date(app.clock.now()).toISOString())
  /** As any reader of the file checks it. */
  function isSignedBy(key: JsonWebKey, { signature, ...facts }: Receipt): boolean {
    const publicKey = createPublicKey({ key, format: 'jwk' })
    const bytes = Buffer.from(signature, 'base64url')
    return verifySignature(null, Buffer.from(canonicalJson(facts)), publicKey, bytes)
  }

  it('are published, and one of them fits each receipt', async () => {
    await patch(writer, { completed: true })
    const given = await receipt()
    const [key] = await published()
    expect(key).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      use: 'sig',
      kid: '1',
      x: given.key.publicKey,
      since: given.at,
    })
    expect(isSignedBy({ ...key }, given)).toBe(true)
    expect(isSignedBy({ ...key }, { ...given, words: 1 })).toBe(false)
  })

  it('stay published and trusted after a rotation', async () => {
    await patch(writer, { completed: true })
    const before = await receipt()
    app.clock.advance(60_000)
    await rotate()
    await patch(admin, { completed: false })
    await patch(writer, { completed: true })
    const after = await receipt()
    const keys = await published()
    expect(keys.map(({ x }) => x)).toEqual([before.key.publicKey, after.key.publicKey])
    expect(keys.map(({ since }) => since)).toEqual([before.at, '2026-03-02T09:01:00.000Z'])
    expect(isSignedBy({ ...keys[1] }, after)).toBe(true)
    expect(isSignedBy({ ...keys[1] }, before)).toBe(false)
    await app.db.deleteFrom('hand_ins').execute()
    expect(await verify(before)).toEqual({ known: false, intact: true })
    expect(await verify(after)).toEqual({ known: false, intact: true })
  })

  it('are trusted after a lost pepper, and after a backup without them was restored', async () => {
    await rotate()
    await patch(writer, { completed: true })
    const given = await receipt()
    await app.db.deleteFrom('hand_ins').execute()
    await app.db.deleteFrom('receipt_keys').execute()
    expect(await verify(given)).toEqual({ known: false, intact: true })
    await rotate()
    Object.assign(app.deps.keys, receiptSecrets(Buffer.from('another pepper')))
    expect(await verify(given)).toEqual({ known: false, intact: true })
    await app.db.deleteFrom('receipt_keys').execute()
    expect(await verify(given)).toEqual({ known: false, intact: false })
  })
})
