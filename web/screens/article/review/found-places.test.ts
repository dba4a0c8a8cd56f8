import { getSchema } from '@tiptap/core'
import { describe, expect, test } from 'vitest'
import type { ArticleDocument, DocumentNode } from '../../../../domain/text/document.ts'
import { ARTICLE_EXTENSIONS } from '../editor/article-extensions.ts'
import { findPlaces } from './found-places.ts'

const schema = getSchema(ARTICLE_EXTENSIONS)
const p = (text: string): DocumentNode => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const ul = (...items: string[]): DocumentNode => ({
  type: 'bulletList',
  content: items.map((item) => ({ type: 'listItem', content: [p(item)] })),
})
const doc = (...content: DocumentNode[]): ArticleDocument => ({ type: 'doc', content })

describe('where both wrote, in a text that was written on', { tags: ['@SY-11'] }, () => {
  const rule: DocumentNode = { type: 'horizontalRule' }
  const own = 'In winter the path is wet.'
  const theirs = 'In summer the path is dry.'
  const merged = doc(p('One.'), rule, ul('a', theirs), p(own), p('Two.'))
  const from = 'One.\na\n'.length
  const end = from + theirs.length
  const place = {
    theirs: [{ from, to: end }],
    mine: [{ from: end + 1, to: end + 1 + own.length }],
    by: [],
    areSentences: true,
  }
  test.each([
    ['right after the merge', merged, [theirs], [own]],
    ['below other words', doc(p('New.'), rule, ...merged.content), [theirs], [own]],
    [
      'with words in between',
      doc(ul('a', 'In summer the old path is dry.'), p(own)),
      ['In summer the ', 'path is dry.'],
      [own],
    ],
    ['with one of them gone', doc(p('One.'), p(own), p('Two.')), [], [own]],
    ['with both gone', doc(p('One.'), p('Two.')), [], []],
  ])('%s', (_, live, first, second) => {
    const shown = schema.nodeFromJSON(live)
    const [found] = findPlaces({ text: merged, places: [place] }, shown)
    const words = (ranges: { from: number; to: number }[] = []) =>
      ranges.map((range) => shown.textBetween(range.from, range.to))
    expect([words(found?.theirs), words(found?.mine)]).toEqual([first, second])
  })
})
