import fc from 'fast-check'
import {
  ALLOWED_MARKS,
  type ArticleDocument,
  type DocumentNode,
  linkTo,
  readDocument,
} from '../domain/text/document.ts'
import { LIST_START_MAX, LIST_TYPES } from '../domain/text/document-schema.ts'

/** Random documents over everything that an article may hold, and texts that would like to be markup. */

const HOSTILE_PARTS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '</p><svg onload=alert(1)>',
  '<!--',
  '-->',
  ']]>',
  '<![CDATA[',
  '<?xml ?>',
  '&lt;b&gt;',
  '&#60;i&#62;',
  '&nbsp;',
  '&amp;amp;',
  '"><a href="javascript:alert(1)">',
  "' onmouseover='alert(1)",
  '</textarea>',
  '</title>',
  '<plaintext>',
  '<math><mi//xlink:href="data:x,<script>">',
  '<iframe srcdoc="&lt;script&gt;">',
  '<style>*{display:none}</style>',
  '<br>',
  '<hr/>',
  '<strong>',
  '</li></ul>',
  '<',
  '>',
  '&',
  '"',
  '\u00a0',
  '  ',
  '\n',
  '\t',
  'word',
] as const

/** With everything in it that markup has a meaning for. */
const ADDRESSES = [
  "https://larkspur.example/guides?a=1&b=2&lt;#'x",
  'http://[2001:db8::1]:8080/$&',
  'mailto:ada@larkspur.example?subject=A%20%3Cb%3E',
]

/** Up to six pieces of markup in a row. */
export const hostileText = fc
  .array(fc.constantFrom(...HOSTILE_PARTS), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''))

/** An HTML parser takes every kind of line end for a line feed. */
const anyText = fc
  .oneof(hostileText, fc.string({ minLength: 1, unit: 'grapheme' }), fc.lorem({ maxCount: 6 }))
  .map((text) => text.replace(/\r\n?/g, '\n'))

const inline = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('text'), text: anyText, marks: marks() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('hardBreak'), marks: marks() }) },
)

function marks() {
  return fc
    .tuple(fc.subarray([...ALLOWED_MARKS]), fc.constantFrom(...ADDRESSES))
    .map(([types, href]) => types.map((type) => (type === 'link' ? linkTo(href) : { type })))
}

const inlines = fc.array(inline, { maxLength: 5 })
const paragraph = fc.record({ type: fc.constant('paragraph'), content: inlines })
const heading = fc.record({
  type: fc.constant('heading'),
  attrs: fc.record({ level: fc.integer({ min: 1, max: 6 }) }),
  content: inlines,
})
const listAttributes = fc.record({
  start: fc.oneof(fc.nat(3), fc.nat(LIST_START_MAX)),
  type: fc.constantFrom(...LIST_TYPES),
})

const { block } = fc.letrec<{ block: DocumentNode; items: DocumentNode[] }>((tie) => ({
  items: fc.array(
    fc
      .tuple(paragraph, fc.array(tie('block'), { maxLength: 2 }))
      .map(([first, others]) => ({ type: 'listItem', content: [first, ...others] })),
    { minLength: 1, maxLength: 3 },
  ) as fc.Arbitrary<DocumentNode[]>,
  block: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'block' },
    paragraph,
    heading,
    fc.constant({ type: 'horizontalRule' }),
    fc.record({ type: fc.constant('bulletList'), content: tie('items') }),
    fc.record({ type: fc.constant('orderedList'), attrs: listAttributes, content: tie('items') }),
    fc.record({
      type: fc.constant('blockquote'),
      content: fc.array(tie('block'), { minLength: 1, maxLength: 3 }),
    }),
  ) as fc.Arbitrary<DocumentNode>,
}))

/** In the form in which the server keeps them. */
export const anyDocument: fc.Arbitrary<ArticleDocument> = fc
  .array(block, { minLength: 1, maxLength: 6 })
  .map((content) => {
    const reading = readDocument({ type: 'doc', content })
    if (!reading.ok) throw new Error(reading.fault)
    return reading.document as ArticleDocument
  })
