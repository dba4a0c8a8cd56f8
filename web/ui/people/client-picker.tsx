import { Select } from '@mantine/core'
import { MORE } from '../buttons/more-option.ts'
import { useTypedList } from '../lists/use-typed-list.ts'
import { optionWith } from './named-client.tsx'

export type PickedClient = { id: string; name: string; deleted?: true | undefined }

type ClientPickerProps = {
  label: string
  /** The label is read, not seen. */
  isLabelHidden?: boolean
  /** Cannot be emptied. */
  isRequired?: boolean
  /** Shown where none is picked. */
  placeholder?: string
  error?: string | null
  picked: PickedClient | null
  onPick: (client: PickedClient | null) => void
  /** What the search found; undefined while it is under way and when it failed. */
  found: readonly PickedClient[] | undefined
  failed: boolean
  /** Distinguishing details of clients with the same name, by id. */
  details: ReadonlyMap<string, string>
  /** More were found than are listed. */
  more: boolean
  /** The text in the field. */
  text: string
  onText: (text: string) => void
}

/** At most one client. The server searches, so every option stays listed. */
export function ClientPicker(props: ClientPickerProps) {
  const { picked, found = [], text, details } = props
  const typed = text.trim() !== '' && text !== (picked && labelOf(picked))
  const options = withPicked(found, picked)
  // What is picked has to be known to the field, and is listed only where it fits.
  const listed = typed ? [...found.map(({ id }) => id), MORE.value] : null
  const list = useTypedList({ typed, listed: `${text} ${listed?.join()}` })
  return (
    <Select
      dir="auto"
      label={props.label}
      {...(props.isLabelHidden && { labelProps: HIDDEN })}
      description={
        picked?.deleted
          ? 'This client was deleted. Its people can still open the article by link.'
          : picked && details.get(picked.id)
      }
      placeholder={props.placeholder ?? 'No client'}
      error={props.error}
      data={[
        ...options.map((client) => ({ value: client.id, label: labelOf(client) })),
        ...(props.more ? [MORE] : []),
      ]}
      value={picked?.id ?? null}
      onChange={(id) => props.onPick(options.find((client) => client.id === id) ?? null)}
      onOptionSubmit={(id) => picked?.id === id && props.onText(labelOf(picked))}
      allowDeselect={false}
      searchable
      searchValue={text}
      onSearchChange={props.onText}
      filter={({ options: all }) =>
        listed ? all.filter((option) => !('value' in option) || listed.includes(option.value)) : all
      }
      {...(details.size > 0 && { renderOption: optionWith(details) })}
      {...list}
      onFocus={(event) => event.currentTarget.select()}
      openOnFocus={false}
      clearable={!props.isRequired}
      clearButtonProps={{ 'aria-label': 'Remove client', 'aria-hidden': false, tabIndex: 0 }}
      checkIconPosition="right"
      maxDropdownHeight={240}
      nothingFoundMessage={emptyText(props)}
    />
  )
}

const HIDDEN = { className: 'visually-hidden' }

/** The text of the field for this client. */
export const labelOf = ({ name, deleted }: PickedClient): string =>
  deleted ? `${name} (deleted)` : name

function emptyText({ found, failed }: ClientPickerProps): string {
  if (failed) return 'Couldn’t load clients'
  return found ? 'No matching clients' : 'Searching…'
}

/** Puts the picked client where it is visible when the list opens. */
function withPicked(found: readonly PickedClient[], picked: PickedClient | null): PickedClient[] {
  return picked ? [picked, ...found.filter(({ id }) => id !== picked.id)] : [...found]
}
