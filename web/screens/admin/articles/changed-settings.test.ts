import { describe, expect, it } from 'vitest'
import type { Article } from '../../../../domain/wire/articles.ts'
import { changedSettings } from './changed-settings.ts'

const keyword = { keyword: 'oak', source: 'E', score: 4, category: 'Must Use' }
const article: Article = {
  id: 'a1',
  _id: 'a1',
  name: 'Oak',
  clientId: { id: 'c1', name: 'Larkspur', users: [] },
  wordMinimum: 700,
  keywordList: [keyword],
  completed: false,
  createdAt: '2026-06-01T08:00:00.000Z',
  updatedAt: '2026-06-01T08:00:00.000Z',
  version: 1,
  textVersion: 1,
}
const untouched = {
  name: 'Oak',
  wordMinimum: '700',
  client: article.clientId,
  keywordList: article.keywordList,
}

describe('what Modify sends', { tags: ['@AF-25'] }, () => {
  it.each([
    ['nothing when nothing changed', {}, {}],
    ['nothing for spaces around the name', { name: ' Oak ' }, {}],
    ['the name, trimmed', { name: ' Ash ' }, { name: 'Ash' }],
    ['nothing for spaces around the minimum', { wordMinimum: ' 700 ' }, {}],
    ['the minimum', { wordMinimum: '0' }, { wordMinimum: 0 }],
    ['another client', { client: { id: 'c2', name: 'Harbour' } }, { clientId: 'c2' }],
    ['null for the client that was taken away', { client: null }, { clientId: null }],
    ['the whole new list', { keywordList: [] }, { keywordList: [] }],
  ])('%s', { tags: ['@AF-24', '@Q70'] }, (_, touched, sent) => {
    expect(changedSettings(article, { ...untouched, ...touched })).toEqual(sent)
  })
})
