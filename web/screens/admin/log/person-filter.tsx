import { Select } from '@mantine/core'
import { useState } from 'react'
import type { LogEntry } from '../../../../domain/wire/log.ts'
import { MORE } from '../../../ui/buttons/more-option.ts'
import { useTypedList } from '../../../ui/lists/use-typed-list.ts'
import { useNameSearch } from '../list/use-name-search.ts'
import { useUsers } from '../use-remote.ts'
import type { LogPlace } from './log-address.ts'

type PersonFilterProps = { place: LogPlace; rows: readonly LogEntry[] | undefined }

/** Only what one person did. The server searches for the name. */
export function PersonFilter({ place, rows }: PersonFilterProps) {
  const { userId } = place
  const [picked, setPicked] = useState<{ id: string; name: string } | null>(null)
  const chosen = userId === undefined ? null : chosenOf(userId, picked, rows)
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? chosen?.name ?? ''
  const { found, failed, more } = useNameSearch({
    key: 'users',
    text: typed ?? '',
    sort: { field: 'name', direction: 'asc' },
    failure: 'Error retrieving users',
    load: useUsers().list,
  })
  const options = new Map(
    [...(chosen ? [chosen] : []), ...(found ?? [])].map((one) => [one.id, one]),
  )
  const isSearching = typed !== null && typed.trim() !== ''
  const list = useTypedList({ typed: isSearching, listed: `${text} ${[...options.keys()].join()}` })

  return (
    <Select
      dir="auto"
      w={240}
      label="Person"
      placeholder="Everyone"
      data={[
        ...[...options.values()].map(({ id, name }) => ({ value: id, label: name })),
        ...(more ? [MORE] : []),
      ]}
      value={userId ?? null}
      onChange={(id) => {
        setPicked((id !== null && options.get(id)) || null)
        setTyped(null)
        place.show({ userId: id ?? undefined })
      }}
      searchable
      searchValue={text}
      onSearchChange={setTyped}
      onBlur={() => setTyped(null)}
      filter={({ options: all }) => all}
      {...list}
      clearable
      clearButtonProps={{ 'aria-label': 'Show everyone', 'aria-hidden': false, tabIndex: 0 }}
      checkIconPosition="right"
      maxDropdownHeight={320}
      nothingFoundMessage={emptyText(found, failed)}
    />
  )
}

/** After a reload only the rows have the name of who is in the address. */
function chosenOf(
  id: string,
  picked: { id: string; name: string } | null,
  rows: readonly LogEntry[] | undefined,
) {
  if (picked?.id === id) return picked
  const name = rows?.find(({ by }) => by?.id === id)?.by?.name
  return { id, name: name ?? (rows ? 'A former user' : 'Loading…') }
}

function emptyText(found: readonly unknown[] | undefined, failed: boolean): string {
  if (failed) return 'Couldn’t load people'
  return found ? 'No matching people' : 'Searching…'
}
