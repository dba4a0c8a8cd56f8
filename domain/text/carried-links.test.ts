import { expect, test } from 'vitest'
import { withLinksOf } from './carried-links.ts'
import { type ArticleDocument, type DocumentNode, linkTo } from './document.ts'
import { withoutLinks } from './links.ts'

const [A, B] = ['https://a.example', 'mailto:b@b.example']
const t = (text: string, href?: string, ...marks: 'bold'[]): DocumentNode => {
  const all = [...marks.map((type) => ({ type })), ...(href === undefined ? [] : [linkTo(href)])]
  return { type: 'text', text, ...(all.length > 0 && { marks: all }) }
}
const p = (...content: DocumentNode[]): DocumentNode =>
  content.length === 0 ? { type: 'paragraph' } : { type: 'paragraph', content }
const doc = (...content: DocumentNode[]): ArticleDocument => ({ type: 'doc', content })
const quote = (...content: DocumentNode[]): DocumentNode => ({ type: 'blockquote', content })
const BREAK = { type: 'hardBreak' }

const BEFORE = doc(
  p(t('See '), t('the garden', A), t(' path', A, 'bold'), t(' here.')),
  quote(p(t('Write to '), t('ada', B), t('.'))),
)

test('what a page without links left as it was has its links again', () => {
  expect(withLinksOf(withoutLinks(BEFORE), BEFORE)).toEqual(BEFORE)
})

test.each<[string, ArticleDocument, ArticleDocument]>([
  [
    'words around and in a link, and its other marks',
    doc(
      p(t('Now see the old '), t('garden', undefined, 'bold'), t(' path here.')),
      quote(p(t('Write to ada.'))),
    ),
    doc(
      p(t('Now see '), t('the old ', A), t('garden', A, 'bold'), t(' path', A), t(' here.')),
      quote(p(t('Write to '), t('ada', B), t('.'))),
    ),
  ],
  [
    'blocks that were split and turned',
    doc(
      { type: 'heading', attrs: { level: 2 }, content: [t('See the')] },
      p(t('garden path'), BREAK, t('here.'), t(' ada.')),
    ),
    doc(
      { type: 'heading', attrs: { level: 2 }, content: [t('See '), t('the', A)] },
      p(t('garden path', A), BREAK, t('here. '), t('ada', B), t('.')),
    ),
  ],
  ['words that are gone', doc(p(t('See here.')), p()), doc(p(t('See here.')), p())],
])('follows %s', (_, text, expected) => {
  expect(withLinksOf(text, BEFORE)).toEqual(expected)
})

test('a text that has links, or grew from one without, stays as it is', () => {
  const own = doc(p(t('the garden', B)))
  expect(withLinksOf(own, BEFORE)).toBe(own)
  const bare = withoutLinks(BEFORE)
  expect(withLinksOf(bare, withoutLinks(own))).toBe(bare)
  expect(withLinksOf({}, BEFORE)).toEqual(doc(p()))
})
