import type { List } from '../../domain/wire/fields.ts'
import type { SortKey } from '../../domain/wire/list-query.ts'
import type {
  ArticleState,
  BulkAnswer,
  BulkBody,
  DueFilter,
  MonthSheet,
  Progress,
} from '../../domain/wire/progress.ts'
import { NoAnswer, type Send } from '../../sync/ports.ts'
import { accepted } from './http.ts'
import { createGetList } from './lists.ts'

export type ProgressSortField = 'name' | 'words' | 'lastWords' | 'due'

export type ProgressFilter = {
  /** Part of a name; empty: of all. */
  name: string
  /** Empty: all articles. */
  clientIds: readonly string[]
  state: ArticleState | undefined
  due: DueFilter | undefined
}

export type ProgressRequest = ProgressFilter & {
  /** Null: most at risk first. */
  sort: SortKey<ProgressSortField> | null
  page: number
  limit: number
}

type MonthRequest = {
  /** `YYYY-MM` of the agency. */
  month: string
  /** Without it the hand-ins for all clients. */
  clientId: string | undefined
  page: number
  limit: number
}

/** The agency's calls about the progress of its articles. All reject with Refused or NoAnswer. */
export type ProgressCalls = {
  list(request: ProgressRequest, abandoned?: Promise<void>): Promise<Progress>
  /** One change of several articles, done once for each `key`, or with `dryRun` what it would do. */
  change(body: BulkBody, key?: string): Promise<BulkAnswer>
  month(request: MonthRequest, abandoned?: Promise<void>): Promise<MonthSheet>
}

export function createProgress(send: Send): ProgressCalls {
  const getList = createGetList(send)
  return {
    async list(request, abandoned) {
      const list = await getList(`/progress?${progressQuery(request)}`, abandoned)
      return known<Progress>(list, 'today')
    },
    async change(body, key) {
      const answer = await send({
        method: 'POST',
        path: '/articles/bulk',
        headers: key === undefined ? {} : { 'Idempotency-Key': key },
        body: JSON.stringify(body),
      })
      const bulk = accepted(answer).json as Partial<BulkAnswer> | null | undefined
      if (typeof bulk?.changed !== 'number') throw new NoAnswer()
      return bulk as BulkAnswer
    },
    async month(request, abandoned) {
      const list = await getList(`/hand-ins?${queryOf(request)}`, abandoned)
      return known<MonthSheet>(list, 'month')
    },
  }
}

function progressQuery({ clientIds, sort, ...request }: ProgressRequest): URLSearchParams {
  return queryOf({
    ...request,
    clientId: clientIds.length > 0 ? clientIds.join(',') : undefined,
    sortBy: sort ? `${sort.field}:${sort.direction}` : undefined,
  })
}

function queryOf(request: Record<string, string | number | undefined>): URLSearchParams {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(request)) {
    if (value !== undefined && value !== '') query.set(key, String(value))
  }
  return query
}

/** A list without what only this one has comes from something between this computer and the server. */
function known<Answer extends List<unknown>>(list: List<unknown>, field: keyof Answer): Answer {
  if (typeof (list as Partial<Answer>)[field] !== 'string') throw new NoAnswer()
  return list as Answer
}
