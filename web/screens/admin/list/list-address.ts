import { FILTER_CLIENTS_MAX, PAGE_MAX, SEARCH_MAX } from '../../../../domain/limits.ts'
import type { SortKey } from '../../../../domain/wire/list-query.ts'
import { LACKS, type Lack } from '../../../remote/articles.ts'

/**
 * What a list shows, as its address says it, so that a reload and the browser's Back show the same:
 * `?search=oak&client=…&client=…&without=entities&sort=name:desc&page=3`, each left out when it is the default.
 */
export type ListAddress<Field extends string = string> = {
  /** Trimmed; empty when nothing is searched for. */
  search: string
  clientIds: readonly string[]
  /** What every article on show is without. */
  lacks: readonly Lack[]
  /** Null: in order of creation. */
  sort: SortKey<Field> | null
  /** Counted from 1. */
  page: number
}

export const ID_PATTERN = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Invalid parameters count as absent: an address can be typed by hand. */
export function readListAddress<Field extends string>(
  query: URLSearchParams,
  fields: readonly Field[],
): ListAddress<Field> {
  const clientIds = query.getAll('client').filter((id) => ID_PATTERN.test(id))
  return {
    search: (query.get('search') ?? '').trim().slice(0, SEARCH_MAX),
    clientIds: [...new Set(clientIds)].slice(0, FILTER_CLIENTS_MAX),
    lacks: LACKS.filter((lack) => query.getAll('without').includes(lack)),
    sort: readSort(query.get('sort') ?? '', fields),
    page: readPage(query.get('page') ?? ''),
  }
}

export function writeListAddress({
  search,
  clientIds,
  lacks,
  sort,
  page,
}: ListAddress): URLSearchParams {
  const query = new URLSearchParams()
  if (search !== '') query.set('search', search)
  for (const id of clientIds) query.append('client', id)
  for (const lack of lacks) query.append('without', lack)
  if (sort) query.set('sort', sort.direction === 'desc' ? `${sort.field}:desc` : sort.field)
  if (page > 1) query.set('page', String(page))
  return query
}

/** Up, down, and back to the order of creation. */
export function nextSort<Field extends string>(
  sort: SortKey<Field> | null,
  field: Field,
): SortKey<Field> | null {
  if (sort?.field !== field) return { field, direction: 'asc' }
  return sort.direction === 'asc' ? { field, direction: 'desc' } : null
}

function readSort<Field extends string>(
  text: string,
  fields: readonly Field[],
): SortKey<Field> | null {
  const [name, direction = 'asc'] = text.split(':')
  const field = fields.find((known) => known === name)
  if (field === undefined || (direction !== 'asc' && direction !== 'desc')) return null
  return { field, direction }
}

function readPage(text: string): number {
  const page = /^\d{1,7}$/.test(text) ? Number(text) : 1
  return Math.min(Math.max(1, page), PAGE_MAX)
}
