import { expect, it } from 'vitest'
import { listOf, wholeList } from './listing.ts'

it.each([
  [[], 1, 10, 0, 0],
  [['a'], 1, 10, 1, 1],
  [['a'], 1, 10, 10, 1],
  [['a'], 2, 10, 11, 2],
  [[], 9, 10, 11, 2],
])(
  '%j on page %i, %i a page, of %i: %i pages',
  (results, page, limit, totalResults, totalPages) => {
    expect(listOf(results, page, limit, totalResults)).toEqual({
      results,
      page,
      limit,
      totalPages,
      totalResults,
    })
  },
)

it('a whole list is one page as long as the list', { tags: ['@CH-17', '@Q33'] }, () => {
  expect(wholeList(['a', 'b'])).toEqual({
    results: ['a', 'b'],
    page: 1,
    limit: 2,
    totalPages: 1,
    totalResults: 2,
  })
  expect(wholeList([])).toEqual({ results: [], page: 1, limit: 0, totalPages: 0, totalResults: 0 })
})
