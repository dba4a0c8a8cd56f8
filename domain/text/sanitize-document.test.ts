import { getSchema, Mark } from '@tiptap/core'
import StarterKit from '@tiptap/starter-kit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomRuns } from '../../scripts/test-depth.ts'
import { EMPTY_DOCUMENT, readDocument, sanitizeDocument } from './document.ts'

const schema = getSchema([
  StarterKit.configure({ link: false, code: false, codeBlock: false, underline: false }),
  Mark.create({ name: 'link', addAttributes: () => ({ href: { isRequired: true } }) }),
])

const text = (value: string) => ({ type: 'text', text: value })
const paragraph = (...content: unknown[]) =>
  content.length === 0 ? { type: 'paragraph' } : { type: 'paragraph', content }
const doc = (...content: unknown[]) => ({ type: 'doc', content })
const item = (...content: unknown[]) => ({ type: 'listItem', content })
const bullets = (...content: unknown[]) => ({ type: 'bulletList', content })

describe('sanitizing a document', () => {
  it.each([
    ['{}', {}],
    ['null', null],
    ['undefined', undefined],
    ["''", ''],
  ])('%s opens as empty with nothing aside', { tags: ['@ED-28', '@Q47'] }, (_, input) => {
    expect(sanitizeDocument(input)).toEqual({ document: EMPTY_DOCUMENT, aside: [] })
  })

  it.each([
    ['a number', 5],
    ['a string', '<p>old</p>'],
    ['an array', []],
    ['an unknown object', { ops: [] }],
  ])('%s opens as empty and is kept aside', { tags: ['@Q47'] }, (_, input) => {
    expect(sanitizeDocument(input)).toEqual({ document: EMPTY_DOCUMENT, aside: [input] })
  })

  it('leaves a good document alone', () => {
    const good = doc(
      { type: 'heading', attrs: { level: 2 }, content: [text('Moon')] },
      bullets(item(paragraph(text('one')), { type: 'horizontalRule' })),
      paragraph(),
    )
    expect(sanitizeDocument(good)).toEqual({ document: good, aside: [] })
  })

  const image = { type: 'image', attrs: { src: 'moon.png' } }
  const table = {
    type: 'table',
    content: [
      {
        type: 'row',
        content: [
          { type: 'cell', content: [paragraph(text('a'), text('b'))] },
          paragraph(text('c')),
        ],
      },
    ],
  }
  const linked = (href: unknown) => ({
    ...text('here'),
    marks: [{ type: 'bold' }, { type: 'link', attrs: { href } }],
  })
  const underlined = { ...text('here'), marks: [{ type: 'bold' }, { type: 'underline' }] }

  it.each<[string, unknown[], unknown[], unknown[]]>([
    [
      'an unknown block without text',
      [paragraph(text('x')), image],
      [paragraph(text('x'))],
      [image],
    ],
    ['an unknown block with text', [table], [paragraph(text('ab')), paragraph(text('c'))], [table]],
    [
      'an unknown mark',
      [paragraph(underlined)],
      [paragraph({ ...text('here'), marks: [{ type: 'bold' }] })],
      [underlined],
    ],
    [
      'a link',
      [paragraph(linked('http://a.example'))],
      [paragraph(linked('http://a.example'))],
      [],
    ],
    ...['javascript:alert(1)', 'x', ' http://a.example', 7, undefined].map(
      (href): [string, unknown[], unknown[], unknown[]] => [
        `a link to ${JSON.stringify(href)}`,
        [paragraph(linked(href))],
        [paragraph({ ...text('here'), marks: [{ type: 'bold' }] })],
        [linked(href)],
      ],
    ),
    [
      'an unknown attribute',
      [{ type: 'paragraph', attrs: { class: 'x' }, content: [text('y')] }],
      [paragraph(text('y'))],
      [{ type: 'paragraph', attrs: { class: 'x' } }],
    ],
    [
      'a broken level',
      [{ type: 'heading', attrs: { level: 9 }, content: [text('y')] }],
      [{ type: 'heading', attrs: { level: 1 }, content: [text('y')] }],
      [{ type: 'heading', attrs: { level: 9 } }],
    ],
    [
      'an unknown inline node',
      [paragraph(text('to '), { type: 'mention', content: [text('Imogen')] })],
      [paragraph(text('to '), text('Imogen'))],
      [{ type: 'mention', content: [text('Imogen')] }],
    ],
    [
      'text without a block',
      [text('a'), { type: 'hardBreak' }, paragraph()],
      [paragraph(text('a'), { type: 'hardBreak' }), paragraph()],
      [],
    ],
    [
      'a block in a list',
      [bullets(paragraph(text('a')))],
      [bullets(item(paragraph(text('a'))))],
      [],
    ],
    [
      'an item that starts with a list',
      [bullets(item(bullets(item(paragraph(text('a'))))))],
      [bullets(item(paragraph(), bullets(item(paragraph(text('a'))))))],
      [],
    ],
    ['an item without a list', [item(paragraph(text('a')))], [paragraph(text('a'))], []],
    ['an empty list', [bullets(), paragraph(text('a'))], [paragraph(text('a'))], []],
    ['NUL', [paragraph(text('a\0'), text('\0'))], [paragraph(text('a'))], []],
    ['a child that is no node', [5, paragraph(text('a'))], [paragraph(text('a'))], [5]],
  ])('%s', { tags: ['@Q47'] }, (_, content, expected, aside) => {
    expect(sanitizeDocument(doc(...content))).toEqual({ document: doc(...expected), aside })
  })

  it('flattens what is nested too deep for the server, without using the call stack', {
    tags: ['@Q47'],
  }, () => {
    let inner: unknown = paragraph(text('deep'))
    for (let level = 0; level < 100_000; level += 1) inner = bullets(item(paragraph(), inner))
    const { document, aside } = sanitizeDocument(doc(inner))
    expect(readDocument(document).ok).toBe(true)
    expect(JSON.stringify(document)).toContain('deep')
    expect(aside).toHaveLength(1)
  })

  const words = fc.stringMatching(/^[a-z]{3,8}$/)
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      fc.record({
        type: fc.constant('text'),
        text: words,
        marks: fc.constantFrom([], [{ type: 'link' }], null),
      }),
      fc.record({
        type: fc.constantFrom(
          'paragraph',
          'heading',
          'bulletList',
          'orderedList',
          'listItem',
          'blockquote',
          'doc',
          'table',
          'hardBreak',
          'horizontalRule',
        ),
        attrs: fc.constantFrom({}, { level: 3 }, { level: 'x' }, { start: 5 }, null),
        content: fc.array(tie('node'), { maxLength: 4 }),
      }),
      fc.jsonValue(),
    ),
  }))

  it('for any input the editor and the server accept the result, and no word is lost', {
    tags: ['@Q47'],
  }, () => {
    fc.assert(
      fc.property(fc.array(node, { maxLength: 4 }), (content) => {
        const { document, aside } = sanitizeDocument(doc(...content))
        expect(() => schema.nodeFromJSON(document).check()).not.toThrow()
        expect(readDocument(document).ok).toBe(true)
        const kept = JSON.stringify([document, aside])
        for (const [word] of JSON.stringify(content).matchAll(/(?<="text":")[a-z]{3,8}(?=")/g)) {
          expect(kept).toContain(word)
        }
      }),
      { numRuns: randomRuns(1_250) },
    )
  })
})
