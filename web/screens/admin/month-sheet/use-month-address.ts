import { useSearchParams } from 'react-router-dom'
import { readListAddress, writeListAddress } from '../list/list-address.ts'
import type { ListPlace } from '../list/use-list-address.ts'
import { isMonth } from './months.ts'

export type MonthPlace = ListPlace<never> & {
  month: string
  clientId: string | undefined
  onMonth: (month: string) => void
  onClient: (clientId: string | undefined) => void
}

type Shown = { month: string; clientId: string | undefined; page: number }

/** What the sheet shows, as its address has it: `?month=2026-11&client=…&page=2`. `current`: the month of today. */
export function useMonthAddress(current: string): MonthPlace {
  const [query, setQuery] = useSearchParams()
  const { clientIds, page } = readListAddress<never>(query, [])
  const month = query.get('month')
  const shown: Shown = { month: isMonth(month) ? month : current, clientId: clientIds[0], page }
  const show = (changes: Partial<Shown>) => setQuery(written({ ...shown, page: 1, ...changes }))
  return {
    ...shown,
    search: '',
    clientIds: shown.clientId === undefined ? [] : [shown.clientId],
    lacks: [],
    sort: null,
    isFiltered: false,
    onMonth: (next) => show({ month: next }),
    onClient: (clientId) => show({ clientId }),
    onSearch: () => {},
    onClients: () => {},
    onLacks: () => {},
    onSort: () => {},
    onShowAll: () => {},
    onPage: (next) => show({ page: next }),
    pageAddress: (next) => `?${written({ ...shown, page: next })}`,
  }
}

/** The month is always in it: the sheet of November stays that in December. */
function written({ month, clientId, page }: Shown): URLSearchParams {
  const clientIds = clientId === undefined ? [] : [clientId]
  const query = new URLSearchParams({ month })
  const list = writeListAddress({ search: '', clientIds, lacks: [], sort: null, page })
  for (const [key, value] of list) query.append(key, value)
  return query
}
