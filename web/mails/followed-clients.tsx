import { MultiSelect } from '@mantine/core'
import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { useEffect, useMemo, useState } from 'react'
import { compareNames } from '../../domain/names/folded-name.ts'
import type { Client } from '../../domain/wire/clients.ts'
import { useSend } from '../app/app-context.tsx'
import { useDates } from '../app/use-dates.ts'
import { createClients } from '../remote/clients.ts'
import { COMBOBOX_PROPS } from '../ui/lists/combobox.ts'
import { filterByName, withoutClients } from '../ui/lists/use-typed-list.ts'
import { optionWith } from '../ui/people/named-client.tsx'
import { detailsOfSameNames } from '../ui/people/same-names.ts'

type FollowedClientsProps = { follows: string[]; onFollow: (clientIds: string[]) => void }

export function FollowedClients({ follows, onFollow }: FollowedClientsProps) {
  const { clients, failed } = useEveryClient()
  const dates = useDates()
  const details = useMemo(() => detailsOfSameNames(clients ?? [], dates), [clients, dates])
  const known = new Set(clients?.map(({ id }) => id))
  return (
    <MultiSelect
      dir="auto"
      label="Clients you follow"
      description={
        follows.length === 0 ? 'You follow no client, so only the morning mail comes.' : undefined
      }
      inputWrapperOrder={['label', 'input', 'description']}
      data={(clients ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={follows.filter((id) => known.has(id))}
      onChange={onFollow}
      searchable
      filter={filterByName}
      {...(details.size > 0 && { renderOption: optionWith(details) })}
      hidePickedOptions
      comboboxProps={COMBOBOX_PROPS}
      maxDropdownHeight={200}
      nothingFoundMessage={withoutClients(clients, failed)}
    />
  )
}

/** All of them on one page (spec section 9). */
const CLIENTS_LIMIT = 999

/** Every client by name. `failed`: there are none to show. */
function useEveryClient(): { clients: readonly Client[] | undefined; failed: boolean } {
  const send = useSend()
  const [clients, setClients] = useState<readonly Client[]>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    createClients(send)
      .list({
        name: '',
        sort: { field: 'id', direction: 'asc' },
        page: 1,
        limit: CLIENTS_LIMIT,
      })
      .then(
        ({ results }) => setClients(results.toSorted((a, b) => compareNames(a.name, b.name))),
        () => setFailed(true),
      )
  }, [send])
  return { clients, failed }
}
