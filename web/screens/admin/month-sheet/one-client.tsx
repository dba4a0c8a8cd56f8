import { Select } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Client } from '../../../../domain/wire/clients.ts'
import { useDates } from '../../../app/use-dates.ts'
import { filterByName, useTypedList, withoutClients } from '../../../ui/lists/use-typed-list.ts'
import { optionWith } from '../../../ui/people/named-client.tsx'
import { detailsOfSameNames } from '../../../ui/people/same-names.ts'

type OneClientProps = {
  /** Undefined until they came. */
  clients: readonly Client[] | undefined
  failed: boolean
  /** Undefined: all of them. */
  chosen: string | undefined
  onChoose: (clientId: string | undefined) => void
}

/** All clients, or one of them. */
export function OneClient({ clients, failed, chosen, onChoose }: OneClientProps) {
  const [search, setSearch] = useState('')
  const dates = useDates()
  const details = useMemo(() => detailsOfSameNames(clients ?? [], dates), [clients, dates])
  const name = chosenName(clients, chosen)
  const typed = search.trim() !== '' && search !== name
  const list = useTypedList({ typed, listed: `${search} ${clients?.length}` })
  const options = (clients ?? []).map(({ id, name: label }) => ({ value: id, label }))
  const isKnown = chosen === undefined || options.some(({ value }) => value === chosen)
  return (
    <Select
      dir="auto"
      w={300}
      label="Client"
      placeholder="All clients"
      data={isKnown ? options : [{ value: chosen, label: name }, ...options]}
      value={chosen ?? null}
      onChange={(id) => onChoose(id ?? undefined)}
      allowDeselect={false}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      filter={(input) => filterByName({ ...input, search: typed ? search : '' })}
      {...(details.size > 0 && { renderOption: optionWith(details) })}
      {...list}
      onFocus={(event) => event.currentTarget.select()}
      openOnFocus={false}
      clearable
      clearButtonProps={{ 'aria-label': 'Show all clients', 'aria-hidden': false, tabIndex: 0 }}
      checkIconPosition="right"
      maxDropdownHeight={320}
      nothingFoundMessage={withoutClients(clients, failed)}
    />
  )
}

/** Empty where none is chosen. */
export function chosenName(
  clients: readonly Client[] | undefined,
  chosen: string | undefined,
): string {
  if (chosen === undefined) return ''
  const known = clients?.find(({ id }) => id === chosen)?.name
  return known ?? (clients ? 'Unknown client' : 'Loading…')
}
