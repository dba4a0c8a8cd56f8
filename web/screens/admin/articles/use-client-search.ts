import { useState } from 'react'
import { labelOf, type PickedClient } from '../../../ui/client-picker.tsx'
import { useNameSearch } from '../use-name-search.ts'
import { useClients } from '../use-remote.ts'

/** Clients by a part of their name, for a picker in which `picked` stands now. */
export function useClientSearch(picked: PickedClient | null) {
  const clients = useClients()
  const [text, setText] = useState(picked ? labelOf(picked) : '')
  const search = useNameSearch({
    key: 'clients',
    // The name of the picked one stands in the field without being searched for.
    text: picked && text === labelOf(picked) ? '' : text,
    sort: { field: 'id', direction: 'asc' },
    failure: 'Error retrieving clients',
    load: clients.list,
  })
  return { ...search, text, onText: setText }
}
