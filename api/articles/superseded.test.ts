import { beforeEach, describe, expect, it } from 'vitest'
import type { ArticleDocument } from '../../domain/document.ts'
import { articleSchema } from '../../domain/wire-articles.ts'
import { errorSchema } from '../../domain/wire-errors.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

/** A save names the earlier ones of its writer whose outcome is unknown. */

const text = (words: string): ArticleDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})

let app: TestApp
let writer: TestUser
let colleague: TestUser
let id: string
let base: string

beforeEach(async () => {
  app = await createTestApp()
  writer = await app.user({ name: 'Imogen Hale' })
  colleague = await app.user({ name: 'Ines Duarte' })
  const client = await app.client({ users: [writer, colleague] })
  id = (await app.article({ client, articleText: text('One.') })).id
  base = await tag()
})

type Save = { key: string; on?: string; supersedes?: string[]; by?: TestUser; of?: string }

async function save(
  words: string,
  { key, on = base, supersedes = [], by = writer, of = id }: Save,
) {
  const headers = {
    'idempotency-key': key,
    'if-match': on,
    ...(supersedes.length > 0 && { 'contun-supersedes': supersedes.join() }),
  }
  const body = { articleText: text(words) }
  const answer = await app.as(by).patch(`/v1/articles/${of}`, body, headers)
  return { status: answer.status, body: await answer.json() }
}

const current = async () =>
  articleSchema.parse(await (await app.as(writer).get(`/v1/articles/${id}`)).json())
const tag = async () => (await app.as(writer).get(`/v1/articles/${id}`)).headers.get('etag') ?? ''

describe('SY-08 a save that supersedes earlier ones', () => {
  it('takes the place of one that arrived, though its condition names the text before', async () => {
    await save('One two.', { key: 'first' })
    const { status, body } = await save('One two three.', { key: 'second', supersedes: ['first'] })
    expect(status).toBe(200)
    expect(articleSchema.parse(body)).toMatchObject({
      textVersion: 3,
      arrived: [{ key: 'first', textVersion: 2, revision: 'first', replaced: { textVersion: 1 } }],
    })
    expect((await current()).articleText).toEqual(text('One two three.'))
  })

  it('is refused once another writer has changed the text since, and names its own for the merge', async () => {
    await save('One two.', { key: 'first' })
    await save('One two. Hers.', { key: 'hers', on: await tag(), by: colleague })
    const { status, body } = await save('One two three.', { key: 'second', supersedes: ['first'] })
    expect(status).toBe(412)
    expect(errorSchema.parse(body).current).toMatchObject({
      textVersion: 3,
      articleText: text('One two. Hers.'),
      arrived: [{ key: 'first', textVersion: 2 }],
      arrivedText: text('One two.'),
    })
  })

  it('is the last that counts: one of the others that arrives later changes nothing', async () => {
    await save('One two three.', { key: 'second', supersedes: ['first'] })
    const late = await app
      .as(writer)
      .patch(
        `/v1/articles/${id}`,
        { articleText: text('One two.') },
        { 'idempotency-key': 'first' },
      )
    expect(late.status).toBe(422)
    expect((await current()).articleText).toEqual(text('One two three.'))
  })

  it('refuses one of the others that arrives later with a body that cannot be read', async () => {
    await save('One two three.', { key: 'second', supersedes: ['first'] })
    const body = { articleText: 'unreadable' }
    const late = await app
      .as(writer)
      .patch(`/v1/articles/${id}`, body, { 'idempotency-key': 'first' })
    expect(late.status).toBe(422)
  })

  it('leaves the others as they are where it is refused', async () => {
    await save('Hers.', { key: 'hers', by: colleague })
    const refused = await save('One two three.', { key: 'second', supersedes: ['first'] })
    expect(refused.status).toBe(412)
    expect((await save('One two.', { key: 'first', on: await tag() })).status).toBe(200)
  })

  it('says at a repetition what had arrived by then', async () => {
    await save('One two.', { key: 'first' })
    await save('One two three.', { key: 'second', on: await tag() })
    const { body } = await save('One two three.', { key: 'second', supersedes: ['first'] })
    expect(articleSchema.parse(body).arrived).toMatchObject([{ key: 'first', textVersion: 2 }])
  })

  it('takes the place of no text of another writer or another article', async () => {
    await save('Hers.', { key: 'hers', by: colleague })
    const hers = await save('Mine.', { key: 'mine', supersedes: ['hers'] })
    expect(errorSchema.parse(hers.body).current?.arrived).toEqual([])
    const { id: other } = await app.article({ client: await app.client({ users: [writer] }) })
    await save('Elsewhere.', { key: 'elsewhere', on: '*', of: other })
    const others = await save('Mine.', { key: 'mine', supersedes: ['elsewhere'] })
    expect(errorSchema.parse(others.body).current?.arrived).toEqual([])
    expect((await current()).articleText).toEqual(text('Hers.'))
  })

  it.each([
    ['more than 20 keys', Array.from({ length: 21 }, (_, at) => `key-${at}`)],
    ['a key that names no save', ['not a key']],
  ])('is refused with 400 for %s', async (_, supersedes) => {
    const { status, body } = await save('Two.', { key: 'second', supersedes })
    expect([status, errorSchema.parse(body).message]).toEqual([
      400,
      '"Contun-Supersedes" must be at most 20 keys of saves',
    ])
    expect((await current()).articleText).toEqual(text('One.'))
  })
})
