import { getSchema, Mark } from '@tiptap/core'
import StarterKit from '@tiptap/starter-kit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomRuns } from '../../scripts/test-depth.ts'
import {
  ALLOWED_MARKS,
  ALLOWED_NODES,
  asDocument,
  type DocumentNode,
  EMPTY_DOCUMENT,
  linkTo,
  normalForm,
  readDocument,
  sameDocument,
} from './document.ts'
import { FAULTS } from './document-schema.ts'

const schema = getSchema([
  StarterKit.configure({ link: false, code: false, codeBlock: false, underline: false }),
  Mark.create({ name: 'link', addAttributes: () => ({ href: { isRequired: true } }) }),
])

const text = (value: string, ...marks: string[]) =>
  marks.length === 0
    ? { type: 'text', text: value }
    : { type: 'text', marks: marks.map((type) => ({ type })), text: value }
const paragraph = (...content: unknown[]) =>
  content.length === 0 ? { type: 'paragraph' } : { type: 'paragraph', content }
const linked = (value: string, href: unknown) => ({
  type: 'text',
  marks: [{ type: 'link', attrs: { href } }],
  text: value,
})
const doc = (...content: unknown[]) => ({ type: 'doc', content })
const item = (...content: unknown[]) => ({ type: 'listItem', content })
const bullets = (...content: unknown[]) => ({ type: 'bulletList', content })
const quote = (...content: unknown[]) => ({ type: 'blockquote', content })

function faultOf(input: unknown): string {
  const reading = readDocument(input)
  return reading.ok ? 'accepted' : reading.fault
}
function read(input: unknown): unknown {
  const reading = readDocument(input)
  return reading.ok ? reading.document : reading.fault
}

const everything = doc(
  { type: 'heading', attrs: { level: 1 }, content: [text('Moon')] },
  { type: 'heading', attrs: { level: 6 }, content: [text('Owl')] },
  paragraph(
    text('plain '),
    text('all', 'bold', 'italic', 'strike'),
    { type: 'hardBreak', marks: [{ type: 'bold' }] },
    text('after'),
    { type: 'hardBreak' },
    linked('a link', 'https://larkspur.example/'),
    {
      ...text('in bold', 'bold'),
      marks: [{ type: 'bold' }, linkTo('mailto:ada@larkspur.example')],
    },
  ),
  paragraph(),
  bullets(
    item(paragraph(text('one')), bullets(item(paragraph(text('deep')))), quote(paragraph())),
    item(paragraph(), { type: 'horizontalRule' }, { type: 'heading', attrs: { level: 3 } }),
  ),
  {
    type: 'orderedList',
    attrs: { start: 0, type: 'i' },
    content: [item(paragraph(text('first')))],
  },
  quote(quote({ type: 'horizontalRule' }), bullets(item(paragraph(text('quoted'))))),
  { type: 'horizontalRule' },
)

