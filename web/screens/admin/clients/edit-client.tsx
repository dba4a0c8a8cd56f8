import { Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Client, ClientPatch, ClientUser } from '../../../../domain/wire/clients.ts'
import { notices } from '../../../app/notices.ts'
import { nameRule } from '../../../field-rules.ts'
import { DialogForm } from '../../../ui/dialogs/form-dialog.tsx'
import { UsersPicker } from '../../../ui/people/users-picker.tsx'
import { useFreshRow } from '../list/use-fresh-row.ts'
import { sending } from '../send-form.ts'
import { useChange } from '../use-change.ts'
import { useClients } from '../use-remote.ts'
import classes from './edit-client.module.css'
import { mergeUsers } from './merge-users.ts'
import { useUserSearch } from './use-user-search.ts'

type Fields = { name: string; moonOwlClient: boolean; users: ClientUser[] }

const fieldsOf = ({ name, moonOwlClient, users }: Client): Fields => ({
  name,
  moonOwlClient,
  users,
})
const MERGE = { users: mergeUsers }

type EditClientProps = {
  /** As it was listed when the form was opened. */
  client: Client
  /** As it is listed now; undefined where it is not any more. */
  latest: Client | undefined
  onClose: () => void
}

export function EditClient({ client, latest, onClose }: EditClientProps) {
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
    initialValues: fieldsOf(client),
    validate: { name: nameRule('Name') },
  })
  useFreshRow(form, { key: 'clients', opened: client, latest, valuesOf: fieldsOf, merge: MERGE })

  return (
    <DialogForm
      submit="Modify"
      busy={busy}
      changed={form.isDirty()}
      onSubmit={sending(form, ({ name, moonOwlClient, users }) =>
        make({ name: name.trim(), moonOwlClient, users: users.map(({ id }) => id) }),
      )}
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
        description="Only these people can see this client’s articles."
        picked={form.values.users}
        onPick={(users) => form.setFieldValue('users', users)}
        {...search}
      />
    </DialogForm>
  )
}
