import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import mammoth from 'mammoth'
import { describe, expect, test } from 'vitest'
import { anyDocument, hostileText } from '../../e2e/any-document.ts'
import { PAYLOADS } from '../../e2e/hostile-payloads.ts'
import { readPlainHtml } from '../../e2e/plain-html.ts'
import { randomRuns } from '../../scripts/test-depth.ts'
import { readDocx } from '../../web/screens/article/receipt/files/docx.ts'
import { bullets, doc, item, link, numbers, paragraph as p, quote, text } from '../testing/nodes.ts'
import {
  type ArticleDocument,
  type DocumentMark,
  type DocumentNode,
  EMPTY_DOCUMENT,
  normalForm,
} from '../text/document.ts'
import { docxParts } from './article-docx.ts'

const docxOf = (document: ArticleDocument) => {
  const parts = Object.entries(docxParts('Any', document))
  return zipSync(Object.fromEntries(parts.map(([name, xml]) => [name, strToU8(xml)])))
}
const readByUs = (document: ArticleDocument) => readDocx(new Uint8Array(docxOf(document)))

/** By default mammoth maps five levels of lists and no quotations. */
const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9]
const STYLES = LEVELS.flatMap((level) => {
  const around = 'ul|ol > li > '.repeat(level - 1)
  return [
    `p:unordered-list(${level}) => ${around}ul > li:fresh`,
    `p:ordered-list(${level}) => ${around}ol > li:fresh`,
  ]
})

async function readByMammoth(document: ArticleDocument): Promise<ArticleDocument> {
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(docxOf(document)) },
    {
      styleMap: ["p[style-name='Quote'] => blockquote > p:fresh", ...STYLES],
      ignoreEmptyParagraphs: false,
    },
  )
  return readPlainHtml(value)
}

type Around = { quotes: number; levels: number; list: string | null }

/**
 * The text as Word knows it: paragraphs, each with its kind and depth. What is not seen has no marks; mammoth has no
 * empty lines, and no more of a list than its depth and whether it has numbers.
 */
function linesOf(document: ArticleDocument): string[] {
  const linesIn = (node: DocumentNode, around: Around): string[] => {
    const { type, content = [] } = node
    if (type === 'paragraph' || type === 'heading')
      return [`${kindOf(node, around)}: ${wordsIn(content)}`]
    if (type === 'blockquote')
      return content.flatMap((child) => linesIn(child, { ...around, quotes: 1, list: null }))
    if (type === 'listItem')
      return content.flatMap((child, at) =>
        linesIn(child, at === 0 ? around : { ...around, list: null }),
      )
    const levels = Math.min(around.levels + 1, 9)
    return content.flatMap((child) => linesIn(child, { quotes: 0, levels, list: type }))
  }
  return document.content
    .flatMap((block) => linesIn(block, { quotes: 0, levels: 0, list: null }))
    .filter((line) => !line.endsWith(': '))
}

function kindOf({ type, attrs }: DocumentNode, { list, levels, quotes }: Around): string {
  if (type === 'heading') return `h${attrs?.level}`
  if (list !== null) return `${list} ${levels}`
  return quotes > 0 ? 'quote' : 'p'
}

const wordsIn = (content: readonly DocumentNode[]): string =>
  content
    .flatMap(({ text: words = '\n', marks = [] }) =>
      Array.from(words, (letter) => (letter.trim() === '' ? letter : letter + signsOf(marks))),
    )
    .join('')

const signsOf = (marks: readonly DocumentMark[]): string =>
  marks.map((mark) => (mark.type === 'link' ? mark.attrs.href : mark.type[0])).join('')

const ordinary = doc(
  { type: 'heading', attrs: { level: 1 }, content: [text('A guide')] },
  p(text('Plain, '), text('bold', 'bold'), text(', '), text('all', 'bold', 'italic', 'strike')),
  p(text('a '), link('link', 'https://b.example/?c=1&d=(2)')),
  p(text(' two '), { type: 'hardBreak' }, text('lines\u00a0')),
  p(),
  bullets(item(p(text('a')), bullets(item(p(text('b'))), item(p(text('c'))))), item(p(text('d')))),
  { type: 'heading', attrs: { level: 6 }, content: [text('Numbers')] },
  numbers(
    { start: 3 },
    item(p(text('e')), numbers({ start: 1, type: 'i' }, item(p(text('f'))))),
    item(p(text('g'))),
  ),
  p(text('between')),
  numbers({ start: 1, type: 'A' }, item(p(text('h')))),
  { type: 'horizontalRule' },
  quote(p(text('i')), p(text('j'))),
)

