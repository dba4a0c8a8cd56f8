import { PasswordField } from './password-field.tsx'

export type NewPassword = { first: string; second: string }
export const NO_PASSWORD: NewPassword = { first: '', second: '' }

/** What is wrong with the two entries (spec section 5); null when they may be sent. */
export function newPasswordFault({ first, second }: NewPassword): string | null {
  if (first === '' || second === '') return 'Please enter your new password twice.'
  return first === second ? null : 'The passwords do not match.'
}

type NewPasswordFieldsProps = {
  entries: NewPassword
  onChange: (entries: NewPassword) => void
  disabled?: boolean
}

/** The two entries of a new password. */
export function NewPasswordFields({ entries, onChange, disabled = false }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        label="New password"
        description="At least 8 characters"
        autoComplete="new-password"
        disabled={disabled}
        value={entries.first}
        onChange={(event) => onChange({ ...entries, first: event.currentTarget.value })}
      />
      <PasswordField
        label="Confirm new password"
        autoComplete="new-password"
        disabled={disabled}
        value={entries.second}
        onChange={(event) => onChange({ ...entries, second: event.currentTarget.value })}
      />
    </>
  )
}
