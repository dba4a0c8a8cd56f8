import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Role, UserCreate } from '../../../../domain/wire/users.ts'
import { notices } from '../../../app/notices.ts'
import { emailRule, focusFirstFault, nameRule, passwordRule } from '../../../field-rules.ts'
import { DialogForm } from '../../../ui/dialogs/form-dialog.tsx'
import { PasswordField } from '../../../ui/fields/password-field.tsx'
import { useChange } from '../use-change.ts'
import { useUsers } from '../use-remote.ts'
import { RoleSelect } from './role-select.tsx'

type Fields = { name: string; email: string; password: string; role: Role }

export function CreateUser({ onClose }: { onClose: () => void }) {
  const users = useUsers()
  const { busy, make } = useChange<UserCreate>({
    call: users.create,
    failure: 'Error creating user',
    onDone: ({ name }) => {
      notices.success('User created', `${name} can now log in.`)
      onClose()
    },
  })
  const form = useForm<Fields>({
    initialValues: { name: '', email: '', password: '', role: 'user' },
    validate: { name: nameRule('Full name'), email: emailRule, password: passwordRule },
  })

  const handleSubmit = form.onSubmit(
    ({ name, email, ...rest }) => make({ name: name.trim(), email: email.trim(), ...rest }),
    (errors) => focusFirstFault(form, errors),
  )

  return (
    <DialogForm
      submit="Create"
      busy={busy}
      changed={form.isDirty()}
      onSubmit={() => handleSubmit()}
      onCancel={onClose}
    >
      <TextInput
        label="Full name"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput label="E-mail" type="email" autoComplete="off" {...form.getInputProps('email')} />
      <PasswordField
        label="Password"
        description="At least 8 characters"
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <RoleSelect {...form.getInputProps('role')} />
    </DialogForm>
  )
}