/** Line ends in a text are layout for the reader of these tests. */
const inLines = (document: ArticleDocument): ArticleDocument =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'text' ? value.replaceAll('\n', ' ') : value,
  )

/** Items of paragraphs and lists alone: what else is in them ends the list for our reader. */
function withSimpleItems(document: ArticleDocument): ArticleDocument {
  const simple = (node: DocumentNode, isInItem: boolean): DocumentNode => {
    const isOther = ['heading', 'blockquote', 'horizontalRule'].includes(node.type)
    if (isInItem && isOther) return p(text('other'))
    const content = node.content?.map((child) =>
      simple(child, isInItem || node.type === 'listItem'),
    )
    return { ...node, ...(content && { content }) }
  }
  return { type: 'doc', content: document.content.map((node) => simple(node, false)) }
}

describe('an article as a Word file', () => {
  test('an ordinary one is read as exactly the same', async () => {
    expect(await readByUs(ordinary)).toEqual(normalForm(ordinary))
    expect(await readByUs(EMPTY_DOCUMENT)).toEqual(EMPTY_DOCUMENT)
  })

  test('what follows the first paragraph of an item stays in it', async () => {
    const document = doc(
      numbers(
        { start: 1 },
        item(p(text('a')), p(text('b'))),
        item(p(text('c')), bullets(item(p(text('d')), p(text('e'))))),
      ),
      p(text('f')),
    )
    expect(await readByUs(document)).toEqual(normalForm(document))
  })

  test('random documents come back from mammoth, paragraph by paragraph', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument.map(inLines), async (document) => {
        expect(linesOf(await readByMammoth(document))).toEqual(linesOf(document))
      }),
      { numRuns: randomRuns(500), seed: 1 },
    )
  })

  test('random documents come back from the reader of this product', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument.map(withSimpleItems), async (document) => {
        expect(linesOf(await readByUs(document))).toEqual(linesOf(document))
      }),
      { numRuns: randomRuns(500), seed: 2 },
    )
  })

  test('hostile texts stay text, also as the title', async () => {
    const texts = [...PAYLOADS, ...fc.sample(hostileText, { numRuns: randomRuns(1_000), seed: 3 })]
    const document = doc(...texts.map((hostile) => p(text(hostile))))
    expect(await readByUs(document)).toEqual(normalForm(document))
    const core = docxParts(texts.join(' '), document)['docProps/core.xml'] ?? ''
    expect(/<dc:title>([^<>]*)<\/dc:title>/.test(core)).toBe(true)
  })

  test('characters that XML cannot have are shown as such', async () => {
    const read = await readByUs(doc(p(text('a\u0001b\u000cc\ufffed\u0085e'))))
    expect(read).toEqual(doc(p(text('a\ufffdb\ufffdc\ufffdd\u0085e'))))
  })

  test('a text that runs to the left says so', () => {
    const { 'word/document.xml': xml } = docxParts(
      '',
      doc(p(text('12 שלום')), p(text('שלום', 'bold'))),
    )
    expect(xml).toContain('<w:p><w:pPr><w:bidi/></w:pPr><w:r><w:rPr><w:rtl/></w:rPr>')
    expect(xml).toContain('<w:b/><w:bCs/><w:rtl/>')
  })

  test('an address that no link may have makes no link', () => {
    const parts = docxParts('', doc(p(link('here', 'javascript:alert(1)'))))
    expect(Object.values(parts).join()).not.toContain('javascript')
    expect(parts['word/document.xml']).toContain('here')
  })

  test('a part that the format does not know is not left out silently', () => {
    expect(() => docxParts('', doc({ type: 'table', content: [] }))).toThrow()
  })
})
