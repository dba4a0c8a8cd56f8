import type { PasswordInputProps } from '@mantine/core'
import { type ChangeEvent, type Ref, useState } from 'react'
import { passwordFault } from '../../../domain/access/user.ts'
import { notices } from '../../app/notices.ts'
import { PasswordField } from './password-field.tsx'

export type NewPassword = { first: string; second: string }
const SUBJECT = 'new password'
export const NO_PASSWORD: NewPassword = { first: '', second: '' }

/**
 * `read` returns the new password in the form, or null if the entries are invalid, and then focuses the faulty field.
 * Missing and unequal entries are reported by a snackbar (spec section 5), a password of an invalid length by `fault`,
 * which is shown below the first field until `clearFault`. Entries are read from the DOM, because password managers fill
 * fields without an event.
 */
export function useNewPassword() {
  const [fault, setFault] = useState<string | null>(null)

  function read(form: HTMLFormElement): string | null {
    const entries = entriesIn(form)
    const isFilled = entries.first !== '' && entries.second !== ''
    const own = isFilled ? passwordFault(entries.first) : null
    const together = own === null ? faultOf(entries) : null
    setFault(own)
    if (together === null) notices.succeed(SUBJECT)
    else notices.error('Error', together, { subject: SUBJECT })
    if (own === null && together === null) return entries.first
    const [first, second] = fieldsIn(form)
    const faulty = entries.first === '' || own !== null ? first : second
    faulty?.focus()
    return null
  }

  return { fault, clearFault: () => setFault(null), read }
}

const fieldsIn = (form: HTMLFormElement) =>
  form.querySelectorAll<HTMLInputElement>(`[autocomplete=${ENTRY}]`)

function entriesIn(form: HTMLFormElement): NewPassword {
  const [first = '', second = ''] = [...fieldsIn(form)].map(({ value }) => value)
  return { first, second }
}

function faultOf({ first, second }: NewPassword): string | null {
  if (first === '' || second === '') return 'Please enter your new password twice.'
  return first === second ? null : 'The passwords do not match.'
}

const ENTRY = 'new-password'

type NewPasswordFieldsProps = {
  labels?: { first: string; second: string }
  onChange?: (entries: NewPassword) => void
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

const LABELS = { first: 'New password', second: 'Confirm new password' }

/** The two entries of a new password, which keep their own text. */
export function NewPasswordFields(props: NewPasswordFieldsProps) {
  const { disabled = false, error = null, fieldRef = null, labels = LABELS } = props
  const handleChange = ({ currentTarget: { form } }: ChangeEvent<HTMLInputElement>) => {
    if (form) props.onChange?.(entriesIn(form))
  }
  const order = props.hintBelow ? { inputWrapperOrder: HINT_BELOW } : {}
  return (
    <>
      <PasswordField
        ref={fieldRef}
        error={error}
        label={labels.first}
        description="At least 8 characters"
        {...order}
        autoComplete={ENTRY}
        disabled={disabled}
        onChange={handleChange}
      />
      <PasswordField
        label={labels.second}
        autoComplete={ENTRY}
        disabled={disabled}
        onChange={handleChange}
      />
    </>
  )
}
