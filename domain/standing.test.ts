import { expect, it } from 'vitest'
import { standingOf } from './standing.ts'
import type { ArticleDocument } from './text/document.ts'

const paragraphs = (...texts: string[]): ArticleDocument => ({
  type: 'doc',
  content: texts.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] })),
})
const entity = (keyword: string, category: string) => ({ keyword, source: 'E', score: 1, category })

it('counts words and used entities as the scorecard does, each entity once', {
  tags: ['@SC-01'],
}, () => {
  const list = [
    entity('Lamp', 'Need to Use'),
    entity('lamp', 'Must Use'),
    entity('path light', 'Must Use'),
    entity('ignored', 'Other'),
  ]
  expect(standingOf(paragraphs('Two lamps and a path', 'light are here.'), list)).toEqual({
    words: 8,
    groups: [
      { category: 'Must Use', used: 1, total: 2, unused: ['path light'] },
      { category: 'Need to Use', used: 0, total: 0, unused: [] },
      { category: 'Use When You Can', used: 0, total: 0, unused: [] },
    ],
  })
})

it('of no text and no entities is nothing', () => {
  expect(standingOf({}, [])).toMatchObject({ words: 0, groups: [{ total: 0 }, {}, {}] })
})
