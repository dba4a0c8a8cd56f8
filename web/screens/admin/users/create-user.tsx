import { Radio, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Role, User } from '../../../../domain/wire/users.ts'
import { useApp } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { emailRule, nameRule, passwordRule } from '../../../field-rules.ts'
import { DialogForm } from '../../../ui/dialogs/form-dialog.tsx'
import { PasswordField } from '../../../ui/fields/password-field.tsx'
import { RadioChoice } from '../../../ui/fields/radio-choice.tsx'
import { sending } from '../send-form.ts'
import { useChange } from '../use-change.ts'
import { useUsers } from '../use-remote.ts'
import classes from './create-user.module.css'
import { RoleSelect } from './role-select.tsx'

/** How a new user gets in. */
type Way = 'invitation' | 'password'

type Fields = { name: string; email: string; way: Way; password: string; role: Role }

/** The last choice of this browser. */
const WAY_KEY = 'contun-new-user-way'

type CreateUserProps = { onClose: () => void }

export function CreateUser({ onClose }: CreateUserProps) {
  const { storage } = useApp()
  const { busy, make } = useCreation(onClose)
  const form = useForm<Fields>({
    initialValues: {
      name: '',
      email: '',
      way: storage.getItem(WAY_KEY) === 'invitation' ? 'invitation' : 'password',
      password: '',
      role: 'user',
    },
    validate: {
      name: nameRule('Full name'),
      email: emailRule,
      password: (password, { way }) => (way === 'password' ? passwordRule(password) : null),
    },
  })
  const { way } = form.values

  return (
    <DialogForm
      submit={way === 'invitation' ? 'Create and invite' : 'Create'}
      busy={busy}
      changed={form.isDirty()}
      onSubmit={sending(form, ({ name, email, ...rest }) =>
        make({ name: name.trim(), email: email.trim(), ...rest }),
      )}
      onCancel={onClose}
    >
      <TextInput
        label="Full name"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput label="E-mail" type="email" autoComplete="off" {...form.getInputProps('email')} />
      <Radio.Group
        label="How they get in"
        value={way}
        onChange={(chosen) => {
          form.setFieldValue('way', chosen as Way)
          storage.setItem(WAY_KEY, chosen)
        }}
      >
        <div className={classes.ways}>
          <RadioChoice
            value="invitation"
            label="Send an invitation"
            description="A mail with a link to choose a password, good for 7 days."
          />
          <RadioChoice
            value="password"
            label="Set a password"
            description="You choose it here and tell them yourself."
          />
        </div>
      </Radio.Group>
      {way === 'password' && (
        <PasswordField
          label="Password"
          description="At least 8 characters"
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
      )}
      <RoleSelect {...form.getInputProps('role')} />
    </DialogForm>
  )
}

/** Creates the account, then sends the invitation: without it the account has a password that is known nowhere. */
function useCreation(onClose: () => void) {
  const users = useUsers()
  const { make: sendAgain } = useChange<User>({
    call: ({ id }) => users.invite(id),
    failure: 'Error sending the invitation',
    onDone: ({ email }) => notices.success('Invitation sent', `It goes to ${email}.`),
  })
  const { newId } = useApp()
  return useChange<Fields, { user: User; isInvited: boolean }>({
    call: async ({ way, password, ...account }) => {
      const user = await users.create({
        ...account,
        password: way === 'password' ? password : newId(),
      })
      const isInvited =
        way === 'invitation' &&
        (await users.invite(user.id).then(
          () => true,
          () => false,
        ))
      return { user, isInvited }
    },
    failure: 'Error creating user',
    onDone: ({ way }, { user, isInvited }) => {
      if (way === 'password') notices.success('User created', `${user.name} can now log in.`)
      else if (isInvited) notices.success('User created', `An invitation goes to ${user.email}.`)
      else
        notices.error('The invitation was not sent', `${user.name} was created.`, {
          actions: [{ label: 'Send it again', run: () => sendAgain(user) }],
        })
      onClose()
    },
  })
}
