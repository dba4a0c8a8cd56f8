import { describe, expect, test } from 'vitest'
import { keywordLines } from './keyword-table-view.ts'

const LIST = [
  { keyword: 'path light', source: 'E', score: '10', category: 'Must Use' },
  { keyword: 'café', source: 'I', score: '9%', category: 'Use When You Can' },
  { keyword: 'garden path', source: 'X', score: '', category: 'Need to Use' },
  { keyword: 'lumen', source: 'E', score: 72, category: 'Something Else' },
  { keyword: 'path light', source: 'I', score: '1', category: 'Must Use' },
]

const places = (...args: [string, Parameters<typeof keywordLines>[2]]) =>
  keywordLines(LIST, ...args).map(({ place }) => place)

describe('searching', () => {
  test.each([
    ['', [0, 1, 2, 3, 4]],
    ['  PATH ', [0, 2, 4]],
    ['CAFE\u0301', [1]],
    ['x', [2]],
    ['7', [3]],
    ['9%', [1]],
    ['must use', [0, 4]],
    ['nothing', []],
  ])('%j is found in any column', { tags: ['@KT-01', '@Q81'] }, (search, found) => {
    expect(places(search, null)).toEqual(found)
  })
})

describe('sorting', () => {
  test.each([
    ['keyword', 'asc', [1, 2, 3, 0, 4]],
    ['keyword', 'desc', [0, 4, 3, 2, 1]],
    ['source', 'asc', [0, 3, 1, 4, 2]],
    ['score', 'asc', [2, 4, 1, 0, 3]],
    ['score', 'desc', [3, 0, 1, 4, 2]],
    ['category', 'asc', [0, 4, 2, 1, 3]],
    ['category', 'desc', [3, 1, 2, 0, 4]],
  ] as const)(
    'by %s, %s; equal ones stay in the order of the file',
    { tags: ['@KT-03'] },
    (field, direction, order) => {
      expect(places('', { field, direction })).toEqual(order)
    },
  )
})
