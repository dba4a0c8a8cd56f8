import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { TriangleAlert } from 'lucide-react'
import type { Invitation } from '../../../../domain/wire/invitations.ts'
import type { User } from '../../../../domain/wire/users.ts'
import { useApp, useSignedIn } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { emailRule, nameRule } from '../../../field-rules.ts'
import type { UserDetails } from '../../../remote/users.ts'
import { DialogForm } from '../../../ui/dialogs/form-dialog.tsx'
import { Banner } from '../../../ui/page/banner.tsx'
import { useFreshRow } from '../list/use-fresh-row.ts'
import { sending } from '../send-form.ts'
import { useChange } from '../use-change.ts'
import { useUsers } from '../use-remote.ts'
import { AccountAccess } from './account-access.tsx'
import { RoleSelect } from './role-select.tsx'
import { useTypedPassword } from './use-typed-password.ts'
import classes from './users-screen.module.css'

const detailsOf = ({ name, email, role }: User): UserDetails => ({ name, email, role })

type EditUserProps = {
  /** As it was listed when the form was opened. */
  user: User
  /** As it is listed now; undefined where it is not any more. */
  latest: User | undefined
  invitation: Invitation | undefined
  onClose: () => void
}

export function EditUser({ user, latest, invitation, onClose }: EditUserProps) {
  const users = useUsers()
  const { sessions } = useApp()
  const isSelf = useSignedIn().user.id === user.id
  const { busy, make } = useChange<UserDetails>({
    call: (details) => users.modify(user.id, details),
    failure: 'Error modifying user',
    onDone: ({ name, email }) => {
      const session = sessions.read()
      if (session?.user.id === user.id)
        sessions.write({ ...session, user: { ...session.user, name, fullName: name, email } })
      notices.success('User modified', `The changes to ${name} are saved.`)
      onClose()
    },
  })
  const form = useForm<UserDetails>({
    initialValues: detailsOf(user),
    validate: { name: nameRule('Full name'), email: emailRule },
  })
  useFreshRow(form, { key: 'users', opened: user, latest, valuesOf: detailsOf })

  const password = useTypedPassword()
  const handleSubmit = sending(form, ({ name, email, role }) => {
    if (password.isTyped) password.remind()
    else make({ name: name.trim(), email: email.trim(), role })
  })

  return (
    <DialogForm
      submit="Modify"
      ruled
      busy={busy}
      changed={form.isDirty()}
      onSubmit={handleSubmit}
      onCancel={onClose}
      below={<AccountAccess user={user} invitation={invitation} password={password} />}
    >
      <div className={classes.sides}>
        <TextInput
          label="Full name"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="off"
          {...form.getInputProps('email')}
        />
      </div>
      <RoleSelect {...form.getInputProps('role')} />
      {isSelf && user.role === 'admin' && form.values.role === 'user' && (
        <Banner kind="warning" icon={TriangleAlert}>
          <strong>This is your own account.</strong> You will lose the right to manage users
          immediately, and all admin access the next time you log in.
        </Banner>
      )}
    </DialogForm>
  )
}
