import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SEARCH_DEBOUNCE_MS, SEARCH_MAX } from '../../../../domain/limits.ts'
import { abandonedBy } from '../../../remote/lists.ts'
import { narrowed } from '../narrowed.ts'
import { useUsers } from '../use-remote.ts'

/** As many as somebody reads before typing on. */
const FOUND_MAX = 50

/** People by a part of their name, for a picker. */
export function useUserSearch() {
  const users = useUsers()
  const [search, setSearch] = useState('')
  const wanted = search.trim().slice(0, SEARCH_MAX)
  const [name] = useDebouncedValue(wanted, SEARCH_DEBOUNCE_MS)
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['users', 'picker', name],
    queryFn: ({ signal }) =>
      users.list(
        { name, sort: { field: 'name', direction: 'asc' }, page: 1, limit: FOUND_MAX },
        abandonedBy(signal),
      ),
    placeholderData: keepPreviousData,
    meta: { failure: 'Error retrieving users' },
  })
  const isLate = isPlaceholderData || name !== wanted
  const found = isLate ? narrowed(data?.results, wanted) : data?.results
  return { search, onSearch: setSearch, found }
}