describe('reading documents', () => {
  it('takes every allowed node and mark, nested, and gives it back equal', () => {
    expect(read(everything)).toEqual(everything)
    expect(schema.nodeFromJSON(everything).toJSON()).toEqual(everything)
  })

  it('builds a new document instead of passing the input on', () => {
    const input = structuredClone(everything)
    const reading = readDocument(input)
    input.content.length = 0
    expect(reading).toEqual({ ok: true, document: everything })
  })

  it('takes {} as the empty document', { tags: ['@ED-28'] }, () => {
    expect(readDocument({})).toEqual({ ok: true, document: {} })
  })

  it('allows exactly the nodes and marks of the editor', () => {
    expect([...ALLOWED_NODES].sort()).toEqual(Object.keys(schema.nodes).sort())
    expect(ALLOWED_MARKS).toEqual(Object.keys(schema.marks))
  })

  const nestedDeep = (levels: number) => {
    let inner: unknown = paragraph(text('deep'))
    for (let level = 0; level < levels; level += 1) inner = quote(inner)
    return doc(inner)
  }
  const wide = (nodes: number) => doc(...Array.from({ length: nodes - 1 }, () => paragraph()))
  const own = (json: string) => JSON.parse(json)

  it.each<[string, unknown, string]>([
    ['image', doc({ type: 'image' }), 'The text has an unknown part: "image".'],
    ['codeBlock', doc({ type: 'codeBlock' }), 'The text has an unknown part: "codeBlock".'],
    ['constructor', doc({ type: 'constructor' }), 'The text has an unknown part: "constructor".'],
    ['__proto__', doc({ type: '__proto__' }), 'The text has an unknown part: "__proto__".'],
    ['no type', doc({}), 'The text has an unknown part: without a name.'],
    ...[
      'javascript:1',
      'https://larkspur.example/ ',
      'HTTPS://larkspur.example/',
      'larkspur.example',
      '',
      5,
      null,
      undefined,
      ['https://larkspur.example/'],
    ].map((href): [string, unknown, string] => [
      `a link to ${JSON.stringify(href)}`,
      doc(paragraph(linked('x', href))),
      'A link has a href that is not allowed.',
    ]),
    [
      'a link with a target',
      doc(
        paragraph({
          ...text('x'),
          marks: [{ type: 'link', attrs: { href: 'https://larkspur.example/', target: '_blank' } }],
        }),
      ),
      'The mark link has an unknown attribute.',
    ],
    [
      'a link to nothing',
      doc(paragraph(text('x', 'link'))),
      'A link has a href that is not allowed.',
    ],
    [
      'two links in one place',
      doc(
        paragraph({
          ...text('x'),
          marks: [linkTo('http://a.example'), linkTo('http://b.example')],
        }),
      ),
      'A text has a repeated mark.',
    ],
    [
      'a mark with attributes',
      doc(paragraph({ ...text('x'), marks: [{ type: 'bold', attrs: { class: 'x' } }] })),
      'The mark bold has an unknown attribute.',
    ],
    ...[0, 7, 99, '1', {}, 1.5, null].map((level): [string, unknown, string] => [
      `heading level ${JSON.stringify(level)}`,
      doc({ type: 'heading', attrs: { level } }),
      'A heading has a level that is not allowed.',
    ]),
    ...['<x>', -1, 1e9, 1.5, null, Number.NaN].map((start): [string, unknown, string] => [
      `list start ${String(start)}`,
      doc({ type: 'orderedList', attrs: { start }, content: [item(paragraph())] }),
      'An ordered list has a start that is not allowed.',
    ]),
    ...['disc', 1, {}].map((type): [string, unknown, string] => [
      `list type ${JSON.stringify(type)}`,
      doc({ type: 'orderedList', attrs: { type }, content: [item(paragraph())] }),
      'An ordered list has a type that is not allowed.',
    ]),
    ...['onclick', 'style', 'class', 'data-x'].map((name): [string, unknown, string] => [
      `${name}`,
      doc({ type: 'paragraph', attrs: { [name]: 'x' } }),
      `A paragraph has an unknown attribute: "${name}".`,
    ]),
    [
      '__proto__ as a key',
      own('{"type":"doc","content":[{"type":"paragraph","__proto__":{"role":"admin"}}]}'),
      'A paragraph has an unknown key: "__proto__".',
    ],
    [
      '__proto__ as an attribute',
      own('{"type":"doc","content":[{"type":"paragraph","attrs":{"__proto__":{}}}]}'),
      'A paragraph has an unknown attribute: "__proto__".',
    ],
    [
      'constructor on the document',
      own('{"type":"doc","content":[{"type":"paragraph"}],"constructor":{}}'),
      'The document has an unknown key: "constructor".',
    ],
    ['an empty text', doc(paragraph(text(''))), 'A text must not be empty.'],
    ['text 5', doc(paragraph({ type: 'text', text: 5 })), 'A text has no characters.'],
    ['no text', doc(paragraph({ type: 'text' })), 'A text has no characters.'],
    ['content "x"', { type: 'doc', content: 'x' }, 'The document has content that is no list.'],
    ['text in doc', doc(text('x')), 'A text cannot stand inside the document.'],
    ['doc in doc', doc(doc(paragraph())), 'The document cannot stand inside the document.'],
    ['repeated mark', doc(paragraph(text('x', 'bold', 'bold'))), 'A text has a repeated mark.'],
    ['null', null, 'The text is not a document.'],
    ['array', [], 'The text is not a document.'],
    ['string', 'x', 'The text is not a document.'],
    ['number', 5, 'The text is not a document.'],
    ['undefined', undefined, 'The text is not a document.'],
    ['a null node', doc(null), 'The text is not a document.'],
    ['a paragraph as root', paragraph(), 'The text is not a document.'],
    ['an empty document node', doc(), 'The document must not be empty.'],
    [
      'marks on a block',
      doc({ ...paragraph(), marks: [{ type: 'bold' }] }),
      'A paragraph cannot have marks.',
    ],
    ['text in a list', doc(bullets(text('x'))), 'A text cannot stand inside a bullet list.'],
    ['an empty list', doc(bullets()), 'A bullet list must not be empty.'],
    ['an empty quote', doc(quote()), 'A blockquote must not be empty.'],
    [
      'an item outside a list',
      doc(item(paragraph())),
      'A list item cannot stand inside the document.',
    ],
    [
      'an item that starts with a list',
      doc(bullets(item(bullets(item(paragraph()))))),
      'A list item must start with a paragraph.',
    ],
    [
      'a block in a paragraph',
      doc(paragraph(paragraph())),
      'A paragraph cannot stand inside a paragraph.',
    ],
    [
      'content in a rule',
      doc({ type: 'horizontalRule', content: [text('x')] }),
      'A horizontal rule cannot hold anything.',
    ],
    [
      'text beside a paragraph',
      doc({ ...paragraph(), text: 'x' }),
      'A paragraph has an unknown key: "text".',
    ],
    ['depth 65', nestedDeep(63), 'The text is nested too deep (more than 64 levels).'],
    ['50,001 nodes', wide(50_001), 'The text has too many parts (more than 50,000).'],
    [
      '1,000,001 characters',
      doc(paragraph(text('x'.repeat(1_000_001)))),
      'The text is too long (more than 1,000,000 characters).',
    ],
  ])('refuses %s', { tags: ['@ED-32'] }, (_, input, fault) => {
    expect(faultOf(input)).toBe(fault)
  })

  it('takes documents at the limits', () => {
    expect(faultOf(nestedDeep(61))).toBe('accepted')
    expect(faultOf(wide(50_000))).toBe('accepted')
    expect(faultOf(doc(paragraph(text('x'.repeat(1_000_000)))))).toBe('accepted')
  })

  it('refuses a million levels without exhausting the call stack', () => {
    const brackets = JSON.parse('['.repeat(1_000_000) + ']'.repeat(1_000_000))
    expect(faultOf(doc(paragraph(), brackets))).toBe('The text is not a document.')
    expect(faultOf(nestedDeep(1_000_000))).toBe(FAULTS.tooDeep)
  })

  it.each<[string, string, unknown]>([
    ['NUL is removed', 'a\0b', doc(paragraph(text('ab')))],
    [
      'half a surrogate pair is replaced',
      'a\ud83c b\udf19',
      doc(paragraph(text('a\ufffd b\ufffd'))),
    ],
    ['a whole pair stays', '🌙', doc(paragraph(text('🌙')))],
    ['a text of NUL alone is dropped', '\0', doc(paragraph())],
  ])('%s', (_, value, expected) => {
    expect(read(doc(paragraph(text(value))))).toEqual(expected)
  })

  it('joins the texts around a dropped one', () => {
    expect(read(doc(paragraph(text('a'), text('\0', 'bold'), text('b'))))).toEqual(
      doc(paragraph(text('ab'))),
    )
  })

  it('fills in attributes and orders marks as the editor does', () => {
    const loose = doc(
      { type: 'heading', content: [text('x', 'strike', 'bold')] },
      { type: 'orderedList', content: [item(paragraph())] },
    )
    expect(read(loose)).toEqual(schema.nodeFromJSON(loose).toJSON())
  })

  it('takes empty attributes, marks and content', () => {
    const loose = { type: 'paragraph', attrs: {}, marks: [], content: [] }
    expect(read(doc(loose))).toEqual(EMPTY_DOCUMENT)
  })
})

