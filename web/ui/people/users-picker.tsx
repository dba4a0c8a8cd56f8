import { Highlight, MultiSelect } from '@mantine/core'
import { initials } from '../../../domain/access/session.ts'
import { MORE } from '../buttons/more-option.ts'
import { useTypedList } from '../lists/use-typed-list.ts'
import { InitialsCircle } from './initials-circle.tsx'
import classes from './users-picker.module.css'

export type PickedUser = { id: string; name: string; email: string }

type UsersPickerProps = {
  label: string
  description: string
  picked: readonly PickedUser[]
  onPick: (users: PickedUser[]) => void
  /** What the search found; undefined while it is under way and when it failed. */
  found: readonly PickedUser[] | undefined
  failed: boolean
  /** More were found than are listed. */
  more: boolean
  search: string
  onSearch: (text: string) => void
}

/** Picks any number of users. The server searches, so every option stays listed. */
export function UsersPicker({ picked, found, failed, more, search, ...props }: UsersPickerProps) {
  const people = new Map([...(found ?? []), ...picked].map((user) => [user.id, user]))
  const list = useTypedList({
    typed: search.trim() !== '',
    listed: `${search} ${[...people.keys()].join()}`,
  })

  /** The list covers the buttons of a dialog, so it closes after a user was picked. */
  function pick(ids: string[]) {
    props.onPick(ids.map((id) => people.get(id)).filter((user) => user !== undefined))
    list.onDropdownClose()
  }

  return (
    <MultiSelect
      dir="auto"
      label={props.label}
      description={props.description}
      placeholder={picked.length === 0 ? 'Find a person by name' : ''}
      data={[
        ...[...people.values()].map(({ id, name }) => ({ value: id, label: name })),
        ...(more ? [MORE] : []),
      ]}
      value={picked.map(({ id }) => id)}
      onChange={pick}
      searchable
      searchValue={search}
      onSearchChange={props.onSearch}
      filter={({ options }) => options}
      openOnFocus={false}
      {...list}
      hidePickedOptions
      maxDropdownHeight={260}
      nothingFoundMessage={emptyText(found, failed)}
      classNames={{ pillsList: classes.pills ?? '', option: classes.option ?? '' }}
      renderOption={({ option }) => {
        const user = people.get(String(option.value))
        return user ? <Person user={user} search={search} /> : option.label
      }}
    />
  )
}

function emptyText(found: UsersPickerProps['found'], failed: boolean): string {
  if (failed) return 'Couldn’t load people'
  return found ? 'No matching people' : 'Searching…'
}

function Person({ user, search }: { user: PickedUser; search: string }) {
  return (
    <div className={classes.person}>
      <InitialsCircle initials={initials(user.name)} size={26} />
      <div className={classes.words}>
        <Highlight
          component="div"
          className={classes.name ?? ''}
          dir="auto"
          highlight={search.trim()}
          highlightStyles={{ background: 'var(--app-mark)', color: 'inherit' }}
        >
          {user.name}
        </Highlight>
        <div className={classes.email}>{user.email}</div>
      </div>
    </div>
  )
}
