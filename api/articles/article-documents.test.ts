import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ARTICLE_BODY_BYTES } from '../../domain/limits.ts'
import type { ArticleDocument, DocumentNode } from '../../domain/text/document.ts'
import { randomRuns } from '../../scripts/test-depth.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

/** Unusual and hostile documents. After every case the server must have logged no fault of its own. */
let app: TestApp
let A1: TestUser
let U1: TestUser
let C1: { id: string }
let P1: string

beforeEach(async () => {
  app = await createTestApp()
  A1 = await app.user({ name: 'Ada Ferris', role: 'admin' })
  U1 = await app.user({ name: 'Imogen Hale' })
  C1 = await app.client({ name: 'Fathom Coffee', users: [U1] })
  P1 = (await app.article({ client: C1 })).id
  await app.signIn(U1)
})

afterEach(() => {
  expect(app.logLines.filter(({ level }) => level === 'error')).toEqual([])
})

const node = (type: string, ...content: DocumentNode[]): DocumentNode => ({ type, content })
const words = (text: string): DocumentNode => ({ type: 'text', text })
const doc = (...content: DocumentNode[]) => ({ type: 'doc', content }) as ArticleDocument
const text = (line: string) => doc(node('paragraph', words(line)))

const get = (person: TestUser | null, id: string) => app.as(person).get(`/v1/articles/${id}`)
const read = async (id = P1) => (await get(A1, id)).json()
const patch = (body: unknown, headers: Record<string, string> = {}, id = P1, person = U1) =>
  app.as(person).patch(`/v1/articles/${id}`, body, headers)
const put = (articleText: unknown) => patch({ articleText })
const refusal = async (answer: Response) => {
  const { code, reason, message } = await answer.json()
  return { status: answer.status, code, reason, said: message !== '' }
}
const invalidDocument = { status: 400, code: 400, reason: 'invalid_document', said: true }
async function bearer(person: TestUser) {
  return { authorization: `Bearer ${(await app.signIn(person)).access.token}` }
}

