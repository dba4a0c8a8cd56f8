import { Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Client, ClientPatch, ClientUser } from '../../../../domain/wire-clients.ts'
import { focusFirstFault, nameRule } from '../../../field-rules.ts'
import { notices } from '../../../notices.ts'
import { DialogForm } from '../../../ui/form-dialog.tsx'
import { UsersPicker } from '../../../ui/users-picker.tsx'
import { useChange } from '../use-change.ts'
import { useClients } from '../use-remote.ts'
import classes from './edit-client.module.css'
import { useUserSearch } from './use-user-search.ts'

type Fields = { name: string; moonOwlClient: boolean; users: ClientUser[] }

export function EditClient({ client, onClose }: { client: Client; onClose: () => void }) {
  const clients = useClients()
  const search = useUserSearch()
  const { busy, make } = useChange<ClientPatch>({
    call: (changes) => clients.modify(client.id, changes),
    failure: 'Error modifying client',
    onDone: ({ name = client.name }) => {
      notices.success('Client modified', `The changes to ${name} are saved.`)
      onClose()
    },
  })
  const form = useForm<Fields>({
    initialValues: {
      name: client.name,
      moonOwlClient: client.moonOwlClient,
      users: client.users,
    },
    validate: { name: nameRule('Name') },
  })

  const handleSubmit = form.onSubmit(
    ({ name, moonOwlClient, users }) =>
      make({ name: name.trim(), moonOwlClient, users: users.map(({ id }) => id) }),
    (errors) => focusFirstFault(form, errors),
  )

  return (
    <DialogForm
      submit="Modify"
      busy={busy}
      changed={form.isDirty()}
      onSubmit={() => handleSubmit()}
      onCancel={onClose}
    >
      <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <Switch
        label="Moon & Owl client"
        description="Listed under Moon & Owl Clients instead of External Clients."
        classNames={{ track: classes.track ?? '', description: classes.description ?? '' }}
        {...form.getInputProps('moonOwlClient', { type: 'checkbox' })}
      />
      <UsersPicker
        label="Users"
        description="Only these people see this client's articles."
        picked={form.values.users}
        onPick={(users) => form.setFieldValue('users', users)}
        {...search}
      />
    </DialogForm>
  )
}
