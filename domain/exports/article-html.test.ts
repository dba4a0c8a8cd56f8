import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyDocument, hostileText } from '../../e2e/any-document.ts'
import { readPlainHtml } from '../../e2e/plain-html.ts'
import { randomRuns } from '../../scripts/test-depth.ts'
import { bullets, doc, item, link, numbers, paragraph, quote, text } from '../testing/nodes.ts'
import { type ArticleDocument, EMPTY_DOCUMENT } from '../text/document.ts'
import { htmlOf, htmlPage } from './article-html.ts'

describe('an article as HTML', () => {
  test.each<[string, ArticleDocument, string]>([
    ['an empty article', EMPTY_DOCUMENT, '<p></p>'],
    ['paragraphs', doc(paragraph(text('one')), paragraph(text('two'))), '<p>one</p><p>two</p>'],
    [
      'headings of all levels',
      doc(
        ...[1, 2, 3, 4, 5, 6].map((level) => ({
          type: 'heading',
          attrs: { level },
          content: [text(`h${level}`)],
        })),
      ),
      [1, 2, 3, 4, 5, 6].map((level) => `<h${level}>h${level}</h${level}>`).join(''),
    ],
    [
      'marks that overlap',
      doc(paragraph(text('a', 'bold'), text('b', 'bold', 'italic'), text('c', 'italic', 'strike'))),
      '<p><strong>a<em>b</em></strong><em><s>c</s></em></p>',
    ],
    [
      'breaks and rules',
      doc(paragraph(text('a'), { type: 'hardBreak' }, text('b')), { type: 'horizontalRule' }),
      '<p>a<br>b</p><hr>',
    ],
    [
      'lists and quotes',
      doc(
        bullets(item(paragraph(text('a')))),
        numbers({ start: 3, type: 'a' }, item(paragraph(text('b')))),
        quote(paragraph(text('c'))),
      ),
      '<ul><li><p>a</p></li></ul>' +
        '<ol start="3" type="a"><li><p>b</p></li></ol>' +
        '<blockquote><p>c</p></blockquote>',
    ],
    [
      'links, with their addresses alone',
      doc(
        paragraph(
          text('see '),
          link('here', 'https://larkspur.example/?a=1&b=2#%22'),
          link(' and bold', 'https://larkspur.example/?a=1&b=2#%22', 'bold'),
        ),
      ),
      '<p>see <a href="https://larkspur.example/?a=1&amp;b=2#%22">here</a>' +
        '<strong><a href="https://larkspur.example/?a=1&amp;b=2#%22"> and bold</a></strong></p>',
    ],
    [
      'the words of a link that may not be one',
      doc(paragraph(link('here', 'javascript:alert(1)'), link(' too', ' https://a.example'))),
      '<p><a>here</a><a> too</a></p>',
    ],
    [
      'blocks that run right to left, after the first letter that has a direction',
      doc(
        paragraph(text('1. “שלום moon')),
        paragraph(text('moon שלום')),
        bullets(item(paragraph(text('محمد')))),
        quote(paragraph(text('moon')), paragraph(text('محمد'))),
      ),
      '<p dir="rtl">1. “שלום moon</p><p>moon שלום</p>' +
        '<ul dir="rtl"><li><p>محمد</p></li></ul><blockquote><p>moon</p><p>محمد</p></blockquote>',
    ],
    [
      'letters and signs',
      doc(paragraph(text('Contūn — “Ernährung” & <b>\u00a0"x" 🌙'))),
      '<p>Contūn — “Ernährung” &amp; &lt;b&gt;&nbsp;&quot;x&quot; 🌙</p>',
    ],
  ])('%s', { tags: ['@AA-25'] }, (_, document, html) => {
    expect(htmlOf(document)).toBe(html)
  })

  test('what the editor does not know is not written', { tags: ['@Q66'] }, () => {
    expect(() => htmlOf(doc({ type: 'script', content: [text('alert(1)')] }))).toThrow()
  })
})

const TAGS =
  /<(?:\/?(?:p|h[1-6]|ul|li|blockquote|strong|em|s)(?: dir="rtl")?|\/?ol(?: (?:dir|start|type)="[\da-zA-Z]+")*|\/?a(?: href="(?:https?:\/\/|mailto:)[^"<>\s]+")?|br|hr)>/g

test('a page has the text alone in its body, and its name as the title', () => {
  expect(htmlPage('A & <B>', doc(paragraph(text('one'))))).toBe(
    '<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>A &amp; &lt;B&gt;</title>\n</head>\n<body><p>one</p></body></html>',
  )
})

test('random documents come back from HTML', () => {
  fc.assert(
    fc.property(anyDocument.map(inLines), (document) => {
      const clean = htmlOf(document, { withDirections: false })
      expect(readPlainHtml(htmlOf(document))).toEqual(withoutFigureType(document))
      expect(readPlainHtml(clean)).toEqual(withoutFigureType(document))
      expect(clean).not.toContain(' dir=')
    }),
    { numRuns: randomRuns(500), seed: 1 },
  )
})

/** Line ends between tags are layout for the reader of these tests; e2e/html-round-trip.ts has them. */
const inLines = (document: ArticleDocument): ArticleDocument =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'text' ? value.replaceAll('\n', ' ') : value,
  )

const withoutFigureType = (document: ArticleDocument): ArticleDocument =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'type' && value === '1' ? null : value,
  )

describe('text never becomes markup', () => {
  test('1,000 hostile texts stay text', { tags: ['@Q66'] }, () => {
    fc.assert(
      fc.property(hostileText, (hostile) => {
        const html = htmlOf(doc(paragraph(text(hostile, 'bold'))))
        const inside = /^<p><strong>([^<>]*)<\/strong><\/p>$/.exec(html)?.[1] ?? 'markup'
        expect(unescaped(inside)).toBe(hostile)
      }),
      { numRuns: randomRuns(1_000) },
    )
  })

  test('any document is written with the tags of the schema alone', { tags: ['@Q66'] }, () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        expect(htmlOf(document).replace(TAGS, '')).not.toMatch(/[<>]/)
      }),
      { numRuns: randomRuns(500) },
    )
  })
})

const SIGNS = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['nbsp', '\u00a0'],
])

const unescaped = (html: string): string =>
  html.replace(/&(\w+);/g, (reference, name: string) => SIGNS.get(name) ?? reference)
