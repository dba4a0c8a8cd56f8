import {
  type ArticleDocument,
  type DocumentMark,
  type DocumentNode,
  linkTo,
  type PlainMark,
} from '../text/document.ts'

/** Parts of documents, for tests. */

export const doc = (...content: DocumentNode[]): ArticleDocument => ({ type: 'doc', content })

export const text = (words: string, ...marks: PlainMark[]): DocumentNode =>
  marked(
    words,
    marks.map((type) => ({ type })),
  )

export const link = (words: string, href: string, ...marks: PlainMark[]): DocumentNode =>
  marked(words, [...marks.map((type) => ({ type })), linkTo(href)])

const marked = (words: string, marks: DocumentMark[]): DocumentNode => ({
  type: 'text',
  text: words,
  ...(marks.length > 0 && { marks }),
})

const holding =
  (type: string) =>
  (...content: DocumentNode[]): DocumentNode => ({ type, content })

export const paragraph = holding('paragraph')
export const item = holding('listItem')
export const bullets = holding('bulletList')
export const quote = holding('blockquote')

export const numbers = (
  attrs: { start: number; type?: string | null },
  ...content: DocumentNode[]
): DocumentNode => ({ type: 'orderedList', attrs: { type: null, ...attrs }, content })
