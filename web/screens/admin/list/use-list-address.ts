import { useSearchParams } from 'react-router-dom'
import type { Lack } from '../../../remote/articles.ts'
import { type ListAddress, nextSort, readListAddress, writeListAddress } from './list-address.ts'

export type ListPlace<Field extends string> = ListAddress<Field> & {
  /** By more than a search. */
  isFiltered: boolean
  onSearch: (search: string) => void
  onClients: (clientIds: string[]) => void
  onLacks: (lacks: Lack[]) => void
  /** Takes every filter away. */
  onShowAll: () => void
  onSort: (field: Field) => void
  onPage: (page: number) => void
  /** The address of another page of the same list. */
  pageAddress: (page: number) => string
}

/** The page, search, filter and order of a list. Changing search, filter or order returns to page 1 (Q68). */
export function useListAddress<Field extends string>(fields: readonly Field[]): ListPlace<Field> {
  const [query, setQuery] = useSearchParams()
  const address = readListAddress(query, fields)
  const show = (changes: Partial<ListAddress<Field>>, replace = false) =>
    setQuery(writeListAddress({ ...address, page: 1, ...changes }), { replace })
  return {
    ...address,
    isFiltered: address.clientIds.length > 0 || address.lacks.length > 0,
    // Back leaves a search as a whole, not letter by letter.
    onSearch: (search) => {
      if (search !== address.search) show({ search }, search !== '' && address.search !== '')
    },
    onClients: (clientIds) => show({ clientIds }),
    onLacks: (lacks) => show({ lacks }),
    onShowAll: () => show({ search: '', clientIds: [], lacks: [] }),
    onSort: (field) => show({ sort: nextSort(address.sort, field) }),
    onPage: (page) => show({ page }),
    pageAddress: (page) => `?${writeListAddress({ ...address, page })}`,
  }
}
