import { expect, test } from 'vitest'
import { type ArticleDocument, type DocumentNode, linkTo, readDocument } from './document.ts'
import { hasLinks, linksOf, withoutLinks } from './links.ts'

const t = (text: string, href?: string, ...marks: 'bold'[]): DocumentNode => ({
  type: 'text',
  text,
  marks: [...marks.map((type) => ({ type })), ...(href === undefined ? [] : [linkTo(href)])],
})
const p = (...content: DocumentNode[]): DocumentNode => ({ type: 'paragraph', content })
const doc = (...content: DocumentNode[]): ArticleDocument => ({ type: 'doc', content })
const [A, B] = ['https://a.example', 'mailto:b@b.example']

const TEXT = doc(
  p(t('See '), t('the ', A), t('garden', A, 'bold'), t(' and '), t('the path', A), t('s', B)),
  {
    type: 'blockquote',
    content: [p(t('Write', B), { type: 'hardBreak', marks: [linkTo(B)] }, t('to her', B))],
  },
  p(t('until here', B)),
)

test('neighbouring words with one address are one link, over other marks and line breaks', () => {
  expect(linksOf(TEXT)).toEqual([
    { href: A, words: 'the garden' },
    { href: A, words: 'the path' },
    { href: B, words: 's' },
    { href: B, words: 'Write to her' },
    { href: B, words: 'until here' },
  ])
  expect(linksOf({})).toEqual([])
})

test('a text without its links has the same words and marks, in normal form', () => {
  const bare = withoutLinks(TEXT)
  expect([hasLinks(TEXT), hasLinks(bare), hasLinks({})]).toEqual([true, false, false])
  expect(readDocument(bare)).toEqual({ ok: true, document: bare })
  expect(bare).toEqual(
    doc(
      {
        type: 'paragraph',
        content: [
          { type: 'text', text: 'See the ' },
          { type: 'text', text: 'garden', marks: [{ type: 'bold' }] },
          { type: 'text', text: ' and the paths' },
        ],
      },
      {
        type: 'blockquote',
        content: [
          {
            type: 'paragraph',
            content: [
              { type: 'text', text: 'Write' },
              { type: 'hardBreak' },
              { type: 'text', text: 'to her' },
            ],
          },
        ],
      },
      { type: 'paragraph', content: [{ type: 'text', text: 'until here' }] },
    ),
  )
})
