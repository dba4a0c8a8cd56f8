import type { PasswordInputProps } from '@mantine/core'
import type { Ref } from 'react'
import { passwordFault } from '../../domain/user.ts'
import { notices } from '../notices.ts'
import { PasswordField } from './password-field.tsx'

export type NewPassword = { first: string; second: string }
export const NO_PASSWORD: NewPassword = { first: '', second: '' }

/**
 * Says what is wrong with the two entries of the form (spec section 5) and goes to the one to be written. False when they
 * may be sent.
 */
export function isRefused(form: HTMLFormElement, entries: NewPassword): boolean {
  const fault = faultOf(entries)
  if (fault === null) return false
  notices.error('Error', fault)
  const [first, second] = form.querySelectorAll<HTMLInputElement>(`[autocomplete=${ENTRY}]`)
  const isFirst = entries.first === '' || passwordFault(entries.first) !== null
  const faulty = isFirst ? first : second
  faulty?.focus()
  return true
}

function faultOf({ first, second }: NewPassword): string | null {
  if (first === '' || second === '') return 'Please enter your new password twice.'
  return passwordFault(first) ?? (first === second ? null : 'The passwords do not match.')
}

const ENTRY = 'new-password'

type NewPasswordFieldsProps = {
  entries: NewPassword
  onChange: (entries: NewPassword) => void
  disabled?: boolean
  /** Said below the first one. */
  error?: string | null
  /** The first one. */
  fieldRef?: Ref<HTMLInputElement>
  /** True for fields side by side: a hint above one of them would move it down. */
  hintBelow?: boolean
}

const HINT_BELOW: NonNullable<PasswordInputProps['inputWrapperOrder']> = [
  'label',
  'input',
  'error',
  'description',
]

/** The two entries of a new password. */
export function NewPasswordFields(props: NewPasswordFieldsProps) {
  const { entries, onChange, disabled = false, error = null, fieldRef = null } = props
  const order = props.hintBelow ? { inputWrapperOrder: HINT_BELOW } : {}
  return (
    <>
      <PasswordField
        ref={fieldRef}
        error={error}
        label="New password"
        description="At least 8 characters"
        {...order}
        autoComplete={ENTRY}
        disabled={disabled}
        value={entries.first}
        onChange={(event) => onChange({ ...entries, first: event.currentTarget.value })}
      />
      <PasswordField
        label="Confirm new password"
        autoComplete={ENTRY}
        disabled={disabled}
        value={entries.second}
        onChange={(event) => onChange({ ...entries, second: event.currentTarget.value })}
      />
    </>
  )
}
