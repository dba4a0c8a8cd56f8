import { useSearchParams } from 'react-router-dom'
import type { ArticleState, DueFilter } from '../../../../domain/wire/progress.ts'
import type { ProgressSortField } from '../../../remote/progress.ts'
import { nextSort } from '../list/list-address.ts'
import type { ListPlace } from '../list/use-list-address.ts'
import {
  type ProgressAddress,
  readProgressAddress,
  writeProgressAddress,
} from './progress-address.ts'

export type ProgressPlace = ListPlace<ProgressSortField> &
  ProgressAddress & {
    onState: (state: ArticleState | undefined) => void
    onDue: (due: DueFilter | undefined) => void
  }

/** The page, search, filters and order of the progress, kept in the address. */
export function useProgressAddress(): ProgressPlace {
  const [query, setQuery] = useSearchParams()
  const address = readProgressAddress(query)
  const { search, clientIds, state, due, sort } = address
  const show = (changes: Partial<ProgressAddress>, replace = false) =>
    setQuery(writeProgressAddress({ ...address, page: 1, ...changes }), { replace })
  return {
    ...address,
    isFiltered: clientIds.length > 0 || state !== undefined || due !== undefined,
    onSearch: (next) => {
      if (next !== search) show({ search: next }, next !== '' && search !== '')
    },
    onClients: (next) => show({ clientIds: next }),
    onLacks: () => {},
    onState: (next) => show({ state: next }),
    onDue: (next) => show({ due: next }),
    onShowAll: () => show({ search: '', clientIds: [], state: undefined, due: undefined }),
    onSort: (field) => show({ sort: nextSort(sort, field) }),
    onPage: (page) => show({ page }),
    pageAddress: (page) => `?${writeProgressAddress({ ...address, page })}`,
  }
}
