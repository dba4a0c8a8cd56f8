import { MultiSelect, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMemo } from 'react'
import type { NewProgramToken, ProgramTokenCreate } from '../../../../domain/wire/program-tokens.ts'
import { useDates } from '../../../app/use-dates.ts'
import { nameRule } from '../../../field-rules.ts'
import { DialogForm } from '../../../ui/dialogs/form-dialog.tsx'
import { COMBOBOX_PROPS } from '../../../ui/lists/combobox.ts'
import { filterByName, withoutClients } from '../../../ui/lists/use-typed-list.ts'
import { optionWith } from '../../../ui/people/named-client.tsx'
import { detailsOfSameNames } from '../../../ui/people/same-names.ts'
import { sending } from '../send-form.ts'
import { useAllClients } from '../use-all-clients.ts'
import { useChange } from '../use-change.ts'
import { useProgramTokens } from '../use-remote.ts'

type Fields = { name: string; clientIds: string[]; days: string }

const TERMS = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

type CreateTokenProps = { onCancel: () => void; onCreated: (made: NewProgramToken) => void }

export function CreateToken({ onCancel, onCreated }: CreateTokenProps) {
  const tokens = useProgramTokens()
  const { clients, failed } = useAllClients()
  const dates = useDates()
  const details = useMemo(() => detailsOfSameNames(clients ?? [], dates), [clients, dates])
  const { busy, make } = useChange<ProgramTokenCreate, NewProgramToken>({
    call: tokens.create,
    failure: 'Error creating the access token',
    onDone: (_, made) => onCreated(made),
  })
  const form = useForm<Fields>({
    initialValues: { name: '', clientIds: [], days: '90' },
    validate: {
      name: nameRule('Name'),
      clientIds: (ids) => (ids.length > 0 ? null : 'Choose at least one client.'),
    },
  })

  return (
    <DialogForm
      submit="Create token"
      busy={busy}
      changed={form.isDirty()}
      onSubmit={sending(form, ({ name, clientIds, days }) =>
        make({ name: name.trim(), clientIds, days: Number(days) }),
      )}
      onCancel={onCancel}
    >
      <TextInput
        label="Name"
        description="Of the program, such as the address of the website"
        autoComplete="off"
        autoFocus
        {...form.getInputProps('name')}
      />
      <MultiSelect
        dir="auto"
        label="Clients"
        description="The program can read what is handed in for these clients."
        data={(clients ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        filter={filterByName}
        {...(details.size > 0 && { renderOption: optionWith(details) })}
        hidePickedOptions
        comboboxProps={COMBOBOX_PROPS}
        maxDropdownHeight={200}
        nothingFoundMessage={withoutClients(clients, failed)}
        {...form.getInputProps('clientIds')}
      />
      <Select
        label="Expires"
        data={TERMS}
        allowDeselect={false}
        checkIconPosition="right"
        comboboxProps={COMBOBOX_PROPS}
        {...form.getInputProps('days')}
      />
    </DialogForm>
  )
}
