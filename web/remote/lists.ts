import type { List } from '../../domain/wire/fields.ts'
import type { SortKey } from '../../domain/wire/list-query.ts'
import { type HttpAnswer, NoAnswer, type Send } from '../../sync/ports.ts'
import { accepted } from './http.ts'

/** What every list of the agency is asked with. */
export type ListRequest<Field extends string = string> = {
  /** Part of a name; left out when empty. */
  name: string
  sort: SortKey<Field>
  /** Counted from 1. */
  page: number
  limit: number
}

/** Below /v1. `filters` are further parameters. */
export function listPath(
  path: string,
  { name, sort, page, limit }: ListRequest,
  filters: Parameters = {},
): string {
  const sortBy = sort.direction === 'desc' ? `${sort.field}:desc` : sort.field
  return `${path}?${queryOf({ name, ...filters, sortBy, limit, page })}`
}

type Parameters = Record<string, string | number | boolean | undefined>

/** Parameters that are undefined or empty are left out. */
export function queryOf(parameters: Parameters): URLSearchParams {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') query.set(key, String(value))
  }
  return query
}

/** Requests one page of a list; `abandoned` aborts the request. Rejects with Refused or NoAnswer. */
export function createGetList(send: Send) {
  return async <T>(path: string, abandoned?: Promise<void>): Promise<List<T>> =>
    listIn<T>(await send({ method: 'GET', path, ...(abandoned && { abandoned }) }))
}

/** A success that is no list comes from something between this computer and the server. */
function listIn<T>(answer: HttpAnswer): List<T> {
  const list = accepted(answer).json as Partial<List<T>> | null | undefined
  if (!Array.isArray(list?.results)) throw new NoAnswer()
  return list as List<T>
}

/** The same wish as the one behind `signal`, in the words of a request. */
export function abandonedBy(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
