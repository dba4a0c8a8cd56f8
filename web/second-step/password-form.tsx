import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { PASSKEY_NAME_MAX } from '../../domain/limits.ts'
import { SteadyButton } from '../ui/buttons/steady-button.tsx'
import { PasswordField } from '../ui/fields/password-field.tsx'
import classes from './second-step.module.css'

export type Entries = { password: string; name: string }

type PasswordFormProps = {
  email: string
  /** Asks for a name too. */
  isForPasskey: boolean
  busy: boolean
  /** Why the password was refused. */
  fault: string | null
  onSubmit: (entries: Entries) => void
  onCancel: () => void
}

/** The current password, before a second step is added. */
export function PasswordForm(props: PasswordFormProps) {
  const { email, isForPasskey, busy, fault, onSubmit, onCancel } = props
  const password = useRef<HTMLInputElement>(null)
  const name = useRef<HTMLInputElement>(null)
  const [missing, setMissing] = useState<{ password?: string; name?: string }>({})
  useEffect(() => (name.current ?? password.current)?.focus(), [])
  useEffect(() => {
    if (fault !== null) password.current?.select()
  }, [fault])

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    const entries = {
      password: password.current?.value ?? '',
      name: name.current?.value.trim() ?? '',
    }
    const isNameless = isForPasskey && entries.name === ''
    setMissing({
      ...(isNameless && { name: 'Please enter a name.' }),
      ...(entries.password === '' && { password: 'Please enter your password.' }),
    })
    if (isNameless) name.current?.focus()
    else if (entries.password === '') password.current?.focus()
    else if (!busy) onSubmit(entries)
  }

  return (
    <form noValidate onSubmit={handleSubmit} className={`${classes.step} ${classes.form}`}>
      <input type="hidden" name="username" autoComplete="username" value={email} />
      {isForPasskey && (
        <TextInput
          ref={name}
          label="Name of the passkey"
          description="So that you recognize it, such as ‘Laptop’"
          maxLength={PASSKEY_NAME_MAX}
          autoComplete="off"
          error={missing.name}
        />
      )}
      <PasswordField
        ref={password}
        label="Current password"
        autoComplete="current-password"
        error={missing.password ?? fault}
      />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <SteadyButton type="submit" loading={busy}>
          Continue
        </SteadyButton>
      </div>
    </form>
  )
}
