import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { SEARCH_DEBOUNCE_MS, SEARCH_MAX } from '../../../../domain/limits.ts'
import type { List } from '../../../../domain/wire/fields.ts'
import type { SortKey } from '../../../../domain/wire/list-query.ts'
import { abandonedBy, type ListRequest } from '../../../remote/lists.ts'
import { narrowed } from './narrowed.ts'

/** Enough to choose from; a longer list is narrowed by typing more. */
const FOUND_MAX = 50

type NameSearch<Row, Field extends string> = {
  /** Names what is searched among all that is loaded. */
  key: string
  /** Part of a name, as typed; all of them when empty. */
  text: string
  sort: SortKey<Field>
  /** Title of the snackbar when it fails. */
  failure: string
  load: (request: ListRequest<Field>, abandoned: Promise<void>) => Promise<List<Row>>
}

/** What a picker offers: those that have `text` in their name, asked for once typing paused. */
export function useNameSearch<Row extends { name: string }, Field extends string>(
  search: NameSearch<Row, Field>,
) {
  const { key, sort, failure, load } = search
  const wanted = search.text.trim().slice(0, SEARCH_MAX)
  const [name] = useDebouncedValue(wanted, SEARCH_DEBOUNCE_MS)
  const { data, isError, isPlaceholderData } = useQuery({
    queryKey: [key, 'picker', name],
    queryFn: ({ signal }) => load({ name, sort, page: 1, limit: FOUND_MAX }, abandonedBy(signal)),
    placeholderData: keepPreviousData,
    meta: { failure },
  })
  const isLate = isPlaceholderData || name !== wanted
  return {
    /** Undefined until something is known. */
    found: isLate ? narrowed(data?.results, wanted) : data?.results,
    /** Nothing came, and nothing is on its way any more. */
    failed: isError && data === undefined && !isLate,
    /** More were found than are listed. */
    more: data !== undefined && data.totalResults > data.results.length,
  }
}
