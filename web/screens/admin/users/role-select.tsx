import { Select, type SelectProps } from '@mantine/core'
import type { Role } from '../../../../domain/wire/users.ts'
import { COMBOBOX_PROPS } from '../../../ui/lists/combobox.ts'

const ROLES: { value: Role; label: string }[] = [
  { value: 'user', label: 'User' },
  { value: 'admin', label: 'Admin' },
]

/** Admin or user, nothing else (spec section 5). */
export function RoleSelect(props: SelectProps<Role>) {
  return (
    <Select
      label="Role"
      description="A change of role takes effect at the next login."
      data={ROLES}
      allowDeselect={false}
      checkIconPosition="right"
      comboboxProps={COMBOBOX_PROPS}
      {...props}
    />
  )
}
