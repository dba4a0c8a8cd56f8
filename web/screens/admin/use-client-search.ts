import { useMemo, useState } from 'react'
import { useDates } from '../../app/use-dates.ts'
import { labelOf, type PickedClient } from '../../ui/people/client-picker.tsx'
import { detailsOfSameNames } from '../../ui/people/same-names.ts'
import { useNameSearch } from './list/use-name-search.ts'
import { useClients } from './use-remote.ts'

/** Clients by a part of their name, for a picker in which `picked` is chosen now. */
export function useClientSearch(picked: PickedClient | null) {
  const [text, setText] = useState(picked ? labelOf(picked) : '')
  // The name of the picked one is in the field without being searched for.
  const search = useClientsNamed(picked && text === labelOf(picked) ? '' : text)
  // Other clients of the same name may be outside the listed page.
  const { found: named } = useClientsNamed(search.more ? (picked?.name ?? '') : '')
  const { found } = search
  const dates = useDates()
  const details = useMemo(
    () => detailsOfSameNames([...(found ?? []), ...(named ?? [])], dates),
    [found, named, dates],
  )
  return { ...search, details, text, onText: setText }
}

function useClientsNamed(text: string) {
  const clients = useClients()
  return useNameSearch({
    key: 'clients',
    text,
    sort: { field: 'id', direction: 'asc' },
    failure: 'Error retrieving clients',
    load: clients.list,
  })
}
