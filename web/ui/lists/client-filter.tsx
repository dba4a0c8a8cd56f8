import { MultiSelect, Pill } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Client } from '../../../domain/wire/clients.ts'
import { once } from '../../app/once.ts'
import { useDates } from '../../app/use-dates.ts'
import { useOnDemand } from '../on-demand.tsx'
import classes from './client-filter.module.css'
import { filterByName, useTypedList, withoutClients } from './use-typed-list.ts'

type ClientFilterProps = {
  /** Every client there is; undefined until they came. */
  clients: readonly Client[] | undefined
  failed: boolean
  chosen: readonly string[]
  onChoose: (clientIds: string[]) => void
  /** Pixels. */
  width: number
}

/** Loaded only when two clients have the same name. */
const fetchApart = once(async () => ({
  ...(await import('../people/same-names.ts')),
  ...(await import('../people/named-client.tsx')),
}))

/** More names than fit into the field become a number. */
const NAMED_MAX = 2

export function ClientFilter({ clients, failed, chosen, onChoose, width }: ClientFilterProps) {
  const options = (clients ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const apart = useOnDemand(fetchApart)
  const dates = useDates()
  const details = useMemo(
    () => apart?.detailsOfSameNames(clients ?? [], dates),
    [apart, clients, dates],
  )
  const named = chosen.slice(0, NAMED_MAX)
  const rest = chosen.length - named.length
  const [search, setSearch] = useState('')
  const list = useTypedList({
    typed: search.trim() !== '',
    listed: `${search} ${options.length}`,
  })
  return (
    <MultiSelect
      dir="auto"
      w={width}
      label="Filter by client"
      placeholder={chosen.length === 0 ? 'All clients' : ''}
      data={[...options, ...unknown(chosen, clients)]}
      value={[...chosen]}
      onChange={onChoose}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      filter={filterByName}
      {...(apart && details?.size && { renderOption: apart.optionWith(details) })}
      {...list}
      clearable
      clearButtonProps={{ 'aria-label': 'Show all clients', 'aria-hidden': false, tabIndex: 0 }}
      checkIconPosition="right"
      maxDropdownHeight={320}
      nothingFoundMessage={emptyText(clients, failed)}
      classNames={{ pillsList: classes.pills ?? '', inputField: classes.field ?? '' }}
      renderPill={({ option, value, onRemove }) => {
        if (value === chosen[NAMED_MAX]) return <Pill>+{rest}</Pill>
        if (!named.includes(String(value))) return null
        return (
          <Pill withRemoveButton {...(onRemove && { onRemove })} className={classes.pill ?? ''}>
            {apart && details?.has(String(value)) ? (
              <apart.NamedClient
                inLine
                name={option?.label ?? ''}
                detail={details.get(String(value))}
              />
            ) : (
              option?.label
            )}
          </Pill>
        )
      }}
    />
  )
}

/** Chosen by the address, but in no list any more. */
function unknown(chosen: readonly string[], clients: ClientFilterProps['clients']) {
  const known = new Set(clients?.map(({ id }) => id))
  const label = clients ? 'Unknown client' : 'Loading…'
  return chosen.filter((id) => !known.has(id)).map((id) => ({ value: id, label }))
}

function emptyText(clients: ClientFilterProps['clients'], failed: boolean): string {
  return clients?.length === 0 ? 'There are no clients yet' : withoutClients(clients, failed)
}
