import { beforeEach, describe, expect, it } from 'vitest'
import { type ArticleDocument, linkTo } from '../../domain/text/document.ts'
import { withoutLinks } from '../../domain/text/links.ts'
import { errorSchema } from '../../domain/wire/errors.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

/** A text with a link and one more word. */
const linked = (words: string, href = 'https://larkspur.example/dark-river'): ArticleDocument => ({
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'See ' },
        { type: 'text', text: 'the guide', marks: [{ type: 'bold' }, linkTo(href)] },
        { type: 'text', text: ` ${words}` },
      ],
    },
  ],
})
/** The same as a page of an earlier release reads it. */
const bare = (words: string) => withoutLinks(linked(words))

let app: TestApp
let writer: TestUser
let id: string

beforeEach(async () => {
  app = await createTestApp()
  writer = await app.user()
  const client = await app.client({ users: [writer] })
  id = (await app.article({ client, articleText: linked('first') })).id
})

const path = (query = '') => `/v1/articles/${id}${query}`
const read = async () => (await app.as(writer).get(path())).json()
const save = (articleText: object, headers = {}, query = '') =>
  app.as(writer).patch(path(query), { articleText }, headers)

describe('a text with links', () => {
  it('is stored and comes back as it is, in versions too', async () => {
    expect((await save(linked('second'))).status).toBe(200)
    const { articleText, textVersion } = await read()
    expect(articleText).toEqual(linked('second'))
    const revision = await app.as(writer).get(path(`/revisions/${textVersion}`))
    expect((await revision.json()).articleText).toEqual(linked('second'))
  })

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,x',
    ' https://larkspur.example',
  ])('to %j is refused whole', async (href) => {
    const answer = await save(linked('second', href))
    expect(answer.status).toBe(400)
    expect((await answer.json()).message).toContain('A link has a href that is not allowed.')
    expect((await read()).articleText).toEqual(linked('first'))
  })
})

describe('a client that does not know links', () => {
  const expectKept = async (answer: Response) => {
    expect(answer.status).toBe(426)
    expect(errorSchema.parse(await answer.json())).toMatchObject({
      reason: 'update_needed',
      message: 'This text has links, which this page would remove. Reload the page.',
    })
    expect((await read()).articleText).toEqual(linked('first'))
  }

  it('cannot replace a text with links by one without: not plainly, on a condition, or as a merge or restore', async () => {
    const etag = (await app.as(writer).get(path())).headers.get('etag') ?? ''
    await expectKept(await save(bare('second')))
    await expectKept(await save({}))
    await expectKept(await save(bare('second'), { 'if-match': etag, 'idempotency-key': 'key-1' }))
    for (const reason of ['merge', 'restore'])
      await expectKept(await save(bare('second'), { 'if-match': etag, 'contun-reason': reason }))
    await expectKept(await save(bare('second'), { 'if-match': '"v1.t99"' }))
    await expectKept(await save(bare('second'), { 'contun-knows': 'linksmith' }))
    const both = await app.as(writer).patch(path(), { articleText: bare('x'), completed: true })
    await expectKept(both)
    expect((await read()).completed).toBe(false)
  })

  it('cannot with keys of earlier saves either', async () => {
    const etag = (await app.as(writer).get(path())).headers.get('etag') ?? ''
    const superseding = {
      'if-match': etag,
      'contun-supersedes': 'key-1',
      'idempotency-key': 'key-2',
    }
    await expectKept(await save(bare('second'), superseding))
  })

  it('cannot in a batch, whose other changes are carried out', async () => {
    const client = await app.client({ users: [writer] })
    const other = await app.article({ client, articleText: bare('other') })
    const changes = [
      { id, body: { articleText: bare('second') } },
      { id: other.id, body: { articleText: bare('more') } },
    ]
    const statuses = async (answer: Response) =>
      (await answer.json()).answers.map(({ status }: { status: number }) => status)
    expect(await statuses(await app.as(writer).patch('/v1/articles', { changes }))).toEqual([
      426, 200,
    ])
    expect((await read()).articleText).toEqual(linked('first'))
    const knowing = await app.as(writer).patch('/v1/articles?Contun-Knows=links', { changes })
    expect(await statuses(knowing)).toEqual([200, 200])
  })

  it('may save a text with links, a text where there are none, and the same text', async () => {
    expect((await save(linked('second', 'mailto:ada@larkspur.example'))).status).toBe(200)
    expect((await save(linked('second', 'mailto:ada@larkspur.example'))).status).toBe(200)
    expect((await save(bare('third'), {}, '?Contun-Knows=links')).status).toBe(200)
    expect((await save(bare('fourth'))).status).toBe(200)
    expect(
      (
        await save({
          type: 'doc',
          content: [{ type: 'paragraph', content: [{ type: 'text', text: '"type":"link"' }] }],
        })
      ).status,
    ).toBe(200)
    expect((await save(bare('fifth'))).status).toBe(200)
  })

  it('may complete the article and restore a version that had no links', async () => {
    expect((await save(bare('second'), { 'contun-knows': 'tables, links' })).status).toBe(200)
    const { textVersion } = await read()
    expect((await save(linked('third'))).status).toBe(200)
    expect((await app.as(writer).post(path(`/revisions/${textVersion}/restore`))).status).toBe(200)
    expect((await save(linked('fourth'))).status).toBe(200)
    expect((await app.as(writer).patch(path(), { completed: true })).status).toBe(200)
  })
})

it('a key that was refused so is good for the same text of a page that knows links', async () => {
  const key = { 'idempotency-key': 'key-1' }
  expect((await save(bare('second'), key)).status).toBe(426)
  expect((await save(bare('second'), key, '?Contun-Knows=links')).status).toBe(200)
})
