import { parse } from '@wordpress/block-serialization-default-parser'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyDocument, hostileText } from '../../e2e/any-document.ts'
import { PAYLOADS } from '../../e2e/hostile-payloads.ts'
import { readPlainHtml } from '../../e2e/plain-html.ts'
import { randomRuns } from '../../scripts/test-depth.ts'
import { bullets, doc, item, paragraph as p, text } from '../testing/nodes.ts'
import {
  type ArticleDocument,
  type DocumentNode,
  EMPTY_DOCUMENT,
  normalForm,
} from '../text/document.ts'
import { wordPressOf } from './article-wordpress.ts'

type Block = ReturnType<typeof parse>[number]

/** What the blocks are with the words inside, as one document. An unknown block is an error. */
function readBlocks(source: string): ArticleDocument {
  const content = parse(source).flatMap(nodesOf)
  return content.length === 0 ? EMPTY_DOCUMENT : normalForm({ type: 'doc', content })
}

function nodesOf({ blockName, attrs, innerHTML, innerBlocks }: Block): DocumentNode[] {
  if (blockName === null) {
    if (innerHTML.trim() !== '') throw new Error(`Outside of all blocks: ${innerHTML}`)
    return []
  }
  const inner = innerBlocks.flatMap(nodesOf)
  const [node] = readPlainHtml(innerHTML.replaceAll(' class="wp-block-', ' data-is="')).content
  switch (blockName) {
    case 'core/paragraph':
      expect(node?.type).toBe('paragraph')
      return [node as DocumentNode]
    case 'core/heading':
      expect(node?.attrs?.level).toBe(attrs?.level ?? 2)
      return [node as DocumentNode]
    case 'core/list':
      expect(node?.type).toBe(attrs?.ordered ? 'orderedList' : 'bulletList')
      expect(node?.attrs?.start ?? 1).toBe(attrs?.start ?? 1)
      return [{ ...(node as DocumentNode), content: inner }]
    case 'core/list-item': {
      expect(node?.type).toBe('listItem')
      const words = node?.content?.[0] ?? { type: 'paragraph' }
      return [{ type: 'listItem', content: [words, ...inner] }]
    }
    case 'core/quote':
      expect(node?.type).toBe('blockquote')
      return [{ type: 'blockquote', content: inner }]
    case 'core/separator':
      return [{ type: 'horizontalRule' }]
    case 'core/html':
      return [node as DocumentNode]
    default:
      throw new Error(`No block of an article: ${blockName}`)
  }
}

/** Lists of figures say so in no format. */
const withoutFigureType = (document: ArticleDocument): ArticleDocument =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'type' && value === '1' ? null : value,
  )

/** Line ends between tags are layout for the reader of these tests. */
const inLines = (document: ArticleDocument): ArticleDocument =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'text' ? value.replaceAll('\n', ' ') : value,
  )

describe('an article as blocks of WordPress', () => {
  test.each<[string, ArticleDocument, string]>([
    ['an empty article', EMPTY_DOCUMENT, '<!-- wp:paragraph -->\n<p></p>\n<!-- /wp:paragraph -->'],
    [
      'headings',
      doc(
        { type: 'heading', attrs: { level: 2 }, content: [text('a')] },
        { type: 'heading', attrs: { level: 3 }, content: [text('b')] },
      ),
      '<!-- wp:heading -->\n<h2 class="wp-block-heading">a</h2>\n<!-- /wp:heading -->\n\n' +
        '<!-- wp:heading {"level":3} -->\n<h3 class="wp-block-heading">b</h3>\n<!-- /wp:heading -->',
    ],
    [
      'a list',
      doc({
        type: 'orderedList',
        attrs: { start: 3, type: 'a' },
        content: [item(p(text('a')))],
      }),
      '<!-- wp:list {"ordered":true,"type":"lower-alpha","start":3} -->\n' +
        '<ol start="3" style="list-style-type:lower-alpha" class="wp-block-list"><!-- wp:list-item -->\n<li>a</li>\n<!-- /wp:list-item --></ol>\n' +
        '<!-- /wp:list -->',
    ],
    [
      'an item of two paragraphs',
      doc(bullets(item(p(text('a')), p(text('[b]'))))),
      '<!-- wp:html -->\n<ul><li><p>a</p><p>&#91;b]</p></li></ul>\n<!-- /wp:html -->',
    ],
  ])('%s', (_, document, blocks) => {
    expect(wordPressOf(document)).toBe(blocks)
    expect(readBlocks(blocks)).toEqual(normalForm(document))
  })

  test('random documents come back from the parser of WordPress', () => {
    fc.assert(
      fc.property(anyDocument.map(inLines), (document) => {
        expect(readBlocks(wordPressOf(document))).toEqual(withoutFigureType(document))
      }),
      { numRuns: randomRuns(500), seed: 1 },
    )
  })

  test('hostile texts stay text: neither markup, nor blocks, nor shortcodes', () => {
    const texts = [
      '<!-- wp:html --><script>alert(1)</script><!-- /wp:html -->',
      '<!-- /wp:paragraph -->',
      '[gallery ids="1"][/embed]',
      ...PAYLOADS,
      ...fc.sample(hostileText, { numRuns: randomRuns(1_000), seed: 2 }),
    ]
    for (const hostile of texts) {
      const document = inLines(
        doc(p(text(hostile)), bullets(item(p(text(hostile)), p(text(hostile))))),
      )
      const blocks = wordPressOf(document)
      expect(blocks).not.toContain('[')
      expect(readBlocks(blocks)).toEqual(normalForm(document))
    }
  })
})
