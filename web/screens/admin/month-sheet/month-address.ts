import { type ListAddress, readListAddress, writeListAddress } from '../list/list-address.ts'
import type { AddressForm, ListPlace } from '../list/use-list-address.ts'
import { isMonth } from './months.ts'

type MonthAddress = ListAddress<never> & { month: string }
export type MonthPlace = ListPlace<MonthAddress>

/** What the sheet shows, as its address has it: `?month=2026-11&client=…&page=2`. `current`: the month of today. */
export const monthAddress = (current: string): AddressForm<MonthAddress> => ({
  read(query) {
    const { clientIds, page } = readListAddress<never>(query, [])
    const month = query.get('month')
    return {
      search: '',
      clientIds: clientIds.slice(0, 1),
      lacks: [],
      sort: null,
      page,
      month: isMonth(month) ? month : current,
    }
  },
  /** The month is always in it: the sheet of November stays that in December. */
  write: ({ month, ...list }) => new URLSearchParams([['month', month], ...writeListAddress(list)]),
  unfiltered: {},
})
