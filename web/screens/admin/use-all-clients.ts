import { useQuery } from '@tanstack/react-query'
import { compareNames } from '../../../domain/names/folded-name.ts'
import type { Client } from '../../../domain/wire/clients.ts'
import { useClients } from './use-remote.ts'

/** All of them on one page (spec section 9). */
const FILTER_CLIENTS = 999

/** Every client by name, for a filter; undefined until they came. `failed`: there are none to show. */
export function useAllClients(): { clients: readonly Client[] | undefined; failed: boolean } {
  const clients = useClients()
  const { data, isError } = useQuery({
    queryKey: ['clients', 'filter'],
    queryFn: () =>
      clients.list({
        name: '',
        sort: { field: 'id', direction: 'asc' },
        page: 1,
        limit: FILTER_CLIENTS,
      }),
    select: ({ results }) => results.toSorted((a, b) => compareNames(a.name, b.name)),
    meta: { failure: 'Error retrieving clients' },
  })
  return { clients: data, failed: isError && data === undefined }
}
