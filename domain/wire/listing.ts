import type { List } from './fields.ts'

/** The list envelope around one page of `totalResults` rows. An empty list has no pages. */
export function listOf<T>(
  results: T[],
  page: number,
  limit: number,
  totalResults: number,
): List<T> {
  return { results, page, limit, totalPages: Math.ceil(totalResults / limit), totalResults }
}

/** A list on one page: the limit is the number of rows. */
export function wholeList<T>(results: T[]): List<T> {
  const count = results.length
  return { results, page: 1, limit: count, totalPages: count === 0 ? 0 : 1, totalResults: count }
}