describe('documents', () => {
  const list = (type: string, ...items: DocumentNode[]) => node(type, ...items)
  const item = (...content: DocumentNode[]) => node('listItem', ...content)

  it('reads back every allowed node and mark, nested', async () => {
    const marks = (['bold', 'italic', 'strike'] as const).map((type) => ({ type }))
    const levels = [1, 2, 3, 4, 5, 6].map((level) => ({
      ...node('heading', words(`Heading ${level}`)),
      attrs: { level },
    }))
    const line = node(
      'paragraph',
      words('plain '),
      { ...words('all of it'), marks },
      { type: 'hardBreak' },
      words('end'),
    )
    const numbers = {
      ...list('orderedList', item(line, list('bulletList', item(line)))),
      attrs: { start: 3, type: 'a' },
    }
    const given = doc(
      ...levels,
      line,
      { type: 'horizontalRule' },
      node('blockquote', numbers, node('blockquote', line)),
      { type: 'paragraph' },
    )
    expect((await put(given)).status).toBe(200)
    expect((await read()).articleText).toEqual(given)
  })

  it.each([
    'image',
    'iframe',
    'codeBlock',
    'table',
    'unknown',
    'constructor',
    '__proto__',
    'toString',
    5,
    null,
  ])('refuses a node of type %j', async (type) => {
    const answer = await put({ type: 'doc', content: [{ type, content: [words('x')] }] })
    expect(await refusal(answer)).toEqual(invalidDocument)
  })

  it.each([
    { type: 'link', attrs: { href: 'javascript:alert(1)' } },
    { type: 'code' },
    { type: 'underline' },
    { type: 'bold', attrs: { class: 'x' } },
  ])('refuses the mark %j', async (mark) => {
    const answer = await put({
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ ...words('x'), marks: [mark] }] }],
    })
    expect(await refusal(answer)).toEqual(invalidDocument)
  })

  it.each([0, 7, 99, '1', {}, null])('refuses heading level %j', async (level) => {
    expect(
      await refusal(await put(doc({ ...node('heading', words('x')), attrs: { level } }))),
    ).toEqual(invalidDocument)
  })

  it.each(['<x>', -1, 1e9, 1.5])('refuses list start %j', async (start) => {
    const numbers = {
      ...list('orderedList', item(node('paragraph', words('x')))),
      attrs: { start },
    }
    expect(await refusal(await put(doc(numbers)))).toEqual(invalidDocument)
  })

  it.each(['onclick', 'style', 'class', 'data-x'])('refuses attribute %s', async (name) => {
    const answer = await put(
      doc({ ...node('paragraph', words('x')), attrs: { [name]: 'alert(1)' } }),
    )
    expect(await refusal(answer)).toEqual(invalidDocument)
  })

  it.each<[string, unknown]>([
    ['an empty text', text('')],
    [
      'a number as text',
      { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 5 }] }] },
    ],
    ['a string as content', { type: 'doc', content: 'x' }],
    ['text directly in doc', doc(words('x'))],
    ['doc in doc', doc(text('x') as DocumentNode)],
    [
      'a repeated mark',
      doc(node('paragraph', { ...words('x'), marks: [{ type: 'bold' }, { type: 'bold' }] })),
    ],
    ['a document without blocks', { type: 'doc' }],
    ['null', null],
    ['an array', []],
    ['a string', 'x'],
    ['a number', 1],
  ])('refuses %s', async (_, articleText) => {
    const { version } = await read()
    expect(await refusal(await put(articleText))).toEqual(invalidDocument)
    expect((await read()).version).toBe(version)
  })

  it.each([65, 90, 5_000])('refuses %i levels', async (depth) => {
    const quotes = '{"type":"blockquote","content":['.repeat(depth)
    const body = `{"articleText":{"type":"doc","content":[${quotes}${']}'.repeat(depth)}]}}`
    expect((await patch(body)).status).toBe(400)
  })

  it.each(['[', '{"a":', '[{"a":'])('refuses a million of %s', async (open) => {
    const body = `{"articleText":${open.repeat(1_000_000 / open.length)}`
    expect((await patch(body)).status).toBe(400)
  })

  it('refuses 50,001 nodes and takes 50,000', async () => {
    const paragraphs = (count: number) =>
      doc(...Array.from({ length: count }, () => ({ type: 'paragraph' })))
    expect(await refusal(await put(paragraphs(50_000)))).toEqual(invalidDocument)
    expect((await put(paragraphs(49_999))).status).toBe(200)
  })

  it('refuses more than 2 MiB, declared or not', { tags: ['@fault-53'] }, async () => {
    const body = `{"completed":true${' '.repeat(ARTICLE_BODY_BYTES)}}`
    const declared = await patch(body, { 'content-length': String(body.length) })
    const undeclared = await patchInParts([body.slice(0, 1_000_000), body.slice(1_000_000)])
    for (const answer of [declared, undeclared]) {
      expect(await refusal(answer)).toMatchObject({ status: 413, code: 413 })
    }
    expect((await read()).completed).toBe(false)
  })

  it('takes NUL and half a surrogate pair out of a paste, so that it never blocks saving', async () => {
    const answer = await patch(
      '{"articleText":{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"a\\u0000b\\ud800c"}]}]}}',
    )
    expect(answer.status).toBe(200)
    expect((await read()).articleText).toEqual(text('ab\ufffdc'))
  })

  it('returns markup as plain characters', async () => {
    const shapes = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '"><svg onload=alert(1)>',
      "javascript:alert('1')",
      '</script><b>',
      '&lt;b&gt;',
      '{{7*7}}',
      '<!--',
      '\u2028\u2029',
      '𝒳<𝒴>',
    ]
    const lines = Array.from({ length: 200 }, (_, at) => `${shapes[at % shapes.length]} ${at}`)
    const keywordList = lines.map((keyword) => ({
      keyword,
      source: 'E',
      score: 1,
      category: 'Must Use',
    }))
    const { id } = await app.article({ name: lines.join(' '), client: C1, keywordList })
    await patch(
      { articleText: doc(...lines.map((line) => node('paragraph', words(line)))) },
      {},
      id,
    )
    const answer = await get(U1, id)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const article = await answer.json()
    expect(article).toMatchObject({ name: lines.join(' '), keywordList })
    expect(
      article.articleText.content.map((each: DocumentNode) => each.content?.[0]?.text),
    ).toEqual(lines)
  })

  it('of 100 at once each is applied whole and updatedAt rises', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => put(text(`Version ${at}`))),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const articles = await Promise.all(answers.map((answer) => answer.json()))
    const times = articles.sort((a, b) => a.version - b.version).map(({ updatedAt }) => updatedAt)
    expect(times).toEqual([...new Set(times)].sort())
    const { replaced, ...last } = articles.at(-1)
    expect([replaced.textVersion, await read()]).toEqual([100, last])
  })

  it('any valid document is read back equal', async () => {
    await fc.assert(
      fc.asyncProperty(randomDocument(), async (given) => {
        expect((await put(given)).status).toBe(200)
        expect((await read()).articleText).toEqual(given)
      }),
      { numRuns: randomRuns(375), seed: 20_260_302 },
    )
  })
})

