import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { TABLE_PAGE_SIZE } from '../../../../domain/limits.ts'
import type { List } from '../../../../domain/wire/fields.ts'
import type { SortKey } from '../../../../domain/wire/list-query.ts'
import { useLoaded } from '../../../app/app-context.tsx'
import { useDrawnWaiting } from '../../../layout/frame.tsx'
import { abandonedBy, type ListRequest } from '../../../remote/lists.ts'
import type { ListState, Loaded } from '../../../ui/lists/list-card.tsx'
import { useSteadyRows } from '../../../ui/lists/use-steady-list.ts'
import type { ListAddress } from './list-address.ts'

type ListSource<Field extends string, Answer, Row> = {
  /** Names the list among all that is loaded. */
  key: readonly unknown[]
  address: ListAddress<Field>
  /** Title of the snackbar when loading fails. */
  failure: string
  load: (request: ListRequest<Field | 'id'>, abandoned: Promise<void>) => Promise<Answer>
  rowKey: (row: Row) => string
}

/**
 * One page of a list, by default ordered by id, ten rows (spec section 9). While another page is loading the old rows
 * stay; a request whose result is no longer needed is aborted. Rows that are new in a repeated response wait while the
 * pointer is on the rows. `answer` is the whole response that the rows are of, and
 * `answeredAt` when it came (milliseconds since 1970).
 */
export function useList<Answer extends List<unknown>, Field extends string>(
  source: ListSource<Field, Answer, Answer['results'][number]>,
): ListState<Answer['results'][number]> & { answer: Answer | undefined; answeredAt: number } {
  const { search, clientIds, lacks, sort, page } = source.address
  const order: SortKey<Field | 'id'> = sort ?? { field: 'id', direction: 'asc' }
  const request = { name: search, sort: order, page, limit: TABLE_PAGE_SIZE }
  const orderName = `${order.field} ${order.direction}`
  const queryKey = [...source.key, request, clientIds, lacks]
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => ({
      ...(await source.load(request, abandonedBy(signal))),
      orderName,
    }),
    placeholderData: keepPreviousData,
    meta: { failure: source.failure },
  })
  const { rows, handlers } = useSteadyRows<Answer['results'][number]>(query.data?.results, {
    keyOf: source.rowKey,
    source: query.isPlaceholderData ? null : JSON.stringify(queryKey),
  })
  return {
    answer: query.data,
    answeredAt: query.dataUpdatedAt,
    rows,
    rowKey: source.rowKey,
    rowHandlers: handlers,
    total: query.data?.totalResults ?? 0,
    page,
    rowsPage: query.data?.page ?? page,
    isInOrder: query.data?.orderName === orderName,
    pageSize: TABLE_PAGE_SIZE,
    refreshing: query.isFetching,
    failed: query.data === undefined && query.isError,
    onRetry: () => void query.refetch(),
  }
}

/** For the screen of a list, which draws grey rows until the first rows or a refusal end the loading flag (Q12). */
export function useListLoaded({ rows, failed }: Loaded): void {
  const arrived = rows !== undefined || failed
  useDrawnWaiting(!arrived)
  useLoaded(arrived)
}

/** The row as the list has it now; undefined where it is not on this page any more. */
export const rowNow = <Row extends { id: string }>(
  { rows }: ListState<Row>,
  { id }: Row,
): Row | undefined => rows?.find((row) => row.id === id)
