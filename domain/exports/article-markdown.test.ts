import { HtmlRenderer, Parser } from 'commonmark'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { describe, expect, test } from 'vitest'
import { anyDocument, hostileText } from '../../e2e/any-document.ts'
import { PAYLOADS } from '../../e2e/hostile-payloads.ts'
import { readPlainHtml } from '../../e2e/plain-html.ts'
import { randomRuns } from '../../scripts/test-depth.ts'
import { bullets, doc, item, link, numbers, paragraph as p, text } from '../testing/nodes.ts'
import {
  type ArticleDocument,
  asDocument,
  type DocumentMark,
  type DocumentNode,
  EMPTY_DOCUMENT,
  normalForm,
} from '../text/document.ts'
import { withoutLineEndSpaces } from '../text/line-ends.ts'
import { markdownOf } from './article-markdown.ts'

const markdownIt = new MarkdownIt({ html: true })
const readByMarkdownIt = (source: string) => readPlainHtml(markdownIt.render(source))
const readByCommonMark = (source: string) =>
  readPlainHtml(new HtmlRenderer().render(new Parser().parse(source)))

const BREAK: DocumentNode = { type: 'hardBreak' }
/** Line ends in a text, which the editor never makes, are layout once a parser has written HTML. */
const inLines = (words: string): string => words.replace(/\s*\n\s*/g, ' ')

const anyInLines = anyDocument.map((document): ArticleDocument => {
  const json = JSON.stringify(document, (key, value) => (key === 'text' ? inLines(value) : value))
  return JSON.parse(json)
})

const withoutStrikes = (document: ArticleDocument): ArticleDocument =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'marks' ? value.filter(({ type }: DocumentMark) => type !== 'strike') : value,
  )

/** What Markdown can say: no empty paragraphs, no numerals but figures, no marks on what is not seen. */
function markdownForm(document: ArticleDocument) {
  const { content } = withoutLineEndSpaces(document)
  const formOf = (node: DocumentNode): DocumentNode[] => {
    if (node.type === 'paragraph' && !node.content?.length) return []
    if (node.type === 'text') {
      return (node.text?.match(/\s+|\S+/g) ?? []).map((piece) =>
        piece.trim() === '' ? text(piece) : { ...node, text: piece },
      )
    }
    return [
      {
        type: node.type,
        ...(node.attrs && {
          attrs: { ...node.attrs, ...('type' in node.attrs && { type: null }) },
        }),
        content: (node.content ?? []).flatMap(formOf),
      },
    ]
  }
  return normalForm({ type: 'doc', content: content.flatMap(formOf) })
}

describe('an article as Markdown', () => {
  test.each<[string, ArticleDocument, string]>([
    ['an empty article', EMPTY_DOCUMENT, ''],
    ['paragraphs', doc(p(text('One.')), p(), p(text('Two.'))), 'One.\n\nTwo.'],
    [
      'headings and rules',
      doc(
        { type: 'heading', attrs: { level: 2 }, content: [text('A #1'), BREAK, text('guide')] },
        { type: 'horizontalRule' },
      ),
      '## A \\#1<br>guide\n\n***',
    ],
    [
      'marks',
      doc(p(text('a '), text('bold ', 'bold'), text('and', 'bold', 'italic'), text(' b'))),
      'a **bold _and_** b',
    ],
    ['a mark that ends with a space', doc(p(text('bold ', 'bold'), text('b'))), '**bold** b'],
    [
      'a mark within a word',
      doc(p(text('un'), text('believ', 'italic'), text('able'))),
      'un*believ*able',
    ],
    [
      'a mark that no sign makes',
      doc(p(text('x'), text('“y”', 'bold'), text('z'))),
      'x<strong>“y”</strong>z',
    ],
    [
      'links',
      doc(p(text('a '), link('two words ', 'https://b.example/(c)?d&e=1'), text('f'))),
      'a [two words](https://b.example/\\(c\\)?d&e=1) f',
    ],
    [
      'ampersands, of which only those of a reference are signs',
      doc(p(text('R&D &c; &amp; &#38; '), link('x', 'https://b.example/?a=1&b=2&copy;=3&#39;'))),
      'R&D &c; \\&amp; \\&#38; [x](https://b.example/?a=1&b=2\\&copy;=3\\&#39;)',
    ],
    ['breaks', doc(p(text('a'), BREAK, text('b'), BREAK)), 'a\\\nb<br>'],
    [
      'lists',
      doc(
        bullets(item(p(text('a')), bullets(item(p(text('b'))))), item(p(text('c')))),
        bullets(item(p(text('d')))),
        numbers({ start: 3 }, item(p(text('e')), p(text('f'))), item(p(text('g')))),
      ),
      '- a\n  - b\n- c\n\n* d\n\n3. e\n\n   f\n\n4. g',
    ],
    [
      'quotations',
      doc({ type: 'blockquote', content: [p(text('a')), p(text('b'))] }),
      '> a\n>\n> b',
    ],
    [
      'signs that begin a line',
      doc(p(text('# a')), p(text('- b'), BREAK, text('1. c')), p(text('snake_case * 2'))),
      '\\# a\n\n\\- b\\\n1\\. c\n\nsnake_case \\* 2',
    ],
    ['a space at the start of a line', doc(p(text(' a'))), '&#32;a'],
    [
      'spaces at the ends of lines',
      doc(p(text('a '), BREAK, text('b', 'bold'), text('  ')), p(text(' ')), p(text('c\u00a0'))),
      'a\\\n**b**\n\nc',
    ],
  ])('%s', (_, document, markdown) => {
    expect(markdownOf(document)).toBe(markdown)
    expect(markdownForm(readByMarkdownIt(markdown))).toEqual(markdownForm(document))
  })

  test('random documents come back from markdown-it', () => {
    fc.assert(
      fc.property(anyInLines, (document) => {
        const read = readByMarkdownIt(markdownOf(document))
        expect(markdownForm(read)).toEqual(markdownForm(document))
      }),
      { numRuns: randomRuns(500), seed: 1 },
    )
  })

  test('random documents come back from the parser of the specification', () => {
    fc.assert(
      fc.property(anyInLines, (document) => {
        // It knows no struck text.
        const known = withoutStrikes(document)
        expect(markdownForm(readByCommonMark(markdownOf(known)))).toEqual(markdownForm(known))
      }),
      { numRuns: randomRuns(500), seed: 2 },
    )
  })

  test('hostile texts stay text', () => {
    const texts = [...PAYLOADS, ...fc.sample(hostileText, { numRuns: randomRuns(1_000), seed: 3 })]
    for (const hostile of texts.map(inLines)) {
      const document = doc(
        p(text(hostile)),
        p(text(hostile, 'bold')),
        bullets(item(p(text(hostile)))),
      )
      expect(markdownForm(readByMarkdownIt(markdownOf(document)))).toEqual(markdownForm(document))
    }
  })

  test('an address that no link may have makes no link', () => {
    expect(markdownOf(doc(p(link('here', 'javascript:alert(1)'))))).toBe('here')
  })

  test('what the editor does not know is not left out silently', () => {
    expect(() => markdownOf(doc({ type: 'script', content: [text('alert(1)')] }))).toThrow()
    expect(markdownOf(asDocument({}))).toBe('')
  })
})