/** A body that comes in parts and declares no length. */
async function patchInParts(parts: string[]): Promise<Response> {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      const part = parts.shift()
      if (part === undefined) stream.close()
      else stream.enqueue(encoder.encode(part))
    },
  })
  const headers = { ...(await bearer(U1)), 'content-type': 'application/json' }
  const init = { method: 'PATCH', headers, body, duplex: 'half' }
  return app.app.request(`/v1/articles/${P1}`, init as RequestInit)
}

/** Documents in the form that the editor writes: every attribute there, equal neighbours joined. */
function randomDocument(): fc.Arbitrary<ArticleDocument> {
  const mark = fc.constantFrom('bold', 'italic', 'strike')
  const inMarkOrder = (marks: string[]) =>
    ['bold', 'italic', 'strike'].filter((type) => marks.includes(type)).map((type) => ({ type }))
  const run = fc
    .tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), fc.uniqueArray(mark))
    .map(([line, marks]) =>
      marks.length === 0 ? words(line) : { ...words(line), marks: inMarkOrder(marks) },
    )
  const inline = fc
    .array(fc.oneof(run, fc.constant({ type: 'hardBreak' })), { maxLength: 5 })
    .map(joinEqual)
  const filled = (type: string, attrs?: object) =>
    inline.map((content) => ({
      type,
      ...(attrs && { attrs }),
      ...(content.length > 0 && { content }),
    }))
  const paragraph = filled('paragraph')
  const heading = fc.integer({ min: 1, max: 6 }).chain((level) => filled('heading', { level }))
  const { block } = fc.letrec((tie) => ({
    item: fc
      .tuple(paragraph, fc.array(tie('block'), { maxLength: 2 }))
      .map(([first, rest]) => ({ type: 'listItem', content: [first, ...rest] })),
    items: fc.array(tie('item'), { minLength: 1, maxLength: 3 }),
    block: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      paragraph,
      heading,
      fc.constant({ type: 'horizontalRule' }),
      tie('items').map((content) => ({ type: 'bulletList', content })),
      fc
        .tuple(
          tie('items'),
          fc.integer({ min: 0, max: 999 }),
          fc.constantFrom(null, '1', 'a', 'A', 'i', 'I'),
        )
        .map(([content, start, type]) => ({
          type: 'orderedList',
          attrs: { start, type },
          content,
        })),
      fc
        .array(tie('block'), { minLength: 1, maxLength: 3 })
        .map((content) => ({ type: 'blockquote', content })),
    ),
  }))
  return fc
    .array(block, { minLength: 1, maxLength: 6 })
    .map((content) => ({ type: 'doc', content }) as ArticleDocument)
}

function joinEqual(nodes: (DocumentNode | { type: string })[]): DocumentNode[] {
  const joined: DocumentNode[] = []
  for (const each of nodes as DocumentNode[]) {
    const last = joined.at(-1)
    const isSame =
      last?.text !== undefined &&
      each.text !== undefined &&
      JSON.stringify(last.marks) === JSON.stringify(each.marks)
    if (isSame) joined[joined.length - 1] = { ...last, text: `${last.text}${each.text}` }
    else joined.push(each)
  }
  return joined
}
