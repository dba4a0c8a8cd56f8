import { useSearchParams } from 'react-router-dom'
import type { SortKey } from '../../../../domain/wire/list-query.ts'
import { type ListAddress, nextSort, readListAddress, writeListAddress } from './list-address.ts'

/** What a list shows, and how it shows something else. */
export type ListPlace<Address extends ListAddress> = Address & {
  /** By more than a search. */
  isFiltered: boolean
  /** From page 1 on (Q68). */
  show: (changes: Partial<Address>) => void
  onSearch: (search: string) => void
  /** Takes every filter away. */
  onShowAll: () => void
  onSort: (field: SortedBy<Address>) => void
  onPage: (page: number) => void
  /** The address of another page of the same list. */
  pageAddress: (page: number) => string
}

type SortedBy<Address> = Address extends { sort: SortKey<infer Field> | null } ? Field : never

/** How a list is written into its address. */
export type AddressForm<Address> = {
  read: (query: URLSearchParams) => Address
  write: (address: Address) => URLSearchParams
  /** The filters where nothing is filtered. */
  unfiltered: Partial<Address>
}

/** The page, search, filters and order of a list, kept in its address. */
export function useAddress<Address extends ListAddress>({
  read,
  write,
  unfiltered,
}: AddressForm<Address>): ListPlace<Address> {
  const [query, setQuery] = useSearchParams()
  const address = read(query)
  const { search, sort } = address
  const show = (changes: object, replace = false) =>
    setQuery(write({ ...address, page: 1, ...changes }), { replace })
  return {
    ...address,
    isFiltered: `${write(address)}` !== `${write({ ...address, ...unfiltered })}`,
    show,
    // Back leaves a search as a whole, not letter by letter.
    onSearch: (next) => {
      if (next !== search) show({ search: next }, next !== '' && search !== '')
    },
    onShowAll: () => show({ search: '', ...unfiltered }),
    onSort: (field) => show({ sort: nextSort(sort, field) }),
    onPage: (page) => show({ page }),
    pageAddress: (page) => `?${write({ ...address, page })}`,
  }
}

/** That of a list without filters of its own. */
export const useListAddress = <Field extends string>(fields: readonly Field[]) =>
  useAddress<ListAddress<Field>>({
    read: (query) => readListAddress(query, fields),
    write: writeListAddress,
    unfiltered: { clientIds: [], lacks: [] },
  })
