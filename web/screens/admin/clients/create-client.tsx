import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ClientCreate } from '../../../../domain/wire/clients.ts'
import { notices } from '../../../app/notices.ts'
import { nameRule } from '../../../field-rules.ts'
import { DialogForm } from '../../../ui/dialogs/form-dialog.tsx'
import { sending } from '../send-form.ts'
import { useChange } from '../use-change.ts'
import { useClients } from '../use-remote.ts'

export function CreateClient({ onClose }: { onClose: () => void }) {
  const clients = useClients()
  const { busy, make } = useChange<ClientCreate>({
    call: clients.create,
    failure: 'Error creating client',
    onDone: ({ name }) => {
      notices.success('Client created', `${name} is in External Clients now.`)
      onClose()
    },
  })
  const form = useForm<ClientCreate>({
    initialValues: { name: '' },
    validate: { name: nameRule('Name') },
  })

  return (
    <DialogForm
      submit="Create"
      busy={busy}
      changed={form.isDirty()}
      onSubmit={sending(form, ({ name }) => make({ name: name.trim() }))}
      onCancel={onClose}
    >
      <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps('name')} />
    </DialogForm>
  )
}
