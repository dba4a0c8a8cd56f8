import { useState } from 'react'
import { useNameSearch } from '../list/use-name-search.ts'
import { useUsers } from '../use-remote.ts'

/** Searches users by a part of their name, for a picker. */
export function useUserSearch() {
  const users = useUsers()
  const [search, setSearch] = useState('')
  const { found, failed, more } = useNameSearch({
    key: 'users',
    text: search,
    sort: { field: 'name', direction: 'asc' },
    failure: 'Error retrieving users',
    load: users.list,
  })
  return { search, onSearch: setSearch, found, failed, more }
}
