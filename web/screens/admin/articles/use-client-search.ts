import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SEARCH_DEBOUNCE_MS, SEARCH_MAX } from '../../../../domain/limits.ts'
import { abandonedBy } from '../../../remote/lists.ts'
import { labelOf, type PickedClient } from '../../../ui/client-picker.tsx'
import { narrowed } from '../narrowed.ts'
import { useClients } from '../use-remote.ts'

/** As many as somebody reads before typing on. */
const FOUND_MAX = 50

/** Clients by a part of their name, for a picker in which `picked` stands now. */
export function useClientSearch(picked: PickedClient | null) {
  const clients = useClients()
  const [text, setText] = useState(picked ? labelOf(picked) : '')
  // The name of the picked one stands in the field without being searched for.
  const wanted = picked && text === labelOf(picked) ? '' : text.trim().slice(0, SEARCH_MAX)
  const [name] = useDebouncedValue(wanted, SEARCH_DEBOUNCE_MS)
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['clients', 'picker', name],
    queryFn: ({ signal }) =>
      clients.list(
        { name, sort: { field: 'id', direction: 'asc' }, page: 1, limit: FOUND_MAX },
        abandonedBy(signal),
      ),
    placeholderData: keepPreviousData,
    meta: { failure: 'Error retrieving clients' },
  })
  const isLate = isPlaceholderData || name !== wanted
  return {
    text,
    onText: setText,
    found: isLate ? narrowed(data?.results, wanted) : data?.results,
    more: data !== undefined && data.totalResults > data.results.length,
  }
}