const inline = fc.oneof(
  fc.record({
    type: fc.constant('text'),
    text: fc.string({ minLength: 1, unit: 'grapheme' }),
    marks: fc
      .tuple(
        fc.subarray([...ALLOWED_MARKS]),
        fc.constantFrom('http://a.example', 'http://b.example'),
      )
      .map(([marks, href]) => marks.map((type) => (type === 'link' ? linkTo(href) : { type }))),
  }),
  fc.record({ type: fc.constant('hardBreak') }),
)
const inlines = fc.array(inline, { maxLength: 4 })
const { block } = fc.letrec<{ block: DocumentNode; item: DocumentNode; leaf: DocumentNode }>(
  (tie) => ({
    leaf: fc.oneof(
      fc.record({ type: fc.constant('paragraph'), content: inlines }),
      fc.record({
        type: fc.constant('heading'),
        attrs: fc.record({ level: fc.integer({ min: 1, max: 6 }) }),
        content: inlines,
      }),
      fc.constant({ type: 'horizontalRule' }),
    ) as fc.Arbitrary<DocumentNode>,
    item: fc
      .tuple(inlines, fc.array(tie('block'), { maxLength: 2 }))
      .map(([first, rest]) => item({ type: 'paragraph', content: first }, ...rest) as DocumentNode),
    block: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'block' },
      tie('leaf'),
      fc.record({
        type: fc.constantFrom('bulletList', 'orderedList'),
        content: fc.array(tie('item'), { minLength: 1, maxLength: 3 }),
      }),
      fc.record({
        type: fc.constant('blockquote'),
        content: fc.array(tie('block'), { minLength: 1, maxLength: 3 }),
      }),
    ) as fc.Arbitrary<DocumentNode>,
  }),
)
const documents = fc.array(block, { minLength: 1, maxLength: 5 }).map((content) => doc(...content))

function withKeysReversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKeysReversed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) =>
    key === 'marks' ? [key, [...inner].reverse()] : [key, withKeysReversed(inner)],
  )
  return Object.fromEntries(entries.reverse())
}

describe('the editor and the server agree', () => {
  it('whatever the editor can hold is read and comes back as the editor writes it', () => {
    fc.assert(
      fc.property(documents, (input) => {
        const node = schema.nodeFromJSON(input)
        node.check()
        const written = schema.nodeFromJSON(JSON.parse(JSON.stringify(node.toJSON())))
        const reading = read(written.toJSON())
        expect(reading).toEqual(normalForm(written.toJSON()))
        expect(schema.nodeFromJSON(reading).textContent).toBe(
          written.textContent.replaceAll('\0', ''),
        )
      }),
      { numRuns: randomRuns(300) },
    )
  })

  it('equal documents are read as the same JSON, whatever the order of keys and marks', () => {
    fc.assert(
      fc.property(documents, (input) => {
        const written = schema.nodeFromJSON(JSON.parse(JSON.stringify(input))).toJSON()
        const json = JSON.stringify(read(written))
        expect(JSON.stringify(read(withKeysReversed(written)))).toBe(json)
        expect(JSON.stringify(read(JSON.parse(json)))).toBe(json)
      }),
      { numRuns: randomRuns(300) },
    )
  })

  it('whatever is read is a valid document of the editor', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), documents, fc.nat(), (json, input, at) => {
        const changed = doc(...input.content)
        changed.content.splice(at % (changed.content.length + 1), 1, JSON.parse(json))
        const reading = readDocument(changed)
        if (reading.ok && reading.document.type) schema.nodeFromJSON(reading.document).check()
      }),
      { numRuns: randomRuns(300) },
    )
  })
})

describe('empty and equal documents', () => {
  it.each<[string, Parameters<typeof asDocument>[0], boolean]>([
    ['{}', {}, true],
    ['one empty paragraph', EMPTY_DOCUMENT, true],
    [
      'one paragraph with an empty list of content',
      { type: 'doc', content: [{ type: 'paragraph', content: [] }] },
      true,
    ],
    ['a heading', { type: 'doc', content: [{ type: 'heading' }] }, false],
    [
      'two paragraphs',
      { type: 'doc', content: [{ type: 'paragraph' }, { type: 'paragraph' }] },
      false,
    ],
    ['a word', doc(paragraph(text('x'))) as typeof EMPTY_DOCUMENT, false],
  ])('%s', { tags: ['@ED-28'] }, (_, input, empty) => {
    expect(sameDocument(input, {})).toBe(empty)
    expect(asDocument(input).type).toBe('doc')
  })

  it('equal texts of another form are the same', () => {
    const listed = (attrs?: object) =>
      doc({
        type: 'orderedList',
        ...(attrs && { attrs }),
        content: [item(paragraph())],
      }) as typeof EMPTY_DOCUMENT
    expect(sameDocument(listed(), listed({ type: null, start: 1 }))).toBe(true)
    expect(sameDocument(listed(), listed({ start: 2 }))).toBe(false)
    const bold = doc(paragraph(text('a', 'bold'), text('b', 'bold'))) as typeof EMPTY_DOCUMENT
    const joined = doc(paragraph(text('ab', 'bold'))) as typeof EMPTY_DOCUMENT
    expect(sameDocument(bold, joined)).toBe(true)
    expect(sameDocument(bold, doc(paragraph(text('ab'))) as typeof EMPTY_DOCUMENT)).toBe(false)
  })
})
