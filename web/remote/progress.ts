import type { SortKey } from '../../domain/wire/list-query.ts'
import type {
  ArticleState,
  BulkAnswer,
  BulkBody,
  DueFilter,
  MonthSheet,
  Progress,
} from '../../domain/wire/progress.ts'
import type { Send } from '../../sync/ports.ts'
import { known } from './calls.ts'
import { accepted } from './http.ts'
import { createGetList, queryOf } from './lists.ts'

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

export type ProgressCalls = ReturnType<typeof createProgress>

/** The agency's calls about the progress of its articles. All reject with Refused or NoAnswer. */
export function createProgress(send: Send) {
  const getList = createGetList(send)
  return {
    async list({ clientIds, sort, ...request }: ProgressRequest, abandoned?: Promise<void>) {
      const query = queryOf({
        ...request,
        clientId: clientIds.join(','),
        sortBy: sort ? `${sort.field}:${sort.direction}` : undefined,
      })
      return known<Progress>(await getList(`/progress?${query}`, abandoned), 'today')
    },
    /** One change of several articles, done once for each `key`, or with `dryRun` what it would do. */
    async change(body: BulkBody, key?: string) {
      const answer = await send({
        method: 'POST',
        path: '/articles/bulk',
        headers: key === undefined ? {} : { 'Idempotency-Key': key },
        body: JSON.stringify(body),
      })
      return known<BulkAnswer>(accepted(answer).json, 'changed', 'number')
    },
    month: async (request: MonthRequest, abandoned?: Promise<void>) =>
      known<MonthSheet>(await getList(`/hand-ins?${queryOf(request)}`, abandoned), 'month'),
  }
}
